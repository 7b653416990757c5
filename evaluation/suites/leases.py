"""Who works on a suite run: one worker at a time, by the database's clock."""

from django.db.models import Q
from django.db.models.functions import Now

from annotation.processes import is_gone
from evaluation.models import SuiteRun
from evaluation.runs.claiming import lease_end

State = SuiteRun.State


def take(run: SuiteRun, worker: str) -> bool:
    """Take the run for this worker: whether it has it now. Nobody's, one whose lease ran out and
    one whose process ended on this machine can be taken.
    """
    free = Q(leased_until=None) | Q(leased_until__lt=Now()) | Q(worker=worker)
    if run.worker and is_gone(run.worker):
        free |= Q(worker=run.worker)
    rows = SuiteRun.objects.filter(free, pk=run.pk, state__in=SuiteRun.WORKED_ON)
    taken = rows.update(state=State.RUNNING, worker=worker, leased_until=lease_end()) == 1
    if taken:
        run.state, run.worker = State.RUNNING, worker
    return taken


def hold(run: SuiteRun, worker: str) -> bool:
    """Hold the run for another lease: False where it was cancelled, or another has it."""
    mine = SuiteRun.objects.filter(pk=run.pk, state=State.RUNNING, worker=worker)
    return mine.update(leased_until=lease_end()) == 1


def give_back(run: SuiteRun, worker: str) -> None:
    """Let go of the run, so that whoever comes next need not wait."""
    SuiteRun.objects.filter(pk=run.pk, worker=worker).update(worker="", leased_until=None)
