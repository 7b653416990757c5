"""How far people are with judging a run, in numbers with their denominators."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Person, Project
from annotation.services.still_open import still_open_to
from evaluation.models import Judgement, Run
from evaluation.models.judgements import JudgementQuerySet, wanted_by
from evaluation.services.judgements import finished_runs
from evaluation.services.showing import withheld_runs
from evaluation.services.two_people import agreement_of

LISTED = 5  # runs, the newest ones


@dataclass(frozen=True, slots=True)
class RunJudging:
    """What people judge in one run: `open` items that need a person and `drawn` ones that check the
    judge; `judged` of them all have their word. `mine` wait for the reader, `others` for somebody
    else. Nothing of a request that the reader may still annotate is counted. `agreement` is None
    while items wait for the reader, whom it might lead.
    """

    run: Run
    judging: str
    judges: int
    open: int
    drawn: int
    judged: int
    mine: int
    agreement: dict[str, Any] | None

    @property
    def total(self) -> int:
        return self.open + self.drawn

    @property
    def others(self) -> int:
        return self.total - self.judged - self.mine


def judging_of(*, actor: Person, project: Project) -> list[RunJudging]:
    """Return how far the newest finished runs are, as their reader sees it; a run that asks nothing
    of people is left out.
    """
    unseen = withheld_runs(actor=actor, project=project)
    runs = finished_runs(project)[:LISTED]
    found = [_judging(actor, run, withheld=run.pk in unseen) for run in runs]
    return [one for one in found if one.total]


def _judging(actor: Person, run: Run, *, withheld: bool) -> RunJudging:
    open_, decided, mine = _counted(actor, run, Judgement.objects.wanted(run))
    drawn = Judgement.objects.audited(run).exclude(wanted_by(run))
    checks, checked, mine_too = _counted(actor, run, drawn)
    waits = mine + mine_too
    told = run.judges > 1 and not waits and not withheld
    return RunJudging(
        run=run,
        judging=run.judging,
        judges=run.judges,
        open=open_,
        drawn=checks,
        judged=decided + checked,
        mine=waits,
        agreement=agreement_of(run) if told else None,
    )


def _counted(actor: Person, run: Run, rows: JudgementQuerySet) -> tuple[int, int, int]:
    """How many there are, how many are decided, and how many wait for the person."""
    said = Judgement.objects.filter(case=OuterRef("case"), constraint=OuterRef("constraint"))
    hidden = still_open_to(person=actor, project=run.project).order_by().values("pk")
    settled, own = Exists(said.by_people()), Exists(said.words().filter(person=actor))
    rows = rows.exclude(case__request__in=hidden).annotate(settled=settled, own=own)
    found = rows.order_by().aggregate(
        all=Count("pk"),
        judged=Count("pk", Q(settled=True)),
        mine=Count("pk", Q(settled=False, own=False)),
    )
    return found["all"], found["judged"], found["mine"]
