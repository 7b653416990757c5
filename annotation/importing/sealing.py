"""What was sealed elsewhere: what its file says of that, and how it comes to stand here, many rows
at once, because nobody else writes meanwhile.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count
from django.utils import timezone

from annotation.importing.fields import Fields
from annotation.models import Person, Project, Request, Seat

COLUMN = "sealed_at"
MAX_WARNINGS = 50
BATCH = 500  # rows in one statement
_CLOCKS_DIFFER = timedelta(days=1)
_WARNING = {"code", "words", "meant"}


def sealed_elsewhere(fields: Fields) -> datetime | None:
    """The time in the column `sealed_at`; None when the file says none. One that lies ahead is a
    fault.
    """
    sealed_at = fields.moment(COLUMN)
    if sealed_at and sealed_at > timezone.now() + _CLOCKS_DIFFER:
        fields.fault(COLUMN, "bad_time", "the time of sealing lies in the future.")
    return sealed_at


def meant_warnings(fields: Fields) -> list[dict[str, Any]]:
    """The live checks that its author answered with "I mean it", as the row keeps them."""
    warnings = fields.objects("warnings") or []
    if len(warnings) <= MAX_WARNINGS and all(_is_warning(warning) for warning in warnings):
        return warnings
    fields.fault(
        "warnings",
        "bad_warning",
        'expected warnings that were meant: {"code": "…", "words": ["…"], "meant": true}.',
    )
    return []


def seats_so_far(project: Project, kind: str) -> Counter[int]:
    """How many seats of the kind each request has, by the request's number in the database."""
    seats = Seat.objects.filter(project=project, kind=kind).order_by().values("request")
    return Counter(dict(seats.annotate(n=Count("pk")).values_list("request", "n")))


def sealed_seat(
    so_far: Counter[int],
    *,
    request: Request,
    kind: str,
    holder: Person,
    sealed_at: datetime,
    draft: dict[str, Any],
    active_seconds: int = 0,
) -> Seat:
    """An unsaved sealed seat, so that nobody is asked for what is there. It takes the next slot
    after the seats `so_far`, and is counted among them.
    """
    so_far[request.pk] += 1
    return Seat(
        project_id=request.project_id,
        request=request,
        kind=kind,
        slot=so_far[request.pk],
        position=request.position,
        holder=holder,
        state=Seat.State.SUBMITTED,
        taken_at=sealed_at,
        leased_until=sealed_at,
        sealed_at=sealed_at,
        active_seconds=active_seconds,
        draft=draft,
    )


def _is_warning(warning: Mapping[str, Any]) -> bool:
    code, words = warning.get("code"), warning.get("words")
    return (
        set(warning) == _WARNING
        and isinstance(code, str)
        and 0 < len(code) <= 40
        and isinstance(words, list)
        and all(isinstance(word, str) for word in words)
        and warning["meant"] is True
    )
