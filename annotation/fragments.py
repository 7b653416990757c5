from typing import cast

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class _HtmxRequest(HttpRequest):
    htmx: HtmxDetails


def wants_fragment(request: HttpRequest) -> bool:
    """Tell whether htmx asks, which swaps the changed fragment into a page that stands already."""
    return bool(cast(_HtmxRequest, request).htmx)
