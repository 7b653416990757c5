"""Working on a suite run: the rows that are missing are computed and kept, a batch a transaction.

One worker has the run at a time. This thread alone touches the database; rows are computed beside
it, side by side where a part calls out.
"""

import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.generation.errors import EndpointAway
from evaluation.models import SuiteRow, SuiteRun
from evaluation.models.inserting import insert
from evaluation.pipelines.base import Entry
from evaluation.runs.claiming import lease
from evaluation.runs.code import code_sha256
from evaluation.suites.concluding import conclude
from evaluation.suites.kit import RUN_FAULTS, Bench
from evaluation.suites.leases import give_back, hold, take
from evaluation.suites.reading import Material, read_material, rows_there
from evaluation.suites.takeovers import MOST_AT_ONE_ROW, taken_over
from evaluation.suites.trials import Trial, missing
from evaluation.suites.waiting import Waiting

log = logging.getLogger(__name__)

GIVEN_UP = (
    "%(n)d workers in a row ended at the same row before it did: the machine may lack memory for "
    "one of the pipelines. The log of the worker says more; go on when that is mended."
)
BATCH = 32
_TICK_S = 0.25
_KEEP_S = 1.0
_LOOK_S = 1.0


class Lost(Exception):
    """The run was cancelled, or another worker has it: nothing more of it is written here."""


def work(
    run_id: int, *, worker: str, seconds: float, report: Callable[[], None] | None = None
) -> bool:
    """Work on the run for at most about `seconds`; return True if rows are left for this worker.

    Doing nothing is right when the run is over, or another worker has it.
    """
    run = SuiteRun.objects.select_related("project", "corpus").get(pk=run_id)
    before = run.worker
    if run.is_over or not take(run, worker):
        log.info("suite run %s is %s: nothing to do", run_id, run.state)
        return False
    try:
        if before not in ("", worker) and taken_over(run):
            _fail(run, worker, GIVEN_UP % {"n": MOST_AT_ONE_ROW})
            return False
        return _worked(run, worker, time.monotonic() + seconds, report or (lambda: None))
    except Lost:
        return False
    except RUN_FAULTS as fault:
        _fail(run, worker, str(fault))
    except EndpointAway as fault:
        _fail(run, worker, f"{fault.what} The run waited and stopped: go on when it is back.")
    finally:
        give_back(run, worker)
    return False


def _worked(run: SuiteRun, worker: str, end: float, report: Callable[[], None]) -> bool:
    if run.content["code"]["sha256"] != code_sha256():
        _fail(run, worker, "The code of this worker is not the code of this run: start a new one.")
        return False
    material = read_material(run)
    trials = missing(material.trials(run.content), rows_there(run))
    if trials:
        bench = Bench(run)
        if not hold(run, worker, preparing=True):
            raise Lost
        bench.prepare()
        if Worker(run, worker, bench, material, report).until(end, trials):
            return True
    if not hold(run, worker):
        raise Lost
    conclude(run, worker)
    return False


class Worker:
    """One process at work on one run."""

    def __init__(
        self,
        run: SuiteRun,
        name: str,
        bench: Bench,
        material: Material,
        report: Callable[[], None],
    ) -> None:
        self._run = run
        self._name = name
        self._bench = bench
        self._material = material
        self._report = report
        self._waiting = Waiting(run)
        self._made: list[tuple[Trial, dict[str, Any]]] = []
        self._keep_at = self._look_at = 0.0

    def until(self, end: float, trials: list[Trial]) -> bool:
        """Compute trials until `end` (by the monotonic clock), finish what is begun, and return
        whether any are left. What was made is kept whatever ends this.
        """
        todo = deque(trials)
        with ThreadPoolExecutor(self._bench.lanes, thread_name_prefix="suite") as pool:
            under_way: dict[Future[dict[str, Any]], Trial] = {}
            try:
                while self._goes_on(todo, under_way, end):
                    self._submit(pool, todo, under_way, end)
                    for trial in self._take_in(under_way):
                        todo.appendleft(trial)
                    self._keep_in_time()
            except BaseException as fault:
                pool.shutdown(wait=False, cancel_futures=True)
                if not isinstance(fault, Lost):
                    self._keep()
                raise
        self._keep()
        if not todo:
            self._waiting.forget()
        return bool(todo)

    def _goes_on(self, todo: Any, under_way: Any, end: float) -> bool:
        return bool(under_way) or (bool(todo) and time.monotonic() < end)

    def _submit(
        self,
        pool: ThreadPoolExecutor,
        todo: deque[Trial],
        under_way: dict[Future[dict[str, Any]], Trial],
        end: float,
    ) -> None:
        now = time.monotonic()
        if self._waiting.waits(now):
            if not under_way:
                time.sleep(_TICK_S)
            return
        while todo and now < end and len(under_way) < 2 * self._bench.lanes:
            trial = todo.popleft()
            under_way[pool.submit(self._bench.row, trial.pipeline, self._entry(trial))] = trial

    def _take_in(self, under_way: dict[Future[dict[str, Any]], Trial]) -> list[Trial]:
        """Keep in hand what ended; return the trials that an absent endpoint sent back."""
        back: list[Trial] = []
        done, _ = wait(under_way, timeout=_TICK_S, return_when=FIRST_COMPLETED)
        for future in done:
            trial = under_way.pop(future)
            try:
                self._made.append((trial, future.result()))
            except EndpointAway as fault:
                back.append(trial)
                self._waiting.away(fault)
        return back

    def _entry(self, trial: Trial) -> Entry:
        """The trial with its texts. A pipeline sees no other wording of the request than these."""
        request = self._material.requests[trial.request]
        shown = self._material.texts[trial.request, trial.shown]
        searched = self._material.texts[trial.request, trial.searched]
        return Entry(
            type(request)(request.id, shown, request.turns, request.reference_date), shown, searched
        )

    def _keep_in_time(self) -> None:
        now = time.monotonic()
        if len(self._made) >= BATCH or (self._made and now >= self._keep_at):
            self._keep()
        elif now >= self._look_at and not hold(self._run, self._name):
            raise Lost
        if now >= self._look_at:
            self._look_at = now + min(_LOOK_S, lease().total_seconds() / 4)

    def _keep(self) -> None:
        """Write what was made, if the run is still this worker's, in one transaction."""
        made, self._made = self._made, []
        self._keep_at = time.monotonic() + _KEEP_S
        if not made:
            return
        ids = self._material.ids
        with transaction.atomic():
            if not hold(self._run, self._name):
                raise Lost
            rows = [(ids[trial.request], trial.key, content) for trial, content in made]
            insert(
                SuiteRow,
                rows,
                names=("request_id", "key", "content"),
                on_conflict="DO NOTHING",
                now="created_at",
                run=self._run,
            )
        if any(content["status"] != "failed" for _trial, content in made):
            self._waiting.forget()
        self._report()


def _fail(run: SuiteRun, worker: str, reason: str) -> None:
    """Stop the run, unless another worker has it by now."""
    mine = SuiteRun.objects.filter(pk=run.pk, state=SuiteRun.State.RUNNING, worker=worker)
    mine.update(state=SuiteRun.State.FAILED, error=reason, notice="", finished_at=timezone.now())
