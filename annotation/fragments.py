from django.http import HttpRequest

# What decides whether a page answers whole or with a fragment, and therefore varies the answer.
HEADERS = ("HX-Request", "HX-History-Restore-Request")


def wants_fragment(request: HttpRequest) -> bool:
    """Tell whether htmx asks, which swaps the changed fragment into a page that stands already.

    It also fetches pages that Back and Forward come to, of which it keeps none: these it wants
    whole.
    """
    htmx = getattr(request, "htmx", None)
    return htmx is not None and bool(htmx) and not htmx.history_restore_request
