"""The audit of the judge: which of a run's sure judgements people check, and what a run's rows say
of who judged.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.db import transaction

from evaluation.models import AuditItem, Case, Judgement, Run
from evaluation.scoring.audit import Item, Sure, draw
from evaluation.scoring.protocol import AUDIT_PER_KIND, wants_person

_ROWS = 2000


def sample_of(run: Run) -> list[int]:
    """The ids of the judgements in the run's audit: those that were drawn, else those that would
    be. Nothing is written, and equal rows give an equal sample.
    """
    kept = AuditItem.objects.filter(judgement__case__run=run).order_by("judgement_id")
    found = list(kept.values_list("judgement_id", flat=True))
    if found:
        return found
    rules = run.protocol.content if run.protocol else {}
    per_kind = rules.get("audit_per_kind", AUDIT_PER_KIND)
    return draw(_sure(run), per_kind=per_kind, seed=rules.get("seed", 0))


@transaction.atomic
def keep_audit(*, run: Run, sample: Collection[int]) -> None:
    """Write the sample down unless the run has one. Whoever may meet another at it holds the run's
    row, as a conclusion does.
    """
    if AuditItem.objects.filter(judgement__case__run=run).exists():
        return
    AuditItem.objects.bulk_create(
        [AuditItem(judgement_id=pk) for pk in sorted(sample)], batch_size=500
    )


def unchecked(run: Run) -> int:
    """How many drawn judgements of the run no person has decided yet."""
    return Judgement.objects.audited(run).undecided().count()


def items_of(case: Case, *, judging: str, sample: Collection[int]) -> Iterator[Item]:
    """Everybody's word on each constraint of the case, whose judgements are at hand with their
    constraints; of a case that is not done or whose request is unresolved, nothing.
    """
    if case.state != Case.State.DONE or case.contract is None or case.contract.unresolved:
        return
    rows = sorted(case.judgements.all(), key=lambda row: row.pk)
    yield from items_of_words(
        rows,
        arm=case.arm.name,
        request_class=case.request.request_class.name,
        judging=judging,
        sample=sample,
    )


def items_of_words(
    rows: Sequence[Any], *, arm: str, request_class: str, judging: str, sample: Collection[int]
) -> Iterator[Item]:
    """The same from the rows of one case in their order, or from whatever has their attributes."""
    by_people: dict[int, list[Any]] = {}
    for row in rows:
        if row.person_id is not None and row.stands:
            by_people.setdefault(row.constraint_id, []).append(row)
    for row in rows:
        if row.person_id is None:
            people = by_people.get(row.constraint_id, [])
            yield Item(
                arm=arm,
                request_class=request_class,
                kind=row.constraint.kind,
                label=row.judgement,
                by=row.by,
                people=_told(people),
                decided=next((word.judgement for word in people if word.decides), None),
                wanted=wants_person(judging, critical=row.constraint.materiality == "critical"),
                drawn=row.pk in sample,
            )


def _told(people: Sequence[Any]) -> tuple[str, ...]:
    """The people's words; while none decides, only how many there are: whoever may judge the item
    next must not know them.
    """
    decided = any(word.decides for word in people)
    return tuple(word.judgement if decided else "" for word in people)


def _sure(run: Run) -> Iterator[Sure]:
    rows = (
        Judgement.objects.by_matcher()
        .exclude(judgement=Judgement.Outcome.UNSURE)
        .filter(case__run=run, case__state=Case.State.DONE, case__contract__unresolved=False)
        .order_by()
        .values_list(
            "pk",
            "case__request__key",
            "case__arm__name",
            "constraint__key",
            "constraint__kind",
            "by",
        )
    )
    for row in rows.iterator(chunk_size=_ROWS):
        yield Sure(*row)
