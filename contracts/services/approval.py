"""Contracts come to stand: approved, versioned, hashed, never changed."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.guidelines import GENERAL
from annotation.models import Guideline, Person, Project, Request
from annotation.services import ledger
from contracts.models import Constraint, Contract
from contracts.terms import ContractTerms


@transaction.atomic
def record_contract(
    *,
    actor: Person | None,
    request: Request,
    terms: ContractTerms,
    annotators: Sequence[Person],
    adjudicator: Person | None,
) -> Contract:
    """Write the next version of the request's contract, its constraint rows and its ledger
    entry. Without an `adjudicator` its annotators agreed on everything.
    """
    previous = request.contracts.order_by("-version").first()
    contract = Contract.objects.create(
        request=request,
        version=previous.version + 1 if previous else 1,
        content=terms.to_json(),
        sha256=terms.sha256,
        unresolved=terms.ambiguity.unresolved,
        adjudicator=adjudicator,
        guidelines=guidelines_now(request.project),
        supersedes=previous,
        approved_at=timezone.now(),
    )
    contract.annotators.set(annotators)
    Constraint.objects.bulk_create(Constraint.rows(terms, contract=contract))
    ledger.record(
        project=request.project,
        kind="contract.approved",
        subject=request.key,
        content=approval_said(contract, annotators),
        actor=actor,
    )
    return contract


def approval_said(contract: Contract, annotators: Sequence[Person]) -> dict[str, Any]:
    """What the ledger keeps of an approval; `agreed` where nobody had to settle anything."""
    said = {
        "version": contract.version,
        "sha256": contract.sha256,
        "annotators": sorted(person.username for person in annotators),
        "adjudicator": contract.adjudicator.username if contract.adjudicator else "",
    }
    return said if contract.adjudicator else {**said, "agreed": True}


def guidelines_now(project: Project) -> dict[str, int]:
    """The version in force of each guideline, by the address of its topic."""
    found = Guideline.objects.current(project).values_list("topic", "version")
    return {topic or GENERAL: version for topic, version in found}
