from collections.abc import Callable
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils.cache import patch_vary_headers

from annotation.fragments import HEADERS


class PrivatePagesMiddleware:
    """Keep every page out of shared caches and out of the browser's store: the next person must
    see their own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path or "\x00" in unquote(request.META.get("QUERY_STRING", "")):
            # No text in the database can hold one, and PostgreSQL refuses even to look for it.
            return HttpResponseBadRequest("The address holds a NUL character.")
        response = self.get_response(request)
        if not request.path.startswith("/static/"):
            response.headers.setdefault("Cache-Control", "private, no-store")
            patch_vary_headers(response, ["Cookie", *HEADERS])
        return response
