from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Person, Project, Request, Seat
from contracts.importing.rows import Known, read_terms
from contracts.models import Sheet
from contracts.services.sheets import record_sheet
from contracts.terms import ContractTerms


@dataclass(frozen=True)
class _Sheet:
    request: Request
    annotator: Person
    terms: ContractTerms


@register
class SheetsFile(FileKind):
    """sheets.jsonl: sheets sealed elsewhere, one for each request and annotator."""

    name = "sheets"
    label = _("Sheets (sheets.jsonl)")
    columns = ("request", "annotator", "constraints", "ambiguity", "sealed_at")

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[_Sheet]:
        known = Known(project)
        seen = {
            (key, name): 0
            for key, name in Sheet.objects.by_request(project).values_list(
                "request__key", "annotator__username"
            )
        }
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            request = known.request(fields)
            annotator = known.person(fields, "annotator")
            terms = read_terms(fields, request)
            if request is None or annotator is None or terms is None:
                continue
            first = seen.setdefault((request.key, annotator.username), row.number)
            if first != row.number:
                fields.fault(
                    "annotator", "duplicate", f"{annotator.username} has a sheet of {request.key}."
                )
            parsed.append(_Sheet(request, annotator, terms))
        return parsed

    def load(self, project: Project, parsed: list[_Sheet], actor: Person, target: str) -> int:
        now = timezone.now()
        for sheet in parsed:
            slot = Seat.objects.filter(request=sheet.request, kind="sheet").count() + 1
            seat = Seat.objects.create(
                project=project,
                request=sheet.request,
                kind="sheet",
                slot=slot,
                holder=sheet.annotator,
                state=Seat.State.SUBMITTED,
                taken_at=now,
                leased_until=now,
                draft=sheet.terms.to_json(),
            )
            record_sheet(actor=actor, annotator=sheet.annotator, seat=seat, terms=sheet.terms)
        return len(parsed)
