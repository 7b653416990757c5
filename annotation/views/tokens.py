from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import reader
from annotation.services.projects import Refused
from annotation.services.tokens import create_token, revoke_token
from annotation.token_forms import TokenForm


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("text")
def tokens(request: HttpRequest) -> HttpResponse:
    """My API tokens; a POST makes one. Its text is in that answer and nowhere else, so there is no
    redirect that would have to keep it.
    """
    form = TokenForm(request.POST or None)
    if request.method != "POST":
        return _page(request, form)
    if not form.is_valid():
        return _page(request, form, status=422)
    sent = form.cleaned_data
    try:
        token, text = create_token(
            actor=reader(request),
            name=sent["name"],
            scopes=sent["scopes"],
            lifetime=form.lifetime(),
        )
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, status=422)
    return _page(request, TokenForm(), made=token, text=text)


@require_POST
def token_revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """End one of my tokens at once."""
    person = reader(request)
    token = get_object_or_404(person.api_tokens, pk=token_id)
    revoke_token(actor=person, token=token)
    messages.success(request, _("“%(name)s” lets nobody in any more.") % {"name": token.name})
    return redirect("tokens")


def _page(
    request: HttpRequest, form: TokenForm, *, status: int = 200, **made: object
) -> HttpResponse:
    person = reader(request)
    usable = person.api_tokens.usable(timezone.now())
    context = {
        "form": form,
        "usable": usable,
        "ended": person.api_tokens.exclude(pk__in=usable)[:20],
        "api": request.build_absolute_uri(reverse("api-me")),
        **made,
    }
    return render(request, "annotation/tokens.html", context, status=status)
