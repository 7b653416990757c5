from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import CHUNK, ExportKind, Wanted, register
from annotation.exporting.names import moment
from annotation.models import Seat


@register
class SeatsExport(ExportKind):
    """seats.jsonl or .csv: whose work is done: sealed, or given up with a reason."""

    name = "seats"
    order = 100
    label = _("Seats")
    purpose = _(
        "Who finished which item of which kind of work, in how many active seconds, and who could "
        "not judge it and why."
    )
    columns = (
        "request", "kind", "person", "outcome", "reason", "taken_at", "sealed_at", "active_seconds",
    )  # fmt: skip
    group = "record"
    forms = ("csv", "jsonl")
    of_people = True

    def count(self, wanted: Wanted) -> int:
        return self._seats(wanted).count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        seats = self._seats(wanted).select_related("request").order_by("kind", "position", "pk")
        for seat in seats.iterator(chunk_size=CHUNK):
            yield {
                "request": seat.request.key,
                "kind": seat.kind,
                "person": wanted.names.of(seat.holder_id),
                "outcome": "sealed" if seat.state == Seat.State.SUBMITTED else "cannot_judge",
                "reason": seat.reason or None,
                "taken_at": moment(seat.taken_at),
                "sealed_at": moment(seat.sealed_at),
                "active_seconds": seat.active_seconds,
            }

    def _seats(self, wanted: Wanted) -> QuerySet[Seat]:
        return Seat.objects.done().filter(wanted.by("holder"), project=wanted.project)
