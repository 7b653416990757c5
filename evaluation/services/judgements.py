"""People settle what the matcher left unsure, without seeing which arm it is."""

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.exposure import expose
from annotation.services.projects import Refused
from annotation.services.still_open import still_open_to
from evaluation.models import Judgement, Run
from evaluation.services.runs import reconclude

# A person decides: "unsure" is the matcher's word, "filtered" is seen in the filters.
CHOICES = ("stated", "filtered", "altered", "dropped")


def queue(run: Run) -> QuerySet[Judgement]:
    """Return what waits for a person in this run: unsure ones, and what the Protocol wants people
    for.
    """
    return (
        Judgement.objects.waiting(run)
        .select_related("case__request", "case__arm", "case__run", "constraint")
        .prefetch_related("case__request__turns", "case__stages")
    )


def waiting_for(*, actor: Person, run: Run) -> QuerySet[Judgement]:
    """What waits in this run for this person: nothing of a request that they may still annotate."""
    mine = still_open_to(person=actor, project=run.project).order_by()
    return queue(run).exclude(case__request__in=mine)


def next_to_judge(*, actor: Person, project: Project) -> Judgement | None:
    """Return the next judgement for this person, in an order that says nothing about the arm."""
    require(actor, "judge", project)
    for run in project.runs.filter(state=Run.State.FINISHED).order_by("-number"):
        waiting = list(waiting_for(actor=actor, run=run))
        if waiting:
            return min(waiting, key=lambda j: content_hash([j.case_id, j.constraint_id, actor.pk]))
    return None


def show(*, actor: Person, judgement: Judgement) -> None:
    """Note that the person sees this request's rewrite."""
    request = judgement.case.request
    expose(person=actor, project=request.project, subject=request.key, what="rewrite")


@transaction.atomic
def settle(*, actor: Person, judgement: Judgement, outcome: str, note: str = "") -> Judgement:
    """Record the person's judgement of the constraint; it prevails over the matcher's."""
    project = judgement.case.request.project
    require(actor, "judge", project)
    if judgement.person_id is not None:
        raise PermissionDenied(_("A person settled this already."))
    if outcome not in CHOICES:
        raise Refused(_("Choose stated, filtered, altered or dropped."))
    try:
        with transaction.atomic():
            settled = Judgement.objects.create(
                case=judgement.case,
                constraint=judgement.constraint,
                person=actor,
                judgement=outcome,
                by="person",
                quote=judgement.quote,
                why=note.strip(),
            )
    except IntegrityError as fault:
        raise Refused(_("Somebody settled this a moment ago.")) from fault
    ledger.record(
        project=project,
        kind="judgement.settled",
        subject=judgement.case.request.key,
        content={"constraint": judgement.constraint.key, "judgement": outcome},
        actor=actor,
    )
    if not queue(judgement.case.run).exists():
        reconclude(judgement.case.run)
    return settled
