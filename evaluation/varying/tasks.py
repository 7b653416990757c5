"""Celery tasks: a set of variations is made in slices of time, and taken up again when lost."""

from celery import shared_task
from celery.signals import worker_ready

from evaluation.models import VariationSet
from evaluation.varying.filling import PAUSE_S, fill
from evaluation.varying.leases import unattended

SECONDS_PER_TASK = 45.0


@shared_task(name="evaluation.fill_variation_set")
def fill_variation_set(set_id: int) -> None:
    """Work on a set for a slice of time, so that other work gets its turn, then send word again.
    Where another worker has the set, there is nothing to do.
    """
    found = VariationSet.objects.select_related("project", "made_by").filter(pk=set_id).first()
    if found is not None and fill(found, seconds=SECONDS_PER_TASK):
        fill_variation_set.apply_async([set_id], countdown=PAUSE_S)


@shared_task(name="evaluation.sweep_variation_sets")
def sweep_variation_sets() -> None:
    """Send the sets on which nobody works to the workers again: the message that should have done
    so may be lost, or its worker was killed.
    """
    for pk in unattended():
        fill_variation_set.delay(pk)


@worker_ready.connect
def sweep_at_start(**_kwargs: object) -> None:
    """Whatever a killed worker left goes on now, without waiting for the scheduler."""
    sweep_variation_sets.delay()
