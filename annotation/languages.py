"""In which language the interface speaks: that of the person, else of the cookie, else of the
browser, else English. Below /api/ always English, because programs compare what they read.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

PREFERENCE = "language"
STORED = "en"  # the language of the API and of every sentence that is kept or exported
API = "/api/"  # below the path under which the whole site is served


def is_known(language: object) -> bool:
    """Tell whether the interface speaks the language."""
    return isinstance(language, str) and language in dict(settings.LANGUAGES)


class VisitorsLanguageMiddleware(LocaleMiddleware):
    """Speak the language of the cookie or of the browser, as long as it is not known who asks."""

    def process_request(self, request: HttpRequest) -> None:
        if not request.path_info.startswith(API):
            super().process_request(request)
            return
        translation.activate(STORED)
        request.LANGUAGE_CODE = STORED

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The language ends with the answer: what this thread does next is not for this reader."""
        answered = super().process_response(request, response)
        translation.deactivate()
        return answered


class PersonsLanguageMiddleware:
    """Speak the language that the person chose, on whatever machine they log in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(API) and request.user.is_authenticated:
            chosen = request.user.preferences.get(PREFERENCE)
            if is_known(chosen):
                translation.activate(chosen)
                request.LANGUAGE_CODE = chosen
        return self.get_response(request)
