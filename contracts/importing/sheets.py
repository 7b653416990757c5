from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.showing import quoted
from annotation.models import Person, Project, Request, Seat
from contracts.importing.rows import Known, OncePerRequest, read_terms
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
    columns = (
        "request",
        "annotator",
        "constraints",
        "ambiguity",
        "admissible_rewrites",
        "sha256",
        "sealed_at",
    )
    required = ("request", "annotator", "constraints")

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[_Sheet]:
        known = Known(project)
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
                position=sheet.request.position,
                holder=sheet.annotator,
                state=Seat.State.SUBMITTED,
                taken_at=now,
                leased_until=now,
                sealed_at=now,
                draft=sheet.terms.to_json(),
            )
            record_sheet(actor=actor, annotator=sheet.annotator, seat=seat, terms=sheet.terms)
        return len(parsed)


def _check_seal(fields: Fields, terms: ContractTerms | None) -> None:
    """What a sheet says of its sealing elsewhere must hold; here it is sealed now."""
    fields.moment("sealed_at")
    sha256 = fields.text("sha256", required=False)
    if terms and sha256 and sha256 != terms.sha256:
        fields.fault("sha256", "hash_differs", "the hash is not that of these constraints.")
