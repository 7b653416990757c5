from typing import Any

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    """What every page may show."""
    return {"demo": settings.DEMO, "languages": settings.LANGUAGES}
