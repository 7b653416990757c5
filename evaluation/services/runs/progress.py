"""How far a run is, from its rows alone: by arm and stage, how fast, and how long it may take."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.services.ledger import database_time
from evaluation.models import Case, Run, StageResult
from evaluation.services.runs.estimating import WINDOW_SECONDS, Pace, rounded, seconds_left

STAGES = tuple(StageResult.Stage.values)
State = Case.State

_ABOUT = {
    "days": gettext_lazy("about %(n)d days"),
    "hours": gettext_lazy("about %(n)d hours"),
    "minutes": gettext_lazy("about %(n)d minutes"),
    "seconds": gettext_lazy("about %(n)d seconds"),
}
_AT_MOST = {
    "days": gettext_lazy("at most about %(n)d days"),
    "hours": gettext_lazy("at most about %(n)d hours"),
    "minutes": gettext_lazy("at most about %(n)d minutes"),
    "seconds": gettext_lazy("at most about %(n)d seconds"),
}
_BETWEEN = {
    "days": gettext_lazy("about %(low)d to %(n)d days"),
    "hours": gettext_lazy("about %(low)d to %(n)d hours"),
    "minutes": gettext_lazy("about %(low)d to %(n)d minutes"),
    "seconds": gettext_lazy("about %(low)d to %(n)d seconds"),
}


@dataclass(frozen=True)
class ArmProgress:
    """The cases of one arm, or of all: how many of `total` ended how, and how many have the rows of
    each stage, in the order of `STAGES`.
    """

    arm: str
    total: int = 0
    done: int = 0
    failed: int = 0
    dead: int = 0
    stages: tuple[int, ...] = (0,) * len(STAGES)

    @property
    def lost(self) -> int:
        return self.failed + self.dead

    @property
    def closed(self) -> int:
        return self.done + self.lost

    def with_cases(self, n: int, state: str, stages_done: int) -> "ArmProgress":
        kept = len(STAGES) if state == State.DONE else stages_done
        return ArmProgress(
            self.arm,
            self.total + n,
            self.done + n * (state == State.DONE),
            self.failed + n * (state == State.FAILED),
            self.dead + n * (state == State.DEAD),
            tuple(count + n * (kept > i) for i, count in enumerate(self.stages)),
        )


@dataclass(frozen=True)
class Progress:
    """How far a run is. `recent` are the cases closed in the last minute by the database's clock,
    `workers` those with a case in hand. Without an `estimate`, `no_estimate` says why.
    """

    all: ArmProgress
    arms: tuple[ArmProgress, ...]
    by_arm: dict[str, dict[str, int]] = field(default_factory=dict)
    recent: int = 0
    workers: int = 0
    estimate: str | None = None
    no_estimate: str = ""

    @property
    def total(self) -> int:
        return self.all.total

    @property
    def done(self) -> int:
        return self.all.done

    @property
    def failed(self) -> int:
        return self.all.failed

    @property
    def dead(self) -> int:
        return self.all.dead

    @property
    def lost(self) -> int:
        return self.all.lost

    @property
    def closed(self) -> int:
        return self.all.closed

    @property
    def waiting(self) -> int:
        return self.total - self.closed

    @property
    def stages(self) -> tuple[tuple[str, int], ...]:
        return tuple(zip(STAGES, self.all.stages, strict=True))


def progress(run: Run) -> Progress:
    """Count the run's cases: two queries however many there are, besides asking for the time."""
    everything = ArmProgress("")
    arms: dict[str, ArmProgress] = {}
    by_arm: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    rows = run.cases.order_by().values_list("arm__name", "state", "stages_done")
    counted = rows.annotate(n=Count("pk"), made=Min("arm_id"))
    for name, state, stages_done, n, _made in sorted(counted, key=_in_order):
        everything = everything.with_cases(n, state, stages_done)
        arms[name] = arms.get(name, ArmProgress(name)).with_cases(n, state, stages_done)
        by_arm[name][state] += n
    told = {name: dict(states) for name, states in by_arm.items()}
    if not run.is_worked_on:
        return Progress(everything, tuple(arms.values()), told)
    now = database_time()
    pace, workers = _pace(run, now)
    estimate, why = _estimated(run, everything, pace, workers, now)
    return Progress(
        everything,
        tuple(arms.values()),
        told,
        recent=pace.cases,
        workers=workers,
        estimate=estimate,
        no_estimate=why,
    )


def _in_order(row: tuple[str, str, int, int, int]) -> tuple[bool, bool, int]:
    """The original first, then the human reference, then the candidates as they were made."""
    name, made = row[0], row[4]
    return name != "original", name != "human", made


def _pace(run: Run, now: datetime) -> tuple[Pace, int]:
    """What was closed within the window, and how many workers have a case in hand now."""
    recent = Q(closed_at__gte=now - timedelta(seconds=WINDOW_SECONDS))
    held = Q(state=State.RUNNING, leased_until__gte=now)
    found = run.cases.order_by().filter(recent | held).aggregate(
        cases=Count("pk", filter=recent),
        moments=Count("closed_at", filter=recent, distinct=True),
        first=Min("closed_at", filter=recent),
        last=Max("closed_at", filter=recent),
        workers=Count("lease_owner", filter=held, distinct=True),
    )  # fmt: skip
    workers = found.pop("workers")
    return Pace(**found), workers


def _estimated(
    run: Run, counted: ArmProgress, pace: Pace, workers: int, now: datetime
) -> tuple[str | None, str]:
    """The time left in words, or None with the reason."""
    waiting = counted.total - counted.closed
    if not waiting:
        return None, _("Every case is closed: the results are being computed.")
    if run.notice:
        return None, _("There is no estimate while the run waits.")
    if not workers and not pace.cases:
        return None, _("No worker is at work on this run, so there is no estimate.")
    if not pace.cases and counted.closed:
        return None, _("No case was closed in the last minute, so there is no estimate.")
    span = seconds_left(pace, waiting=waiting, now=now)
    if span is None:
        return None, _("There is no estimate yet: it takes 20 closed cases and 10 seconds.")
    return in_words(*span), ""


def in_words(low: float, high: float) -> str:
    """Say a range of seconds: “about 4 to 6 minutes”."""
    unit, fewest, most = rounded(low, high)
    if unit == "seconds" and most <= 60:
        return _("less than a minute")
    if fewest == most:
        return _ABOUT[unit] % {"n": most}
    if not fewest:
        return _AT_MOST[unit] % {"n": most}
    return _BETWEEN[unit] % {"low": fewest, "n": most}
