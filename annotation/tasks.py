"""Celery tasks: each gets an id, calls one function, and leaves every decision to the rows."""

from celery import shared_task
from celery.signals import worker_ready

from annotation.services import import_work


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
