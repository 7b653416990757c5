"""How many seats of a kind of work each request has: what the project says, unless a class or a
single request says otherwise.
"""

from django.db.models import Count, F, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from annotation.desk import WorkKind
from annotation.models import Need, Project, Request, Seat


def with_wanted(requests: QuerySet[Request], kind: WorkKind, project: Project) -> QuerySet[Request]:
    """Annotate each request with `wanted`, the seats of the kind that it has in all."""
    default = Value(kind.seats_wanted(project), output_field=IntegerField())
    needs = Need.objects.filter(project=project, kind=kind.name)
    if not needs.exists():
        return requests.annotate(wanted=default)
    own = needs.filter(request=OuterRef("pk")).values("seats")
    of_class = needs.filter(request_class=OuterRef("request_class")).values("seats")
    return requests.annotate(wanted=Coalesce(Subquery(own), Subquery(of_class), default))


def with_free_seats(
    requests: QuerySet[Request], kind: WorkKind, project: Project
) -> QuerySet[Request]:
    """Only the requests on which a seat of the kind is free."""
    taken = (
        Seat.objects.filter(request=OuterRef("pk"), kind=kind.name)
        .taken()
        .order_by()
        .values("request")
        .annotate(n=Count("pk"))
        .values("n")
    )
    counted = with_wanted(requests, kind, project).annotate(taken=Coalesce(Subquery(taken), 0))
    return counted.filter(taken__lt=F("wanted"))


def seats_wanted(kind: WorkKind, request: Request) -> int:
    """How many seats of the kind this request has in all."""
    needs = Need.objects.filter(project=request.project_id, kind=kind.name)
    own = needs.filter(request=request).first()
    found = own or needs.filter(request_class=request.request_class_id).first()
    return found.seats if found else kind.seats_wanted(request.project)
