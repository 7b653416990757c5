from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

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
from annotation.models import Person, Project, Request, Seat
from annotation.services import ledger
from contracts.importing.rows import read_terms
from contracts.models import Constraint, Sheet
from contracts.terms import ContractTerms

MAX_SECONDS = 2**31 - 1  # what the column holds


@dataclass(frozen=True)
class _Sheet:
    request: Request
    annotator: Person
    terms: ContractTerms
    sha256: str
    sealed_at: datetime | None
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
                parsed.append(_Sheet(request, annotator, terms, terms.sha256, sealed_at, active))
        return parsed

    def write(self, project: Project, rows: list[_Sheet], actor: Person) -> int:
        now, so_far = timezone.now(), seats_so_far(project, "sheet")
        # When it was sealed there; the ledger has the time at which it came in here.
        seats = [
            sealed_seat(
                so_far,
                request=row.request,
                kind="sheet",
                holder=row.annotator,
                sealed_at=row.sealed_at or now,
                draft=row.terms.to_json(),
                active_seconds=row.active_seconds,
            )
            for row in rows
        ]
        Seat.objects.bulk_create(seats, BATCH)
        sheets = [
            Sheet(
                request=row.request,
                annotator=row.annotator,
                seat=seat,
                unresolved=row.terms.ambiguity.unresolved,
                readings=list(row.terms.ambiguity.readings),
                sealed_at=row.sealed_at or now,
                sha256=row.sha256,
            )
            for row, seat in zip(rows, seats, strict=True)
        ]
        Sheet.objects.bulk_create(sheets, BATCH)
        constraints = (
            constraint
            for row, sheet in zip(rows, sheets, strict=True)
            for constraint in Constraint.rows(row.terms, sheet=sheet)
        )
        Constraint.objects.bulk_create(constraints, BATCH)
        # Each has the entry that `record_sheet` gives a sheet that is sealed here.
        entries = (
            ledger.Entry(
                "sheet.sealed",
                row.request.key,
                {"annotator": row.annotator.username, "sha256": row.sha256},
            )
            for row in rows
        )
        ledger.record_all(project=project, entries=entries, actor=actor)
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
