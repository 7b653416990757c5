"""Drawings kept on disk: a picture is drawn once, however many processes show it.

The key is the picture itself, with every text in it, so another result, language or version of the
drawing is another entry and nothing has to be thrown away.
"""

import json
import logging
from dataclasses import asdict
from hashlib import sha256

from django.core.cache import caches
from django.utils.safestring import SafeString

from evaluation.charting import drawing
from evaluation.charting.shapes import Picture

log = logging.getLogger(__name__)


def drawn(picture: Picture, *, prefix: str) -> SafeString:
    """Return the picture as SVG, from the disk if it was drawn before; empty if it cannot be drawn.

    Whatever the disk or the library does, the caller gets an answer: the log has the reason.
    """
    try:
        key = _key(picture, prefix)
        svg = _kept(key)
        if svg is None:
            svg = drawing.draw(picture, prefix=prefix)
            _keep(key, svg)
    except Exception:
        log.exception("the chart %s cannot be drawn", prefix)
        return SafeString("")
    return SafeString(svg)  # the drawing escapes every text in it


def _key(picture: Picture, prefix: str) -> str:
    said = [drawing.version(), type(picture).__name__, prefix, asdict(picture)]
    return sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()


def _kept(key: str) -> str | None:
    try:
        found = caches["charts"].get(key)
    except Exception:  # a damaged entry or a disk that cannot be read
        log.warning("a kept chart cannot be read", exc_info=True)
        return None
    return found if isinstance(found, str) else None


def _keep(key: str, svg: str) -> None:
    try:
        caches["charts"].set(key, svg)
    except Exception:  # a full disk
        log.warning("a chart cannot be kept", exc_info=True)
