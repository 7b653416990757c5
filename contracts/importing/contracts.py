from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.known import Known, OncePerRequest
from annotation.importing.people import FileOfPeople
from annotation.importing.problems import ImportRefused, Problems
from annotation.importing.rows import Row
from annotation.importing.sealing import BATCH
from annotation.importing.showing import quoted
from annotation.models import Person, Project, Request
from annotation.permissions import may
from annotation.services import ledger
from contracts.importing.rows import read_terms
from contracts.models import Adjudication, Constraint, Contract
from contracts.services.approval import approval_said
from contracts.services.bench.waiting import requests_annotated_by
from contracts.terms import ContractTerms

MAX_VERSION = 1_000_000


@dataclass(frozen=True)
class _Contract:
    request: Request
    terms: ContractTerms
    sha256: str
    annotators: list[Person]
    adjudicator: Person | None
    agreed: bool  # the line says that nobody had to settle anything
    version: int | None


@register
class ContractsFile(FileOfPeople):
    """contracts.jsonl: contracts approved elsewhere, the first that their requests have here. Each
    keeps the number of its version.

    Without an adjudicator it is whoever brings it in. An empty text, beside two annotators or more,
    says that they agreed on everything; an empty cell of CSV is no text.
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
    required = ("request", "constraints")

    def read(
        self, project: Project, rows: Iterable[Row], problems: Problems, said: Mapping[str, str]
    ) -> list[_Contract]:
        known = Known(project, said)
        contracted = set(
            project.requests.filter(contracts__isnull=False).values_list("key", flat=True)
        )
        once = OncePerRequest()
        return [
            contract
            for row in rows
            if (contract := self._read(Fields(row, problems), known, contracted, once))
        ]

    def _read(
        self, fields: Fields, known: Known, contracted: set[str], once: OncePerRequest
    ) -> _Contract | None:
        request = known.request(fields)
        if request and request.key in contracted:
            fields.fault("request", "present", f"“{request.key}” has a contract already.")
        if request:
            once.check(fields, "request", request.key, quoted(request.key))
        version = _version(fields)
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
        nobody = named == "" and len(set(annotators)) > 1
        if adjudicator and adjudicator in annotators:
            fields.fault(
                "adjudicator", "own_work", "an annotator of a request may not adjudicate it."
            )
        if request is None or terms is None:
            return None
        return _Contract(request, terms, terms.sha256, annotators, adjudicator, nobody, version)

    def write(self, project: Project, rows: list[_Contract], actor: Person) -> int:
        _refuse_own_work(project, rows, actor)
        now = timezone.now()
        contracts = [
            Contract(
                request=row.request,
                version=row.version or 1,
                content=row.terms.to_json(),
                sha256=row.sha256,
                unresolved=row.terms.ambiguity.unresolved,
                adjudicator=None if row.agreed else row.adjudicator or actor,
                approved_at=now,
            )
            for row in rows
        ]
        Contract.objects.bulk_create(contracts, BATCH)
        both = list(zip(rows, contracts, strict=True))
        named = Contract.annotators.through
        named.objects.bulk_create(
            (
                named(contract_id=contract.pk, person_id=person_id)
                for row, contract in both
                for person_id in dict.fromkeys(person.pk for person in row.annotators)
            ),
            BATCH,
        )
        constraints = (
            constraint
            for row, contract in both
            for constraint in Constraint.rows(row.terms, contract=contract)
        )
        Constraint.objects.bulk_create(constraints, BATCH)
        entries = (_entry(row, contract) for row, contract in both)
        ledger.record_all(project=project, entries=entries, actor=actor)
        return len(rows)


def _entry(row: _Contract, contract: Contract) -> ledger.Entry:
    """The entry that `record_contract` gives a contract that is approved here."""
    said = approval_said(contract, row.annotators)
    return ledger.Entry("contract.approved", row.request.key, said)


def _refuse_own_work(project: Project, parsed: Sequence[_Contract], actor: Person) -> None:
    """Whoever annotated a request, or has it open on the bench, does not bring its contract. Who
    annotates is never told which faults there are with others' work, and beside faults of their own
    not even that there are some.
    """
    problems = Problems("contracts")
    blind = may(actor, "annotate", project).allowed
    of_others = Problems("contracts") if blind else problems
    annotated = {
        person: set(
            requests_annotated_by(person).filter(project=project).values_list("pk", flat=True)
        )
        for person in {contract.adjudicator or actor for contract in parsed}
    }
    at_bench = Adjudication.objects.filter(request__project=project, state="open")
    opened = set(at_bench.values_list("request_id", flat=True))
    for contract in parsed:
        key, adjudicator = contract.request.key, contract.adjudicator or actor
        if adjudicator in contract.annotators or contract.request.pk in annotated[adjudicator]:
            name = adjudicator.username
            message = f"“{key}”: {name} annotated it, so somebody else must be its adjudicator."
            told = problems if adjudicator == actor else of_others
            told.add(None, "adjudicator", "own_work", message)
        if contract.request.pk in opened:
            message = f"“{key}” is open on the bench: let its adjudication end first."
            of_others.add(None, "request", "open_adjudication", message)
    if of_others.total and not problems.total:
        message = "you annotate here: let somebody who does not bring these contracts."
        problems.add(None, "", "not_blind", message)
    if problems.total:
        raise ImportRefused(problems)


def _version(fields: Fields) -> int | None:
    version = fields.json("version")
    if version is None:
        return None
    if isinstance(version, int) and version is not True and 1 <= version <= MAX_VERSION:
        return version
    fields.fault("version", "bad_number", f"the version must be 1, 2, 3 …, not {quoted(version)}.")
    return None
