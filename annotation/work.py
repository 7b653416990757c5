"""Which paraphrases a person may write: their page shows the answer, so it must not cost them work
of the request that they have not finished.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.desk import WORK_KINDS
from annotation.models import HumanRewrite, LedgerEntry, Need, Person, Project, Request, Seat
from annotation.needs import with_wanted
from annotation.services import consent
from annotation.services.exposure import exposures

PARAPHRASE = HumanRewrite.Kind.PARAPHRASE


def paraphrases_wanted(project: Project) -> bool:
    """Tell whether any request of the project wants paraphrases."""
    needs = Need.objects.filter(project=project, kind=PARAPHRASE, seats__gt=0)
    return project.paraphrases_per_request > 0 or needs.exists()


def paraphrases_open_to(project: Project, person: Person) -> QuerySet[Request]:
    """Requests that want paraphrases, of which the person wrote none and has no other work to
    finish. Who withdrew a paraphrase does not write that one again.
    """
    if consent.needed(person, project) or not paraphrases_wanted(project):
        return Request.objects.none()
    written = HumanRewrite.objects.filter(author=person, kind=PARAPHRASE, retracted_at=None)
    wanted = with_wanted(project.requests.all(), WORK_KINDS[PARAPHRASE], project)
    return (
        wanted.filter(Q(wanted__gt=0))
        .exclude(Exists(written.filter(request=OuterRef("pk"))))
        .exclude(Exists(unfinished(person).filter(request=OuterRef("pk"))))
        .exclude(Exists(shown_rewrites(person, project).filter(subject=OuterRef("key"))))
        .order_by("position", "pk")
    )


def shown_rewrites(person: Person, project: Project) -> QuerySet[LedgerEntry]:
    """That the person was shown what a candidate made of a request: they reword it no more."""
    return exposures(person=person, project=project).filter(content__what="rewrite")


def unfinished(person: Person) -> QuerySet[Seat]:
    """The person's seats of other kinds of work that they may still seal: seeing the answer would
    spoil them.
    """
    open_ones = Q(state=Seat.State.HELD) | (
        Q(state=Seat.State.RETURNED) & ~Q(returned_why=Seat.Why.CLOSED)
    )
    return Seat.objects.filter(open_ones, holder=person).exclude(kind=PARAPHRASE)
