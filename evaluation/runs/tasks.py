"""Celery tasks: each gets an id, calls one function, and leaves every decision to the rows."""

import math
import time

from celery import shared_task
from celery.signals import worker_init, worker_ready, worker_shutdown

from annotation.processes import process_name
from evaluation.models import Run
from evaluation.reports.charts.warming import draw_ahead
from evaluation.runs import generation
from evaluation.runs.conclusion import conclude, judged_since
from evaluation.runs.execution import has_work_for_others, work
from evaluation.runs.leases import free_abandoned

SECONDS_PER_TASK = 45.0
# Who found nothing to do, because others have all that is left, looks again less often.
_GO_ON_S, _LOOK_AGAIN_S = 0.2, 2.0

# When this process last ended a slice of work on a run.
_worked_at: dict[int, float] = {}


@shared_task(name="evaluation.work_on_run")
def work_on_run(run_id: int, continued: bool = False) -> None:
    """Work on a run for a slice of time, so that other work gets its turn, then send word again.

    A process that joins sends one message more: one that is idle takes it and joins in turn, and
    while none is, it waits. So a run has as many workers as there are, however many machines.
    """
    joins = time.monotonic() - _worked_at.get(run_id, -math.inf) > SECONDS_PER_TASK
    if joins and not continued and has_work_for_others(run_id):
        work_on_run.delay(run_id)
    began = time.monotonic()
    left = work(run_id, worker=process_name(), seconds=SECONDS_PER_TASK)
    _worked_at[run_id] = time.monotonic()
    if left:
        busy = _worked_at[run_id] - began >= SECONDS_PER_TASK
        wait = _GO_ON_S if busy else _LOOK_AGAIN_S
        work_on_run.apply_async([run_id], {"continued": True}, countdown=wait)
    else:
        _worked_at.pop(run_id, None)
        draw_charts.delay(run_id)


@shared_task(name="evaluation.conclude_run")
def conclude_run(run_id: int) -> None:
    conclude(run_id)
    draw_charts.delay(run_id)


@shared_task(name="evaluation.draw_charts")
def draw_charts(run_id: int) -> None:
    """Draw what the verdict page will show, once the verdicts stand: a task of its own, so that no
    run fails with it. Lost or done twice, it costs the first reader a second, or nothing.
    """
    draw_ahead(run_id)


@shared_task(name="evaluation.sweep_runs")
def sweep_runs() -> None:
    """Send the runs on which nobody works to the workers again, and those whose results are older
    than what people judged: the message that should have done so may be lost.
    """
    free_abandoned()
    for run in judged_since():
        if not run.notice:  # what could not be computed is not tried again every few minutes
            conclude_run.delay(run.pk)
    for run_id in Run.objects.unattended().values_list("pk", flat=True):
        work_on_run.delay(run_id)


@worker_init.connect
def serve_bundled_model(**_kwargs: object) -> None:
    """Before the worker forks: its children inherit the address of the bundled model."""
    generation.start_bundled()


@worker_ready.connect
def sweep_at_start(**_kwargs: object) -> None:
    """Whatever a killed worker left goes on now, without waiting for the scheduler."""
    sweep_runs.delay()


@worker_shutdown.connect
def stop_bundled_model(**_kwargs: object) -> None:
    generation.stop_bundled()
