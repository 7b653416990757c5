"""Contracts come to stand: approved, versioned, hashed, never changed."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from annotation.models import Person, Request
from annotation.services import ledger
from contracts.models import Constraint, Contract
from contracts.terms import ContractTerms


@transaction.atomic
def record_contract(
    *,
    actor: Person,
    request: Request,
    terms: ContractTerms,
    annotators: Sequence[Person],
    adjudicator: Person,
    version: int | None = None,
) -> Contract:
    """Write the next version of the request's contract, its constraint rows and its ledger
    entry. `version` is given for a first contract that comes from elsewhere.
    """
    previous = request.contracts.order_by("-version").first()
    contract = Contract.objects.create(
        request=request,
        version=previous.version + 1 if previous else version or 1,
        content=terms.to_json(),
        sha256=terms.sha256,
        unresolved=terms.ambiguity.unresolved,
        adjudicator=adjudicator,
        supersedes=previous,
        approved_at=timezone.now(),
    )
    contract.annotators.set(annotators)
    Constraint.objects.bulk_create(Constraint.rows(terms, contract=contract))
    ledger.record(
        project=request.project,
        kind="contract.approved",
        subject=request.key,
        content={
            "version": contract.version,
            "sha256": contract.sha256,
            "annotators": sorted(person.username for person in annotators),
            "adjudicator": adjudicator.username,
        },
        actor=actor,
    )
    return contract
