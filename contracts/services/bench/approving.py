"""Approving: what was agreed and what was decided becomes the Contract."""

from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Person, Project
from annotation.services import seats
from annotation.services.projects import Refused, lock
from annotation.services.seats import RETRACT_WITHIN
from contracts.checking import faults_of_terms
from contracts.differences import AMBIGUITY, differences
from contracts.models import Adjudication, Contract, Sheet
from contracts.services.approval import record_contract
from contracts.services.bench.holding import State, own_open
from contracts.services.bench.opening import in_places
from contracts.services.bench.rows import (
    Row,
    all_agree,
    farthest_pair,
    further_sheets,
    is_open,
    named,
    rows_of,
)
from contracts.services.bench.waiting import at_work, complete
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span


@transaction.atomic
def approve(*, actor: Person, adjudication: Adjudication) -> Contract:
    """Turn the decisions into the Contract; refused, naming it, while a difference is undecided."""
    lock(adjudication.request.project)
    adjudication.refresh_from_db()
    if adjudication.state == State.APPROVED and adjudication.adjudicator_id == actor.pk:
        return Contract.objects.get(adjudication=adjudication)
    own_open(actor, adjudication)
    if adjudication.request.contracts.exists():
        raise Refused(_("A contract of this request came in meanwhile: it stands as it is."))
    if adjudication.sent_back:
        raise Refused(_("A sheet went back to its reviewer: wait for it, or take it as it was."))
    _refuse_undecided(adjudication)
    terms = settled_terms(adjudication)
    faults = faults_of_terms(terms, adjudication.request.texts)
    if faults:
        raise Refused("\n".join(faults))
    two = [adjudication.sheet_a, adjudication.sheet_b]
    contract = record_contract(
        actor=actor,
        request=adjudication.request,
        terms=terms,
        annotators=[sheet.annotator for sheet in [*two, *further_sheets(adjudication)]],
        adjudicator=actor,
    )
    moved = Adjudication.objects.filter(pk=adjudication.pk, state=State.OPEN).update(
        state=State.APPROVED, contract=contract
    )
    if not moved:
        raise Refused(_("This adjudication was closed meanwhile."))
    return contract


def settled_terms(adjudication: Adjudication) -> ContractTerms:
    """What the sheets agree on together with what was decided, ids given anew in the order of the
    words.
    """
    return _terms(rows_of(adjudication), tuple(adjudication.admissible_rewrites))


def approve_agreed(project: Project) -> list[Contract]:
    """Approve, without an adjudicator, every request whose reviewers all sealed the same and can
    no longer take it back. Running it twice changes nothing more.
    """
    busy = set(at_work(project).values_list("request", flat=True))
    busy |= set(
        Adjudication.objects.filter(request__project=project, state=State.OPEN).values_list(
            "request", flat=True
        )
    )
    found = (
        _approve_agreed(project, sheets)
        for pk, sheets in complete(project).items()
        if pk not in busy and not _may_be_retracted(sheets) and all_agree(sheets)
    )
    return [contract for contract in found if contract]


@transaction.atomic
def _approve_agreed(project: Project, sheets: list[Sheet]) -> Contract | None:
    """The contract of one request; None when something else was done with it meanwhile."""
    lock(project)
    request, ids = sheets[0].request, [sheet.pk for sheet in sheets]
    standing = Sheet.objects.standing().filter(request=request, pk__in=ids).count()
    if standing != len(ids) or request.contracts.exists():
        return None
    if Adjudication.objects.filter(request=request, state=State.OPEN).exists():
        return None
    a, b = in_places(request, farthest_pair(sheets))
    terms = _terms([(difference, None) for difference in differences(a.terms, b.terms)])
    if faults_of_terms(terms, request.texts):
        return None  # somebody must look at it: it stays on the bench
    seats.mark_read(seats=request.seats.filter(sheets__in=ids))
    return record_contract(
        actor=None,
        request=request,
        terms=terms,
        annotators=[sheet.annotator for sheet in sheets],
        adjudicator=None,
    )


def _terms(rows: list[Row], rewrites: tuple[str, ...] = ()) -> ContractTerms:
    constraints: list[ConstraintTerms] = []
    ambiguity = Ambiguity()
    for difference, decision in rows:
        if difference.item == AMBIGUITY:
            settled = None if difference.agreed else decision
            mark = (settled.result if settled else None) or difference.a
            ambiguity = Ambiguity(mark["unresolved"], tuple(mark["readings"]))
        elif difference.agreed:
            constraints.append(difference.a)
        elif decision is not None and decision.result is not None:
            constraints.append(ConstraintTerms.from_json(decision.result))
    ordered = sorted(constraints, key=_by_words)
    numbered = tuple(replace(c, id=f"c{n}") for n, c in enumerate(ordered, start=1))
    return ContractTerms(numbered, ambiguity, rewrites)


def _refuse_undecided(adjudication: Adjudication) -> None:
    open_rows = [
        named(adjudication, difference, number)
        for number, (difference, decision) in enumerate(rows_of(adjudication), start=1)
        if is_open(difference, decision)
    ]
    if open_rows:
        raise Refused(
            ngettext(
                "%(count)d difference is undecided: number %(which)s.",
                "%(count)d differences are undecided: numbers %(which)s.",
                len(open_rows),
            )
            % {"count": len(open_rows), "which": "; ".join(open_rows)}
        )


def _may_be_retracted(sheets: list[Sheet]) -> bool:
    return max(sheet.sealed_at for sheet in sheets) > timezone.now() - RETRACT_WITHIN


def _by_words(c: ConstraintTerms) -> tuple[int, int, int, str]:
    span = c.span or Span(10**6, 0, 0)
    return (span.turn, span.start, span.end, c.kind)
