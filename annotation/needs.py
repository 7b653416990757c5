"""How many seats of a kind of work each request has: what the project says, unless a class or a
single request says otherwise.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from django.db.models import (
    Case,
    Count,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from annotation.desk import WorkKind
from annotation.models import Need, Project, Request, Seat


@dataclass(frozen=True)
class SeatNumbers:
    """The seats that one kind of work has on the requests of a project."""

    default: int
    of_class: dict[int, int] = field(default_factory=dict)
    of_request: dict[int, int] = field(default_factory=dict)

    def on(self, request_id: int, class_id: int) -> int:
        """How many seats the request has."""
        return self.of_request.get(request_id, self.of_class.get(class_id, self.default))

    @property
    def distinct(self) -> set[int]:
        """Every number of seats that some request may have."""
        return {self.default, *self.of_class.values(), *self.of_request.values()}


def seat_numbers(kind: WorkKind, project: Project) -> SeatNumbers:
    """Read what is wanted of a kind in one query."""
    rows = Need.objects.filter(project=project, kind=kind.name)
    found = list(rows.values_list("request_class", "request", "seats"))
    return SeatNumbers(
        kind.seats_wanted(project),
        {of_class: seats for of_class, request, seats in found if request is None},
        {request: seats for _class, request, seats in found if request is not None},
    )


def with_wanted(
    requests: QuerySet[Request],
    kind: WorkKind,
    project: Project,
    numbers: SeatNumbers | None = None,
) -> QuerySet[Request]:
    """Annotate each request with `wanted`, the seats of the kind that it has in all."""
    found = numbers or seat_numbers(kind, project)
    default = Value(found.default, output_field=IntegerField())
    if not found.of_class and not found.of_request:
        return requests.annotate(wanted=default)
    wanted: Case | Coalesce = Case(*_cases(found.of_class), default=default)
    if found.of_request:
        own = Need.objects.filter(kind=kind.name, request=OuterRef("pk")).values("seats")
        wanted = Coalesce(Subquery(own), wanted)
    return requests.annotate(wanted=wanted)


def with_free_seats(
    requests: QuerySet[Request], kind: WorkKind, project: Project, numbers: SeatNumbers
) -> QuerySet[Request]:
    """Only the requests on which a seat of the kind is free: those whose last seat nobody took.
    An index alone answers this.
    """
    counted = with_wanted(requests, kind, project, numbers)
    free = Q(pk__in=[])
    for number in sorted(numbers.distinct - {0}):
        taken = Seat.objects.filter(request=OuterRef("pk"), kind=kind.name).taken()
        name = f"seat_{number}"
        counted = counted.alias(
            **{name: Subquery(taken.order_by().values("slot")[number - 1 : number])}
        )
        is_free = Q(**{name: None})
        free |= is_free if len(numbers.distinct) == 1 else is_free & Q(wanted=number)
    return counted.filter(free)


def seats_wanted(kind: WorkKind, request: Request) -> int:
    """How many seats of the kind this request has in all."""
    return seat_numbers(kind, request.project).on(request.pk, request.request_class_id)


def class_sizes(project: Project) -> dict[int, int]:
    """How many requests each class has, counted by index."""
    classes = list(project.request_classes.values_list("pk", flat=True))
    counted = Request.objects.filter(request_class__in=classes).order_by()
    return dict(counted.values_list("request_class").annotate(Count("pk")))


def sum_wanted(
    numbers: SeatNumbers,
    sizes: Mapping[int, int],
    *,
    without: Collection[int] = (),
    count: Callable[[int], int] = int,
) -> int:
    """Add `count` of the seats wanted over the requests of classes of these sizes, those in
    `without` left out. Only requests with a number of their own are looked at.
    """
    total = sum(n * count(numbers.of_class.get(pk, numbers.default)) for pk, n in sizes.items())
    for pk, of_class in _classes_of({*numbers.of_request, *without}):
        total -= count(numbers.of_class.get(of_class, numbers.default))
        total += 0 if pk in without else count(numbers.on(pk, of_class))
    return total


def _cases(of_class: dict[int, int]) -> list[When]:
    return [
        When(request_class=pk, then=Value(seats, output_field=IntegerField()))
        for pk, seats in of_class.items()
    ]


def _classes_of(requests: Collection[int]) -> Iterator[tuple[int, int]]:
    """The class of each of these requests, a few at a time: a query takes so many only."""
    ids = sorted(requests)
    for start in range(0, len(ids), 500):
        found = Request.objects.filter(pk__in=ids[start : start + 500]).order_by()
        yield from found.values_list("pk", "request_class")
