"""Celery tasks of suite runs: each gets an id, calls one function, and leaves every decision to the
rows.
"""

from celery import shared_task
from celery.signals import worker_ready

from annotation.processes import is_gone, process_name
from evaluation.models import SuiteRun
from evaluation.suites.execution import work

SECONDS_PER_TASK = 60.0
_GO_ON_S = 0.2


@shared_task(name="evaluation.work_on_suite")
def work_on_suite(run_id: int) -> None:
    """Work on a suite run for a slice of time, so that other work gets its turn, then send word
    again. Where another worker has the run, there is nothing to do.
    """
    if work(run_id, worker=process_name(), seconds=SECONDS_PER_TASK):
        work_on_suite.apply_async([run_id], countdown=_GO_ON_S)


@shared_task(name="evaluation.sweep_suites")
def sweep_suites() -> None:
    """Send the suite runs on which nobody works to the workers again: the message that should have
    done so may be lost, or its worker was killed.
    """
    for run_id in unattended():
        work_on_suite.delay(run_id)


def unattended() -> list[int]:
    """The runs that wait for a worker, with those whose process ended on this machine."""
    silent = set(SuiteRun.objects.unattended().values_list("pk", flat=True))
    held = SuiteRun.objects.filter(state=SuiteRun.State.RUNNING).exclude(worker="")
    gone = {pk for pk, worker in held.values_list("pk", "worker") if is_gone(worker)}
    return sorted(silent | gone)


@worker_ready.connect
def sweep_at_start(**_kwargs: object) -> None:
    """Whatever a killed worker left goes on now, without waiting for the scheduler."""
    sweep_suites.delay()
