"""My keys: which key does which act at the desk."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation import keys
from annotation.access import reader
from annotation.services.preferences import choose_keys, reset_keys
from annotation.services.projects import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def keys_page(request: HttpRequest) -> HttpResponse:
    """Show the keys of the desk, change them, or set them back."""
    person = reader(request)
    if request.method != "POST":
        return _shown(request, keys.keys_of(person.preferences.get("keys")))
    if "reset" in request.POST:
        reset_keys(actor=person)
        messages.success(request, _("Every act has its first key again."))
        return redirect("keys")
    chosen = {name: request.POST[name].strip() for name in keys.ACTS if name in request.POST}
    try:
        choose_keys(actor=person, chosen=chosen)
    except Refused as refusal:
        wanted = keys.keys_of(person.preferences.get("keys")) | chosen
        return _shown(request, wanted, str(refusal).splitlines())
    messages.success(request, _("Your keys are saved. They hold from the next page on."))
    return redirect("keys")


def _shown(
    request: HttpRequest, wanted: dict[str, str], faults: list[str] | None = None
) -> HttpResponse:
    twice = {act.name for clash in keys.clashes(wanted) for act in (clash.first, clash.second)}
    rows = [
        (act, key, act.name in twice or not keys.is_usable(key))
        for act, key in ((keys.ACTS[name], key) for name, key in wanted.items())
    ]
    context = {"rows": rows, "faults": faults or [], "signs": " ".join(sorted(keys.SIGNS))}
    return render(request, "annotation/keys.html", context, status=422 if faults else 200)
