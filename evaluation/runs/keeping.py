"""Keeping what steps gave: many cases in one transaction, and only of cases that are still held."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models.functions import Now

from evaluation.models import Case, Judgement, StageResult
from evaluation.models.inserting import insert
from evaluation.runs.cases import CaseWork, Stage
from evaluation.runs.claiming import held_of

_JUDGEMENT = ("case_id", "constraint_id", "judgement", "by", "quote", "why")


def keep(worker: str, works: Sequence[CaseWork]) -> list[CaseWork]:
    """Append the new stages of the works and close those that ended; inside a transaction.

    Returns the works that this worker still holds. Of the others, whose lease another worker has
    now, nothing is written: what that worker keeps holds.
    """
    held = held_of(worker, [work.pk for work in works])
    mine = [work for work in works if work.pk in held]
    rows = [(work.pk, stage, _content(work, stage)) for work in mine for stage in work.unkept]
    # By the database's clock, as the registration of rules is: it tells which was first.
    names = ("case_id", "stage", "content")
    insert(StageResult, rows, names=names, on_conflict="DO NOTHING", now="created_at")
    judged = [work for work in mine if Stage.JUDGE in work.unkept]
    insert(Judgement, (row for work in judged for row in _judgements(work)), names=_JUDGEMENT)
    _close([work for work in mine if work.status])
    _count([work for work in mine if not work.status])
    return mine


def _content(work: CaseWork, stage: str) -> dict[str, Any]:
    content = work.done[stage]
    if stage != Stage.JUDGE:
        return content
    return {key: value for key, value in content.items() if key != "judgements"}


def _judgements(work: CaseWork) -> list[tuple[Any, ...]]:
    return [
        (
            work.pk,
            work.constraints[row["constraint"]],
            *(row[name] for name in ("judgement", "by", "quote", "why")),
        )
        for row in work.done[Stage.JUDGE]["judgements"]
    ]


def _close(works: Sequence[CaseWork]) -> None:
    alike: dict[tuple[bool, str, str, int, bool], list[int]] = defaultdict(list)
    for work in works:
        computed = work.failed or bool(work.unkept)
        alike[work.failed, work.status, work.error, len(work.done), computed].append(work.pk)
    for (failed, status, error, stages, computed), pks in alike.items():
        Case.objects.filter(pk__in=pks).update(
            state=Case.State.FAILED if failed else Case.State.DONE,
            status=status,
            error=error,
            stages_done=stages,
            leased_until=None,
            # What was taken over whole took no time, so it says nothing about the pace.
            closed_at=Now() if computed else None,
        )


def _count(works: Sequence[CaseWork]) -> None:
    alike: dict[int, list[int]] = defaultdict(list)
    for work in works:
        alike[len(work.done)].append(work.pk)
    for stages, pks in alike.items():
        Case.objects.filter(pk__in=pks).update(stages_done=stages)
