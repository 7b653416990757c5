"""The kinds of work that contracts give to the desk: sheets first, standalone references once a
contract stands.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import HumanRewrite, Person, Project, Request
from annotation.services.exposure import exposures
from contracts.models import Contract, Sheet


def _contracted() -> Exists:
    return Exists(Contract.objects.filter(request=OuterRef("pk")))


def _known_to(person: Person) -> Q:
    """Requests whose answers or evidence the person brought in."""
    return Q(created_by=person) & (Q(answers__isnull=False) | Q(evidence__isnull=False))


def sheets_open_to(project: Project, person: Person) -> QuerySet[Request]:
    """Requests without a contract, of which the person sealed nothing and was shown nothing."""
    if not project.takes_contracts:
        return Request.objects.none()
    own_sheets = Sheet.objects.standing().filter(annotator=person)
    shown = exposures(person=person, project=project)
    return (
        project.requests.exclude(_contracted())
        .exclude(Exists(own_sheets.filter(request=OuterRef("pk"))))
        .exclude(Exists(HumanRewrite.objects.filter(request=OuterRef("pk"), author=person)))
        .exclude(Exists(shown.filter(subject=OuterRef("key"))))
        .exclude(_known_to(person))
        .order_by("position", "pk")
    )


def standalone_open_to(project: Project, person: Person) -> QuerySet[Request]:
    """Requests with an approved contract that still lack their standalone reference."""
    if not project.takes_contracts:
        return Request.objects.none()
    written = HumanRewrite.objects.standing().filter(
        request=OuterRef("pk"), kind=HumanRewrite.Kind.STANDALONE
    )
    return (
        project.requests.filter(_contracted()).exclude(Exists(written)).order_by("position", "pk")
    )
