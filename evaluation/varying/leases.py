"""Who makes a set: one process at a time, by the database's clock."""

from django.db.models import Q
from django.db.models.functions import Now

from annotation.processes import is_gone
from evaluation.models import VariationSet
from evaluation.runs.claiming import lease_end

State = VariationSet.State


class Lost(Exception):
    """Another process has the set, or it is not to be made any more: nothing more is written."""


def take(of: VariationSet, worker: str) -> bool:
    """Take the set for this process: whether it has it now. Nobody's, one whose lease ran out and
    one whose process ended on this machine can be taken.
    """
    of.refresh_from_db(fields=["state", "worker"])
    free = Q(leased_until=None) | Q(leased_until__lt=Now()) | Q(worker=worker)
    if of.worker and is_gone(of.worker):
        free |= Q(worker=of.worker)
    rows = VariationSet.objects.filter(free, pk=of.pk, state=State.MAKING)
    taken = rows.update(worker=worker, leased_until=lease_end()) == 1
    if taken:
        of.worker = worker
    return taken


def hold(of: VariationSet, worker: str) -> None:
    """Hold the set for another lease. Raises Lost where another has it."""
    mine = VariationSet.objects.filter(pk=of.pk, state=State.MAKING, worker=worker)
    if mine.update(leased_until=lease_end()) != 1:
        raise Lost


def give_back(of: VariationSet, worker: str) -> None:
    """Let go of the set, so that whoever comes next need not wait."""
    VariationSet.objects.filter(pk=of.pk, worker=worker).update(worker="", leased_until=None)


def unattended() -> list[int]:
    """The sets that wait for a worker, with those whose process ended on this machine."""
    silent = set(VariationSet.objects.unattended().values_list("pk", flat=True))
    held = VariationSet.objects.filter(state=State.MAKING).exclude(worker="")
    gone = {pk for pk, worker in held.values_list("pk", "worker") if is_gone(worker)}
    return sorted(silent | gone)
