"""Working on a run: cases are claimed in batches, computed in lanes, and kept as they come.

Any number of workers may call `work` on the same run; rows decide who has which case. This thread
alone touches the database, many cases in one transaction; what is slow happens in the lanes.
"""

import logging
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db import (
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.utils import timezone

from evaluation.gates import GateSettingsError, most_connections
from evaluation.generation.errors import EndpointAway, EndpointQuotaSpent
from evaluation.generation.local import LocalServerError
from evaluation.models import Run
from evaluation.registry import PartError
from evaluation.runs.building import lanes_wanted, steps_of
from evaluation.runs.cases import CaseWork
from evaluation.runs.claiming import blame, claim, lease, put_back, renew
from evaluation.runs.code import code_sha256
from evaluation.runs.conclusion import conclude
from evaluation.runs.frozen import run_without_requests
from evaluation.runs.inputs import read_inputs
from evaluation.runs.keeping import keep
from evaluation.runs.lanes import BATCH, Event, Lanes, Stepped
from evaluation.runs.parts import ConditionsChanged
from evaluation.runs.patience import Patience
from evaluation.runs.reading import Texts, read_works
from evaluation.runs.sharing import Ended, Paid, Question, RunCalls
from evaluation.runs.takeover import Takeover

log = logging.getLogger(__name__)

# With these no case of the run can be run: they end it with their sentence.
RUN_FAULTS = (
    PartError,
    ConditionsChanged,
    LocalServerError,
    EndpointQuotaSpent,
    GateSettingsError,
)

T = TypeVar("T")

_TICK_S = 0.05
_ASK_AGAIN_S = 0.5
_LOOK_AGAIN_S = 1.0
# So long cases are computed in this thread before what they gave is kept and leases are renewed.
_AT_ONCE_S = 1.0
# So long cases that ended may wait to be kept beside others.
_ASIDE_S = 0.05
# How long to wait for a database that is restarted; the results are held meanwhile.
_DATABASE_PATIENCE_S = 30.0


def work(
    run_id: int, *, worker: str, seconds: float, report: Callable[[], None] | None = None
) -> bool:
    """Work on the run's cases for at most about `seconds`; return True if cases are left.

    Doing nothing is right when the run is over or paused.
    """
    run = run_without_requests(run_id)
    if not run.is_worked_on:
        log.info("run %s is %s: nothing to do", run_id, run.state)
        return False
    Run.objects.filter(pk=run.pk, state=Run.State.QUEUED).update(state=Run.State.RUNNING)
    if run.conditions.content["code"]["sha256"] != code_sha256():
        _fail(run, "The code of this worker is not the code of these Conditions: freeze new ones.")
        return False
    try:
        if run.cases.claimable().exists():  # else others have them all, or none is left
            with Worker(run, worker, report) as at_work:
                at_work.until(time.monotonic() + seconds)
    except RUN_FAULTS as fault:
        _fail(run, str(fault))
        return False
    except EndpointAway as fault:
        _fail(run, f"{fault.what} The run waited and stopped: resume it when the endpoint is back.")
        return False
    run.refresh_from_db(fields=["state"])
    if not run.is_worked_on:
        return False
    if run.cases.open().exists():
        return True
    conclude(run.pk)
    return False


def has_work_for_others(run_id: int) -> bool:
    """Whether the run has more cases waiting than one process takes at a time."""
    run = Run.objects.filter(pk=run_id, state__in=Run.WORKED_ON).first()
    return run is not None and run.cases.claimable()[BATCH : BATCH + 1].exists()


class Worker:
    """One process at work on one run. Whatever ends it, what it holds is given back at once."""

    def __init__(self, run: Run, name: str, report: Callable[[], None] | None) -> None:
        self.run = run
        self.name = name
        self._report = report or (lambda: None)
        steps = steps_of(run)
        steps.prepare()
        self._calls = RunCalls(run, name, most=most_connections(os.environ))
        self._texts = Texts(run.conditions.corpus)
        self._inputs = read_inputs(run)
        self._takeover = Takeover(run)
        self._patience = Patience(run)
        self._held: dict[int, CaseWork] = {}
        self._ready: deque[CaseWork] = deque()
        self._aside: list[Stepped] = []
        self._claim_at = self._look_at = self._aside_until = 0.0
        self._renew_at = time.monotonic() + lease().total_seconds() / 4
        self._lanes = Lanes(steps, lanes_wanted(run))
        self._most = 2 * self._lanes.count or BATCH

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, _kind: Any, fault: BaseException | None, _trace: Any) -> None:
        self._lanes.stop()
        self._calls.stop()
        self._give_back(list(self._held.values()))
        if fault is not None:
            self._patiently(self._calls.give_up)
            if not isinstance(fault, EndpointAway):
                self._patiently(self._patience.forget)

    def until(self, end: float) -> None:
        """Claim and compute until `end` (by the monotonic clock), then finish what is begun."""
        while True:
            now = time.monotonic()
            if now >= self._look_at:
                self._look_at = now + _LOOK_AGAIN_S
                end = end if self._is_worked_on() else now
            if now >= end:
                self._give_back(list(self._ready))
                self._ready.clear()
            elif self._wants_more(now):
                self._claim(now)
            if not self._held:
                if now >= end or not self._patience.waits(now):
                    return
                time.sleep(_TICK_S)
                continue
            if now >= self._renew_at:
                self._renew_at = now + lease().total_seconds() / 4
                self._patiently(lambda: renew(self.run, self.name))
            self._submit(now)
            self._take_in(self._lanes.events(_TICK_S if self._lanes.count else 0.0))

    def _submit(self, now: float) -> None:
        while self._ready and self._lanes.free and not self._patience.waits(now):
            self._lanes.submit(self._ready.popleft())
            if time.monotonic() - now >= _AT_ONCE_S:
                return

    def _wants_more(self, now: float) -> bool:
        if self._patience.waits(now) or any(work.alone for work in self._held.values()):
            return False
        return len(self._held) <= self._most // 2 and (not self._held or now >= self._claim_at)

    def _claim(self, now: float) -> None:
        wanted = self._most - len(self._held)
        cases = self._patiently(
            lambda: claim(self.run, self.name, most=wanted, holding=self._held.keys())
        )
        if not cases:
            self._claim_at = now + _ASK_AGAIN_S
            return
        self._patiently(lambda: self._takeover.copy(cases))
        for work in self._patiently(lambda: read_works(self.run, cases, self._inputs)):
            self._held[work.pk] = work
            self._ready.append(work)

    def _take_in(self, events: Sequence[Event]) -> None:
        """Keep what steps gave, answer what lanes ask, and send on what can go on."""
        steps = [event for event in events if isinstance(event, Stepped)]
        told = [event for event in events if not isinstance(event, Stepped)]
        self._calls.ask([event for event in told if isinstance(event, Question)])
        going = [step.work for step in steps if step.fault is None]
        if any(step.went_through for step in steps):
            self._patiently(self._patience.forget)
        self._keep(self._due(steps), told)
        for step in steps:
            if step.fault is not None:
                self._stumbled(step.work, step.fault)
        on = [work for work in going if work.pk in self._held and not work.status]
        if on:
            self._patiently(lambda: self._texts.give(on))
            self._ready.extendleft(reversed(on))

    def _due(self, steps: Sequence[Stepped]) -> list[Stepped]:
        """Return the steps that are to be kept now. Those that can wait are kept many at a time:
        the calls that wait for the others are let go the sooner.
        """
        due = [step for step in steps if not step.can_wait]
        self._aside += [step for step in steps if step.can_wait]
        is_time = time.monotonic() >= self._aside_until or len(self._aside) >= BATCH
        if is_time or any(step.fault is not None for step in steps):
            due += self._aside
            self._aside = []
            self._aside_until = time.monotonic() + _ASIDE_S
        return due

    def _keep(self, steps: Sequence[Stepped], told: Sequence[Question | Paid]) -> None:
        """Write the stages and the calls in one transaction; then nothing of them can be lost."""
        works = [step.work for step in steps if step.has_to_be_kept]
        books = [step.book for step in steps if step.book is not None]
        ended: list[Ended] = [*books, *told]
        used = any(calls.kept or calls.dropped for calls in ended)
        if not works and not used and not self._calls.has_to_look:
            return
        try:
            mine = self._written(works, ended)
        except (DataError, IntegrityError):
            mine = [work for step in steps for work in self._kept_alone(step)]
            for calls in told:
                self._told_alone(calls)
        self._calls.tell()
        lost = {work.pk for work in works} - {work.pk for work in mine}
        for work in works:
            work.kept = len(work.done)
            work.has_paid = False
            if work.status or work.pk in lost:
                self._held.pop(work.pk, None)
        if any(work.status for work in mine):
            self._report()

    def _written(self, works: Sequence[CaseWork], ended: Sequence[Ended]) -> list[CaseWork]:
        """Write, and return the works that this worker still holds."""

        def write() -> list[CaseWork]:
            try:
                with transaction.atomic():
                    mine = keep(self.name, works)
                    self._calls.settle(ended)
                    self._calls.reserve()
            except BaseException:
                self._calls.ask_again()
                raise
            return mine

        return self._patiently(write)

    def _kept_alone(self, step: Stepped) -> list[CaseWork]:
        """Write one step. What the database does not take, such as a score that is no number, ends
        its case and no other.
        """
        works = [step.work] if step.has_to_be_kept else []
        ended = [step.book] if step.book is not None else []
        try:
            return self._written(works, ended)
        except (DataError, IntegrityError) as fault:
            log.exception("what case %s gave cannot be stored", step.work.pk)
            why = f"what this case gave cannot be stored ({type(fault).__name__})"
            for work in works:
                work.spoil(f"{why}: the log says more.")
            for book in ended:
                book.drop_all()
            return self._written(works, ended)

    def _told_alone(self, calls: Question | Paid) -> None:
        """Write what one lane told. A reply that the database does not take is not shared."""
        try:
            self._written([], [calls])
        except (DataError, IntegrityError):
            log.exception("a reply cannot be stored")
            self._written([], [Paid({}, [*calls.kept, *calls.dropped])])

    def _stumbled(self, work: CaseWork, fault: BaseException) -> None:
        """What was no outcome of the case: wait for the endpoint, or stop working on the run."""
        if isinstance(fault, EndpointAway):
            self._ready.appendleft(work)
            self._patiently(lambda: self._patience.away(fault))
            return
        if not isinstance(fault, RUN_FAULTS):
            del self._held[work.pk]
            error = f"{type(fault).__name__}: {fault}"
            self._patiently(lambda: blame(self.name, work.pk, error, was_alone=work.alone))
        raise fault

    def _give_back(self, works: Sequence[CaseWork]) -> None:
        if works:
            pairs = [(work.pk, work.alone) for work in works]
            self._patiently(lambda: put_back(self.name, pairs))
            for work in works:
                self._held.pop(work.pk, None)

    def _is_worked_on(self) -> bool:
        rows = Run.objects.filter(pk=self.run.pk, state__in=Run.WORKED_ON)
        return self._patiently(rows.exists)

    def _patiently(self, act: Callable[[], T]) -> T:
        """Do what needs the database, again and again while that is being restarted."""
        until = time.monotonic() + _DATABASE_PATIENCE_S
        while True:
            try:
                return act()
            except (OperationalError, InterfaceError):
                if connection.in_atomic_block or time.monotonic() >= until:
                    raise
                log.warning("the database is away; trying again", exc_info=True)
                connection.close()
                time.sleep(_ASK_AGAIN_S)


def _fail(run: Run, reason: str) -> None:
    Run.objects.filter(pk=run.pk, state__in=Run.WORKED_ON).update(
        state=Run.State.FAILED, error=reason, notice="", finished_at=timezone.now()
    )
