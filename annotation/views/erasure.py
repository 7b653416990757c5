from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.access import reader
from annotation.erasure_effects import effect_of, may_erase
from annotation.erasure_forms import ErasureForm, WhomForm
from annotation.models import Person
from annotation.services.erasure import erase_person
from annotation.services.projects import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest) -> HttpResponse:
    """What erasing an account does: to a superuser of anybody's, who may then do it; to everybody
    else of their own, and whom to ask.
    """
    actor = reader(request)
    if request.method == "POST":
        return _erase(request, actor)
    if not actor.is_superuser:
        return _page(request, actor, own=True)
    if "person" not in request.GET:
        return _page(request, form=WhomForm())
    form = WhomForm(request.GET)
    if not form.is_valid():
        return _page(request, form=form, status=422)
    person: Person = form.cleaned_data["person"]
    return _page(request, person, confirm=ErasureForm(person))


def _erase(request: HttpRequest, actor: Person) -> HttpResponse:
    if not actor.is_superuser:
        raise PermissionDenied(_("Only superusers of this server erase an account."))
    whom = WhomForm(request.POST)
    if not whom.is_valid():
        return _page(request, form=whom, status=422)
    person: Person = whom.cleaned_data["person"]
    form = ErasureForm(person, request.POST)
    if not form.is_valid():
        return _page(request, person, confirm=form, status=422)
    try:
        erased = erase_person(actor=actor, person=person, texts=form.cleaned_data["texts"])
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _page(request, person, confirm=form, status=422)
    messages.success(
        request,
        _("Erased. The account stands as %(name)s from now on.") % {"name": erased.username},
    )
    return redirect("erase-person")


def _page(
    request: HttpRequest,
    person: Person | None = None,
    *,
    own: bool = False,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The page, with the effect on a person if there is one to show."""
    context: dict[str, Any] = {"person": person, "own": own, **more}
    decision = None if own or person is None else may_erase(reader(request), person)
    if decision and not decision.allowed:
        raise PermissionDenied(decision.reason)
    if person and not person.erased_at:
        effect = effect_of(person, to_themselves=own)
        context |= {
            "effect": effect,
            "goes": effect.goes(texts=False),
            "stays": effect.stays(texts=False),
        }
    return render(request, "annotation/erase.html", context, status=status)
