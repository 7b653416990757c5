"""Who works on a suite run: one worker at a time, by the database's clock."""

from datetime import timedelta

from django.conf import settings
from django.db.models import DateTimeField, ExpressionWrapper, Q, Value
from django.db.models.functions import Now

from annotation.processes import is_gone
from evaluation.models import SuiteRun
from evaluation.runs.claiming import lease, lease_end

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


def hold(run: SuiteRun, worker: str, *, preparing: bool = False) -> bool:
    """Hold the run for another lease: False where it was cancelled, or another has it.

    Whoever is `preparing` builds an index or loads a model and can renew nothing meanwhile, so that
    is a lease for as long as a task may take at all.
    """
    mine = SuiteRun.objects.filter(pk=run.pk, state=State.RUNNING, worker=worker)
    end = ExpressionWrapper(Now() + Value(longest()), output_field=DateTimeField())
    until = end if preparing else lease_end()
    return mine.update(leased_until=until) == 1


def longest() -> timedelta:
    """How long a task may take at all, and no shorter than a lease."""
    return max(lease(), timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT))


def give_back(run: SuiteRun, worker: str) -> None:
    """Let go of the run, so that whoever comes next need not wait."""
    SuiteRun.objects.filter(pk=run.pk, worker=worker).update(worker="", leased_until=None)
