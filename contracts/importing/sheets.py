from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.known import Known, OncePerRequest
from annotation.importing.people import FileOfPeople
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.sealing import BATCH, sealed_elsewhere, sealed_seat, seats_so_far
from annotation.importing.showing import quoted
from annotation.models import Person, Project, Seat
from contracts.importing.rows import read_terms
from contracts.models import Sheet
from contracts.services.sheets import record_sheets, sealed_sheet
from contracts.terms import ContractTerms

MAX_SECONDS = 2**31 - 1  # what the column holds


@dataclass(frozen=True)
class _Sheet:
    sheet: Sheet  # not saved yet
    terms: ContractTerms
    active_seconds: int


@register
class SheetsFile(FileOfPeople):
    """sheets.jsonl: sheets sealed elsewhere, one for each request and annotator."""

    name = "sheets"
    act = "import_work"
    label = _("Sheets (sheets.jsonl)")
    columns = (
        "request",
        "annotator",
        "constraints",
        "ambiguity",
        "admissible_rewrites",
        "sha256",
        "sealed_at",
        "active_seconds",
    )
    required = ("request", "annotator", "constraints")

    def read(
        self, project: Project, rows: Iterable[Row], problems: Problems, said: Mapping[str, str]
    ) -> list[_Sheet]:
        known = Known(project, said)
        sealed = set(
            Sheet.objects.by_request(project).values_list("request__key", "annotator__username")
        )
        seated = set(
            Seat.objects.filter(project=project, kind="sheet").values_list(
                "request__key", "holder__username"
            )
        )
        once = OncePerRequest()
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            request = known.request(fields)
            annotator = known.person(fields, "annotator")
            terms = read_terms(fields, request)
            _check_seal(fields, terms)
            sealed_at = sealed_elsewhere(fields)
            active = _active_seconds(fields)
            if request is None or annotator is None:
                continue
            pair = (request.key, annotator.username)
            once.check(
                fields, "annotator", pair, f"a sheet of {quoted(pair[0])} by {quoted(pair[1])}"
            )
            if pair in sealed:
                sentence = f"{quoted(pair[1])} has a sheet of {quoted(pair[0])} already."
                fields.fault("annotator", "present", sentence)
            elif pair in seated:
                sentence = f"{quoted(pair[1])} works on {quoted(pair[0])} here: it is sealed here."
                fields.fault("annotator", "seated", sentence)
            if terms is not None:
                # When it was sealed there; the ledger has the time at which it came in here.
                sheet = sealed_sheet(
                    request=request,
                    annotator=annotator,
                    terms=terms,
                    sealed_at=sealed_at or timezone.now(),
                )
                parsed.append(_Sheet(sheet, terms, active))
        return parsed

    def write(self, project: Project, rows: list[_Sheet], actor: Person) -> int:
        so_far = seats_so_far(project, "sheet")
        seats = [
            sealed_seat(
                so_far,
                request=row.sheet.request,
                kind="sheet",
                holder=row.sheet.annotator,
                sealed_at=row.sheet.sealed_at,
                draft=row.terms.to_json(),
                active_seconds=row.active_seconds,
            )
            for row in rows
        ]
        for row, seat in zip(rows, Seat.objects.bulk_create(seats, BATCH), strict=True):
            row.sheet.seat = seat
        sealed = [(row.sheet, row.terms) for row in rows]
        record_sheets(project=project, sealed=sealed, actor=actor)
        return len(rows)


def _check_seal(fields: Fields, terms: ContractTerms | None) -> None:
    """What a sheet says of its sealing elsewhere must hold."""
    sha256 = fields.text("sha256", required=False)
    if terms and sha256 and sha256 != terms.sha256:
        fields.fault("sha256", "hash_differs", "the hash is not that of these constraints.")
    if terms and terms.admissible_rewrites:
        sentence = "a sheet has no admissible rewrites: they belong to the contract."
        fields.fault("admissible_rewrites", "not_of_a_sheet", sentence)


def _active_seconds(fields: Fields) -> int:
    seconds = fields.number("active_seconds", least=0) or 0
    if seconds != int(seconds) or seconds > MAX_SECONDS:
        sentence = f"expected whole seconds, at most {MAX_SECONDS:,}."
        fields.fault("active_seconds", "bad_number", sentence)
        return 0
    return int(seconds)
