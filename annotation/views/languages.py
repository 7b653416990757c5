"""The switch of the interface's language."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from annotation.languages import PREFERENCE, is_known
from annotation.services.preferences import prefer


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Speak the chosen language from now on, and go back to the page that it was chosen on."""
    chosen = request.POST.get("language")
    if request.user.is_authenticated and is_known(chosen):
        prefer(actor=request.user, name=PREFERENCE, value=chosen)
    return set_language(request)
