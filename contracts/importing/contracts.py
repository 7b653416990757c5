from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Person, Project, Request
from contracts.importing.rows import Known, read_terms
from contracts.services.approval import record_contract
from contracts.terms import ContractTerms


@dataclass(frozen=True)
class _Contract:
    request: Request
    terms: ContractTerms
    annotators: list[Person]
    adjudicator: Person | None


@register
class ContractsFile(FileKind):
    """contracts.jsonl: contracts approved elsewhere; each becomes the first version of its
    request's contract.
    """

    name = "contracts"
    label = _("Contracts (contracts.jsonl)")
    columns = (
        "request",
        "version",
        "sha256",
        "constraints",
        "ambiguity",
        "admissible_rewrites",
        "annotators",
        "adjudicator",
    )

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[_Contract]:
        known = Known(project)
        contracted = set(
            project.requests.filter(contracts__isnull=False).values_list("key", flat=True)
        )
        seen: dict[str, int] = {}
        return [
            contract
            for row in rows
            if (contract := self._read(Fields(row, problems), known, contracted, seen))
        ]

    def _read(
        self, fields: Fields, known: Known, contracted: set[str], seen: dict[str, int]
    ) -> _Contract | None:
        request = known.request(fields)
        if request and request.key in contracted:
            fields.fault("request", "present", f"“{request.key}” has a contract already.")
        if request and seen.setdefault(request.key, fields.row) != fields.row:
            fields.fault(
                "request", "duplicate_id", f"“{request.key}” stands on row {seen[request.key]}."
            )
        terms = read_terms(fields, request)
        sha256 = fields.text("sha256", required=False)
        if terms and sha256 and sha256 != terms.sha256:
            fields.fault("sha256", "hash_differs", "the hash is not that of these constraints.")
        annotators = [
            person
            for name in fields.texts("annotators") or []
            if (person := known.named(fields, "annotators", name))
        ]
        named = fields.text("adjudicator", required=False)
        adjudicator = known.named(fields, "adjudicator", named) if named else None
        if adjudicator and adjudicator in annotators:
            fields.fault(
                "adjudicator", "own_work", "an annotator of a request may not adjudicate it."
            )
        if request is None or terms is None:
            return None
        return _Contract(request, terms, annotators, adjudicator)

    def load(self, project: Project, parsed: list[_Contract], actor: Person, target: str) -> int:
        for contract in parsed:
            record_contract(
                actor=actor,
                request=contract.request,
                terms=contract.terms,
                annotators=contract.annotators,
                adjudicator=contract.adjudicator or actor,
            )
        return len(parsed)
