from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import ExportKind, Wanted, register
from annotation.exporting.names import moment
from contracts.exporting.terms import in_order, standing_sheets, terms_written, with_sheets
from contracts.models import Sheet


class _OfSheets(ExportKind):
    """A file with one line for each sheet, in the order of the requests."""

    of_people = True

    @abstractmethod
    def sheets(self, wanted: Wanted) -> QuerySet[Sheet]:
        """The sheets of which there is a line."""

    def count(self, wanted: Wanted) -> int:
        return self.sheets(wanted).count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        sheets = self.sheets(wanted).filter(self.readable(wanted))
        some = Exists(sheets.order_by().filter(request=OuterRef("pk")))
        requests = wanted.project.requests.filter(some).only("key", "position", "project")
        for request in in_order(with_sheets(requests, sheets)):
            for sheet in request.shown_sheets:
                yield self.row(request.key, sheet, wanted)

    def readable(self, wanted: Wanted) -> Any:
        return wanted.handed_out()

    def row(self, key: str, sheet: Sheet, wanted: Wanted) -> dict[str, Any]:
        return {
            "request": key,
            "annotator": wanted.names.of(sheet.annotator_id),
            **terms_written(sheet.terms),
            "sha256": sheet.sha256,
            "sealed_at": moment(sheet.sealed_at),
            "active_seconds": sheet.seat.active_seconds if sheet.seat else 0,
        }


@register
class SheetsExport(_OfSheets):
    """sheets.jsonl: every sheet that stands."""

    name = "sheets"
    order = 30
    label = _("Sheets")
    purpose = _("What each reviewer sealed, blind, one line for each sheet that stands.")
    columns = (
        "request", "annotator", "constraints", "ambiguity", "admissible_rewrites", "sha256",
        "sealed_at", "active_seconds",
    )  # fmt: skip
    work = "sheet"
    for_own = True

    def sheets(self, wanted: Wanted) -> QuerySet[Sheet]:
        return standing_sheets(wanted)


@register
class RetractedSheetsExport(_OfSheets):
    """retracted-sheets.jsonl: sheets that their annotators took back; they count nowhere."""

    name = "retracted-sheets"
    order = 110
    label = _("Retracted sheets")
    purpose = _("Sheets that their annotators took back. They count nowhere.")
    columns = (*SheetsExport.columns, "retracted_at")
    group = "record"

    def sheets(self, wanted: Wanted) -> QuerySet[Sheet]:
        found = Sheet.objects.filter(wanted.by("annotator"), request__project=wanted.project)
        return found.exclude(retracted_at=None).order_by("pk")

    def readable(self, wanted: Wanted) -> Any:
        return wanted.by("annotator")

    def row(self, key: str, sheet: Sheet, wanted: Wanted) -> dict[str, Any]:
        return {**super().row(key, sheet, wanted), "retracted_at": moment(sheet.retracted_at)}
