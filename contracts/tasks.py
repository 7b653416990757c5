"""Celery tasks: each gets ids, calls one function, and leaves every decision to the rows."""

from celery import shared_task

from annotation.models import Person, Project
from annotation.services import blindness
from contracts.services import agreement
from contracts.services.bench import approving

CHECK_SECONDS = 90  # after which no further annotator is begun; a task may take 270


@shared_task(name="contracts.freeze_agreement")  # type: ignore[untyped-decorator] # Celery has no types
def freeze_agreement(project_id: int, person_id: int) -> None:
    """Freeze the table; a second delivery finds the snapshot of the first."""
    agreement.freeze(
        actor=Person.objects.get(pk=person_id), project=Project.objects.get(pk=project_id)
    )


@shared_task(name="contracts.approve_agreed")  # type: ignore[untyped-decorator]
def approve_agreed() -> None:
    """Accept what all reviewers of a request say alike and can no longer take back."""
    sealed = Project.objects.filter(requests__contracts=None, requests__sheets__retracted_at=None)
    for project in sealed.filter(requests__sheets__isnull=False).distinct():
        approving.approve_agreed(project)


@shared_task(name="contracts.check_blindness")  # type: ignore[untyped-decorator]
def check_blindness(project_id: int, person_id: int) -> None:
    """Check as many annotators as the time of a task allows; the report says how many."""
    blindness.check_blindness(
        actor=Person.objects.get(pk=person_id),
        project=Project.objects.get(pk=project_id),
        seconds=CHECK_SECONDS,
    )
