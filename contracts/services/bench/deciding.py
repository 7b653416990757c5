"""Deciding: each difference once, with its reason; everything can be undone until the contract is
approved.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Person
from annotation.services.projects import Refused
from contracts.checking import faults_of_constraint
from contracts.differences import AMBIGUITY, Difference
from contracts.merging import CannotMerge, merged
from contracts.models import Adjudication, Decision
from contracts.services.bench.holding import own_open
from contracts.services.bench.rows import Row, rows_of, undecided
from contracts.terms import Ambiguity, ConstraintTerms

Take = Decision.Take


@transaction.atomic
def decide(
    *,
    actor: Person,
    adjudication: Adjudication,
    item: str,
    take: str,
    edited: dict[str, Any] | None = None,
    note: str = "",
) -> Decision:
    """Settle one difference; deciding it again replaces the decision until the contract is
    approved.
    """
    own_open(actor, adjudication)
    difference, _made = _row(adjudication, item)
    result = _result(adjudication, difference, take, edited)
    decision, _created = Decision.objects.update_or_create(
        adjudication=adjudication,
        item=item,
        defaults={
            "take": take,
            "result": result,
            "note": note.strip(),
            "input_sha256": difference.sha256,
            "changed": False,
        },
    )
    return decision


@transaction.atomic
def confirm(*, actor: Person, adjudication: Adjudication, item: str) -> Decision:
    """Let a decision stand although a sheet under it changed. Where the reviewer it took has it
    otherwise now, what was decided holds, as an edited form.
    """
    own_open(actor, adjudication)
    difference, decision = _row(adjudication, item)
    if decision is None or not decision.changed:
        raise Refused(_("There is no decision here that waits to be confirmed."))
    if decision.take in (Take.A, Take.B, Take.MERGE) and decision.result != _as_taken(
        difference, decision.take
    ):
        decision.take = Take.EDIT
    decision.changed, decision.input_sha256 = False, difference.sha256
    decision.save(update_fields=["take", "changed", "input_sha256", "decided_at"])
    return decision


@transaction.atomic
def take_all(*, actor: Person, adjudication: Adjudication, side: str) -> int:
    """Settle every undecided difference as one reviewer has it, as one step; return how many
    there were.
    """
    own_open(actor, adjudication)
    if side not in (Take.A, Take.B):
        raise Refused(_("Choose whose sheet to take: A or B."))
    open_rows = undecided(adjudication)
    decisions = [_taken(adjudication, difference, side) for difference in open_rows]
    Decision.objects.bulk_create(
        decisions,
        update_conflicts=True,
        unique_fields=["adjudication", "item"],
        update_fields=["take", "result", "input_sha256", "changed", "decided_at"],
    )
    # One moment for all of them: that is what makes them one step.
    items = [difference.item for difference in open_rows]
    adjudication.decisions.filter(item__in=items).update(decided_at=timezone.now())
    return len(items)


@transaction.atomic
def take_back_last(*, actor: Person, adjudication: Adjudication) -> None:
    """Undo the last step: one decision, or all that were taken together."""
    own_open(actor, adjudication)
    last = adjudication.decisions.order_by("-decided_at").first()
    if last is None:
        raise Refused(_("There is no decision to undo."))
    adjudication.decisions.filter(decided_at=last.decided_at).delete()


@transaction.atomic
def write_note(*, actor: Person, adjudication: Adjudication, item: str, note: str) -> None:
    """Give a decision its note; the decision and its place in the order of steps stay as they
    are.
    """
    own_open(actor, adjudication)
    if not adjudication.decisions.filter(item=item).update(note=note.strip()):
        raise Refused(_("Decide this difference before you write a note on it."))


@transaction.atomic
def give_reason(*, actor: Person, adjudication: Adjudication, item: str, reason: str) -> None:
    """Say why the reviewers differed, in one word; the same word again takes it away."""
    own_open(actor, adjudication)
    if reason not in Decision.Reason.values:
        raise Refused(_("Choose guideline gap, slip, reading or other."))
    decision = adjudication.decisions.filter(item=item).first()
    if decision is None:
        raise Refused(_("Decide this difference before you say why they differed."))
    now = "" if decision.reason == reason else reason
    adjudication.decisions.filter(pk=decision.pk).update(reason=now)


@transaction.atomic
def write_rewrites(*, actor: Person, adjudication: Adjudication, rewrites: Sequence[str]) -> None:
    """Keep the wordings of the whole request that say the same, for the contract."""
    own_open(actor, adjudication)
    kept = list(dict.fromkeys(text.strip() for text in rewrites if text.strip()))
    Adjudication.objects.filter(pk=adjudication.pk).update(admissible_rewrites=kept)
    adjudication.admissible_rewrites = kept


def _row(adjudication: Adjudication, item: str) -> Row:
    found = next((row for row in rows_of(adjudication) if row[0].item == item), None)
    if found is None or found[0].agreed:
        raise Refused(_("There is no such difference between the two sheets."))
    return found


def _taken(adjudication: Adjudication, difference: Difference, side: str) -> Decision:
    has = (difference.a if side == Take.A else difference.b) is not None
    take = side if has else Take.REJECT
    return Decision(
        adjudication=adjudication,
        item=difference.item,
        take=take,
        result=_as_taken(difference, take),
        input_sha256=difference.sha256,
        changed=False,
    )


def _result(
    adjudication: Adjudication,
    difference: Difference,
    take: str,
    edited: dict[str, Any] | None,
) -> dict[str, Any] | None:
    if take == Take.EDIT:
        return _edited(adjudication, difference, edited or {})
    if take == Take.MERGE:
        try:
            return merged(difference)
        except CannotMerge as refusal:
            raise Refused(_(str(refusal))) from refusal
    if take not in Take.values:
        raise Refused(_("Choose A, B, merge, an edited form, or “no such constraint”."))
    if take != Take.REJECT and (difference.a if take == Take.A else difference.b) is None:
        raise Refused(_("That reviewer has no such constraint: choose “no such constraint”."))
    return _as_taken(difference, take)


def _as_taken(difference: Difference, take: str) -> dict[str, Any] | None:
    """What holds when this difference is settled so, without anything of the adjudicator's own."""
    if take == Take.REJECT:
        return Ambiguity().to_json() if difference.item == AMBIGUITY else None
    if take == Take.MERGE:
        try:
            return merged(difference)
        except CannotMerge:
            return None
    side = difference.a if take == Take.A else difference.b
    if side is None or difference.item == AMBIGUITY:
        mark: dict[str, Any] | None = side
        return mark
    settled: dict[str, Any] = side.to_json()
    return settled


def _edited(
    adjudication: Adjudication, difference: Difference, edited: dict[str, Any]
) -> dict[str, Any]:
    if difference.item == AMBIGUITY:
        return Ambiguity(
            bool(edited.get("unresolved")), tuple(edited.get("readings") or ())
        ).to_json()
    base: ConstraintTerms = difference.a or difference.b
    constraint = ConstraintTerms.from_json({**base.to_json(), **edited})
    faults = faults_of_constraint(constraint, adjudication.request.texts)
    if faults:
        raise Refused("\n".join(faults))
    return constraint.to_json()
