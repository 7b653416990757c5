"""Celery tasks: each gets an id, calls one function, and leaves every decision to the rows."""

from celery import shared_task
from celery.signals import worker_init, worker_ready, worker_shutdown

from annotation.processes import process_name
from evaluation.models import Run
from evaluation.runs import generation
from evaluation.runs.conclusion import conclude
from evaluation.runs.execution import work
from evaluation.runs.leases import free_abandoned

SECONDS_PER_TASK = 45.0


@shared_task(name="evaluation.work_on_run")
def work_on_run(run_id: int) -> None:
    if work(run_id, worker=process_name(), seconds=SECONDS_PER_TASK):
        work_on_run.apply_async([run_id], countdown=0.2)


@shared_task(name="evaluation.conclude_run")
def conclude_run(run_id: int) -> None:
    conclude(run_id)


@shared_task(name="evaluation.sweep_runs")
def sweep_runs() -> None:
    """Send the runs on which nobody works to the workers again."""
    free_abandoned()
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
