"""What a candidate made of a request is shown to nobody who may still annotate that request.

The one rule for every page, list and program that shows results: whoever does not annotate sees
them; whoever does sees a run only once none of its requests is open to them, or once they gave up
their work on those. Either way it is recorded for each request, and none of them is open later.
"""

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.models import Person, Project, Request, Seat
from annotation.permissions import may
from annotation.services import seats
from annotation.services.exposure import expose, expose_all, exposures
from annotation.services.projects import lock
from annotation.services.still_open import still_open_to
from evaluation.models import Case, Run

RESULTS, REWRITE = "results", "rewrite"


class Withheld(PermissionDenied):
    """`n` of the run's `of` requests are still open to whoever asks."""

    def __init__(self, n: int, of: int) -> None:
        self.n, self.of = n, of
        super().__init__(
            _(
                "You may still annotate %(n)d of the %(of)d requests of this run, so what a "
                "rewriter made of them stays unseen for you. Finish that work first, or give it up "
                "on the run’s page."
            )
            % {"n": n, "of": of}
        )


def withheld_runs(*, actor: Person, project: Project) -> set[int]:
    """The runs whose results are withheld from the actor."""
    if not may(actor, "annotate", project).allowed:
        return set()
    mine = still_open_to(person=actor, project=project)
    cases = Case.objects.filter(run__project=project, request__in=mine.order_by())
    return set(cases.order_by().values_list("run", flat=True).distinct())


def require_shown(*, actor: Person, run: Run) -> None:
    """Record that the actor is shown the results of the run. Raises Withheld where they may still
    annotate one of its requests.
    """
    if not may(actor, "annotate", run.project).allowed:
        expose(person=actor, project=run.project, subject=f"run {run.number}", what=RESULTS)
        return
    mine = still_open_to(person=actor, project=run.project)
    requests = Request.objects.filter(cases__run=run).distinct()
    if n := requests.filter(pk__in=mine.order_by().values("pk")).count():
        raise Withheld(n, requests.count())
    seen = exposures(person=actor, project=run.project).filter(subject=f"run {run.number}")
    if not seen.exists():
        show_and_give_up(actor=actor, run=run)


def show_and_give_up(*, actor: Person, run: Run) -> None:
    """Record that the actor is shown the results, which closes the run's requests to them: they
    annotate none of them any more, and take back nothing that they sealed.
    """
    requests = Request.objects.filter(cases__run=run).distinct()
    close(actor=actor, project=run.project, subject=f"run {run.number}", requests=requests)


def close(*, actor: Person, project: Project, subject: str, requests: QuerySet[Request]) -> None:
    """Record that the actor is shown the results of `subject`, which closes its requests to them as
    `show_and_give_up` says.
    """
    with transaction.atomic():
        lock(project)
        expose(person=actor, project=project, subject=subject, what=RESULTS)
        bring_in(actor=actor, project=project, keys=requests.values_list("key", flat=True))
        own = Seat.objects.filter(holder=actor, project=project, request__in=requests)
        seats.mark_read(seats=own)
        own.filter(state=Seat.State.HELD).update(
            state=Seat.State.RETURNED, returned_why=Seat.Why.CLOSED
        )


def bring_in(*, actor: Person, project: Project, keys: Iterable[str]) -> None:
    """Record that the actor knows what a candidate made of these requests, if they annotate here:
    from a run, or from a file that they bring in.
    """
    if may(actor, "annotate", project).allowed:
        expose_all(person=actor, project=project, subjects=keys, what=REWRITE)
