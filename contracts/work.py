"""The kinds of work that contracts give to the desk: sheets first, standalone references once a
contract stands.
"""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import HumanRewrite, LedgerEntry, Person, Project, Request, Seat
from annotation.services import consent
from annotation.services.exports import telling_exports
from annotation.services.exposure import exposures
from contracts.models import Contract, Sheet
from contracts.qualification import known_contracts, standing_of

# Of all that is recorded as shown, what the writer of a reference may know.
HARMLESS = ("contract", "sheets")


def _contracted() -> Exists:
    return Exists(Contract.objects.filter(request=OuterRef("pk")))


def _known_to(person: Person) -> Exists:
    """Requests whose answers or evidence the person brought in. A query of its own, so that a
    search reads the long rows of few requests only.
    """
    told = Q(answers__isnull=False) | Q(evidence__isnull=False)
    return Exists(Request.objects.filter(told, pk=OuterRef("pk"), created_by=person))


def _paraphrased_by(person: Person) -> Exists:
    """Requests that the person was given to paraphrase, with the answer."""
    seats = Seat.objects.filter(kind=HumanRewrite.Kind.PARAPHRASE, holder=person)
    return Exists(seats.filter(request=OuterRef("pk")))


def sheets_open_to(project: Project, person: Person) -> QuerySet[Request]:
    """Requests without a contract, of which the person sealed nothing and was shown nothing."""
    if not project.takes_contracts or consent.needed(person, project):
        return Request.objects.none()
    if standing_of(person, project).closes_sheets:
        return Request.objects.none()
    own_sheets = Sheet.objects.standing().filter(annotator=person)
    shown = exposures(person=person, project=project)
    return (
        project.requests.exclude(_contracted())
        .exclude(Exists(own_sheets.filter(request=OuterRef("pk"))))
        .exclude(Exists(HumanRewrite.objects.filter(request=OuterRef("pk"), author=person)))
        .exclude(Exists(shown.filter(subject=OuterRef("key"))))
        .exclude(_paraphrased_by(person))
        .exclude(_known_to(person))
        .exclude(Exists(known_contracts(person)))
        .exclude(_brought_in(project, person))
        .exclude(Exists(telling_exports(person=person, project=project)))
        .order_by("position", "pk")
    )


def _brought_in(project: Project, person: Person) -> Exists:
    """Requests of which the person imported somebody else's sheet."""
    sealed = project.ledger.filter(kind="sheet.sealed", actor=person, subject=OuterRef("key"))
    return Exists(sealed.exclude(content__annotator=person.username))


def standalone_open_to(project: Project, person: Person) -> QuerySet[Request]:
    """Requests with an approved contract that still lack their standalone reference, of which the
    person was shown neither answer, evidence, rewrite nor result.
    """
    if not project.takes_contracts or consent.needed(person, project):
        return Request.objects.none()
    written = HumanRewrite.objects.standing().filter(
        request=OuterRef("pk"), kind=HumanRewrite.Kind.STANDALONE
    )
    return (
        _unspoilt(project, person)
        .filter(_contracted())
        .exclude(Exists(written))
        .order_by("position", "pk")
    )


def knows_too_much(person: Person, request: Request) -> bool:
    """Tell whether the person was shown what the writer of its reference must not know."""
    return not _unspoilt(request.project, person).filter(pk=request.pk).exists()


def reference_of(request: Request) -> QuerySet[HumanRewrite]:
    """The standing standalone references of a request: one, or none yet."""
    return request.human_rewrites.standing().filter(kind=HumanRewrite.Kind.STANDALONE)


def _unspoilt(project: Project, person: Person) -> QuerySet[Request]:
    """Requests of which the person knows no answer, evidence, rewrite or result."""
    shown = exposures(person=person, project=project).exclude(content__what__in=HARMLESS)
    unspoilt = (
        project.requests.exclude(Exists(shown.filter(subject=OuterRef("key"))))
        .exclude(_paraphrased_by(person))
        .exclude(_known_to(person))
        .exclude(Exists(telling_exports(person=person, project=project)))
    )
    results = _results_seen(shown)
    if results is None:
        return unspoilt
    # A run's results tell of every request that had its contract by then.
    in_runs = Contract.objects.filter(request=OuterRef("pk"), approved_at__lte=results)
    return unspoilt.exclude(Exists(in_runs))


def _results_seen(shown: QuerySet[LedgerEntry]) -> datetime | None:
    last = shown.filter(content__what="results").order_by("-sequence").first()
    return datetime.fromisoformat(last.at) if last else None
