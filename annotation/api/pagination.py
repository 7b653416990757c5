"""Lists in pages: a cursor names the last row that was seen, so that rows that come meanwhile move
nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from annotation.api.problems import Problem

FORWARD, BACK = "next", "previous"


@dataclass(frozen=True)
class Page:
    """One page of a list, with the addresses of its neighbours."""

    results: Sequence[Any]
    next: str | None
    previous: str | None


def page_of(
    request: Request, query: dict[str, Any], rows: QuerySet[Any], *order: str, newest: bool = False
) -> Page:
    """Return the page that `query` (`cursor`, `limit`) asks for. `order` names fields that are
    unique together; `newest` counts downwards.

    One query whatever the place: rows beyond the cursor by their order, never counted off.
    """
    way, seen = _read(request, query.get("cursor", ""), len(order))
    back = way == BACK
    down = newest != back
    if seen:
        rows = rows.filter(_beyond(order, seen, down))
    wanted = query["limit"]
    ordered = rows.order_by(*(f"-{name}" if down else name for name in order))
    found = list(ordered[: wanted + 1])
    more, found = len(found) > wanted, found[:wanted]
    if back:
        found.reverse()
    after, before = (True, more) if back else (more, bool(seen))
    return Page(
        found,
        _link(request, FORWARD, found[-1], order) if found and after else None,
        _link(request, BACK, found[0], order) if found and before else None,
    )


def _beyond(order: Sequence[str], seen: Sequence[Any], down: bool) -> Q:
    """Rows after the one that was seen, field by field: (a, b) > (x, y)."""
    compare = "lt" if down else "gt"
    beyond, equal = Q(), Q()
    for name, value in zip(order, seen, strict=True):
        beyond |= equal & Q((f"{name}__{compare}", value))
        equal &= Q((name, value))
    return beyond


def _signer(request: Request) -> Signer:
    # No time in it: the same page has the same bytes whenever it is asked for.
    return Signer(salt=f"intact.api.cursor:{request.path_info}")


def _link(request: Request, way: str, row: Any, order: Sequence[str]) -> str:
    cursor = _signer(request).sign_object([way, *(getattr(row, name) for name in order)])
    kept = [(name, value) for name, value in request.query_params.items() if name != "cursor"]
    return str(
        request.build_absolute_uri(f"{request.path}?{urlencode([*kept, ('cursor', cursor)])}")
    )


def _read(request: Request, cursor: str, parts: int) -> tuple[str, list[Any]]:
    if not cursor:
        return FORWARD, []
    try:
        way, *seen = _signer(request).unsign_object(cursor)
    except (BadSignature, ValueError, TypeError) as broken:
        raise _unknown_cursor() from broken
    if way not in (FORWARD, BACK) or len(seen) != parts:
        raise _unknown_cursor()
    return way, seen


def _unknown_cursor() -> Problem:
    message = _("Take the cursor as it stands in “next” or “previous” of an answer.")
    error = {"parameter": "cursor", "code": "bad_cursor", "message": message}
    return Problem(400, message, kind="bad-cursor", errors=[error])
