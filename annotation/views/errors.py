import logging
import secrets

from django.http import HttpRequest, HttpResponse
from django.template import loader

logger = logging.getLogger(__name__)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for a fault of ours: it shows a number under which the log has the whole story."""
    number = secrets.token_hex(4)
    logger.exception("fault %s on %s", number, request.path)
    return HttpResponse(loader.render_to_string("500.html", {"number": number}), status=500)
