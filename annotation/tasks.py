"""Celery tasks: each gets an id, calls one function, and leaves every decision to the rows."""

from typing import Any

from celery import shared_task
from celery.signals import task_prerun, worker_ready

from annotation.services import heartbeats, import_work

HEARTBEAT = "annotation.heartbeat"


@shared_task(name="annotation.run_import")  # type: ignore[untyped-decorator] # Celery has no types
def run_import(job_id: int) -> None:
    import_work.run(job_id)


@shared_task(name="annotation.sweep_imports")  # type: ignore[untyped-decorator]
def sweep_imports() -> None:
    """Send the imports on which nobody works to the workers again."""
    for job_id in import_work.sweep():
        run_import.delay(job_id)


@worker_ready.connect  # type: ignore[untyped-decorator]
def sweep_imports_at_start(**_kwargs: object) -> None:
    """Whatever a killed worker left goes on now, without waiting for the scheduler."""
    sweep_imports.delay()


@shared_task(name=HEARTBEAT)  # type: ignore[untyped-decorator]
def heartbeat() -> None:
    """The scheduler's probe: it shows that somebody takes what is in the queue."""
    heartbeats.record_heartbeat()


@task_prerun.connect  # type: ignore[untyped-decorator]
def other_work_is_a_sign_too(sender: Any = None, **_kwargs: object) -> None:
    if sender.name != HEARTBEAT and not sender.request.is_eager:
        heartbeats.record_other_work()
