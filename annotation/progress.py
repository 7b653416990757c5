"""How far a study is, as "n of m": the one place that counts seats. Study page, desk, list of
requests, work page, API and exports all ask here. Whoever annotates is told about their own work
only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import Count as CountRows
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from annotation.desk import WORK_KINDS, WorkKind, counted_kinds
from annotation.models import Person, Project, Request, Seat
from annotation.needs import class_sizes, seat_numbers, sum_wanted
from annotation.permissions import ACTS, roles_of

State = Seat.State


@dataclass(frozen=True)
class Count:
    """`done` of `wanted` of what the label names, `given_up` of them with a reason; `wanted` may be
    0, then there is nothing to do yet.
    """

    label: str | Promise
    done: int
    wanted: int
    given_up: int = 0


@dataclass(frozen=True)
class Progress:
    """The seats of one kind of work: how many are sealed, given up with a reason and at work, of
    those that are wanted. For one person, `wanted` counts the requests on which the work is wanted.
    """

    kind: WorkKind
    sealed: int
    given_up: int
    at_work: int
    wanted: int
    returned: int = 0

    @property
    def done(self) -> int:
        """As `Seat.objects.done()` has it: sealed, or given up with a reason."""
        return self.sealed + self.given_up

    @property
    def begun(self) -> bool:
        return bool(self.done or self.at_work or self.returned)


COUNTS: list[tuple[str | Promise, Callable[[Project], tuple[int, int]]]] = []
OUTSIDE: list[Callable[[Project], QuerySet[Request]]] = []


def register_count(label: str | Promise, count: Callable[[Project], tuple[int, int]]) -> None:
    """Add a count for the study's page: `count` returns (done, wanted). Called from an app's
    `ready`.
    """
    COUNTS.append((label, count))


def register_outside(requests: Callable[[Project], QuerySet[Request]]) -> None:
    """Name requests that are no part of the study, such as those on which people practise: they
    are never counted. Called from an app's `ready`.
    """
    OUTSIDE.append(requests)


def outside(project: Project) -> set[int]:
    """The primary keys of the requests that are no part of the study."""
    return {pk for requests in OUTSIDE for pk in requests(project).values_list("pk", flat=True)}


def sees_all_counts(person: Person, project: Project) -> bool:
    """Tell whether the counts of everybody's work may be shown: never to somebody who annotates."""
    roles = roles_of(person, project)
    return "annotator" not in roles and bool(roles & set(ACTS["see_requests"] or ()))


def by_kind(project: Project) -> list[Progress]:
    """How far each kind of work is that the study counts."""
    return _progress(project, project.seats.all(), counted_kinds())


def own_by_kind(person: Person, project: Project) -> list[Progress]:
    """How far one person is with each kind of work that is offered to them, peers left out:
    `wanted` counts the requests on which the work is wanted.
    """
    kinds = [kind for kind in WORK_KINDS.values() if kind.offered(project, person)]
    return _progress(project, project.seats.filter(holder=person), kinds, of_one_person=True)


def of_requests(
    project: Project, requests: Sequence[Request]
) -> dict[int, list[tuple[WorkKind, int, int]]]:
    """For each of a page's requests, the seats done of those wanted of every counted kind."""
    done = dict(
        ((request, kind), n)
        for request, kind, n in Seat.objects.filter(request__in=requests)
        .done()
        .order_by()
        .values_list("request", "kind")
        .annotate(CountRows("pk"))
    )
    numbers = [(kind, seat_numbers(kind, project)) for kind in counted_kinds()]
    left_out = outside(project)
    return {
        r.pk: [(k, done.get((r.pk, k.name), 0), n.on(r.pk, r.request_class_id)) for k, n in numbers]
        for r in requests
        if r.pk not in left_out
    }


def own_counts(person: Person, project: Project) -> list[Count]:
    """How many of the project's requests the person did, for each kind of work that they did."""
    kinds, own = counted_kinds(), project.seats.filter(holder=person)
    found = _progress(project, own, kinds, of_one_person=True)
    return [_count(one) for one in found if one.done]


def all_counts(project: Project) -> list[Count]:
    """Seats done of the seats wanted, for each kind of work that has begun, then what the other
    apps count.
    """
    counts = [_count(found) for found in by_kind(project) if found.begun]
    return [*counts, *(Count(label, *count(project)) for label, count in COUNTS)]


def _progress(
    project: Project,
    seats: QuerySet[Seat],
    kinds: Sequence[WorkKind],
    *,
    of_one_person: bool = False,
) -> list[Progress]:
    """Count by index; what is outside the study is counted by itself and taken off."""
    # Their own silent items count for a person like any other, or the count would tell them apart.
    left_out = set() if of_one_person else outside(project)
    sizes = class_sizes(project)
    seats = seats.filter(kind__in=[kind.name for kind in kinds]).order_by()
    found = _by_state(seats)
    off = _by_state(seats.filter(request__in=left_out)) if left_out else {}

    def count(kind: WorkKind, state: str) -> int:
        key = (kind.name, state)
        return found.get(key, 0) - (off.get(key, 0) if kind.counted else 0)

    return [
        Progress(
            kind,
            sealed=count(kind, State.SUBMITTED),
            given_up=count(kind, State.CANNOT_JUDGE),
            at_work=count(kind, State.HELD),
            returned=count(kind, State.RETURNED),
            wanted=sum_wanted(
                seat_numbers(kind, project),
                sizes,
                without=left_out if kind.counted else (),
                count=_once if of_one_person else int,
            ),
        )
        for kind in kinds
    ]


def _by_state(seats: QuerySet[Seat]) -> dict[tuple[str, str], int]:
    rows = seats.values_list("kind", "state").annotate(CountRows("pk"))
    return {(kind, state): n for kind, state, n in rows}


def _once(seats: int) -> int:
    """One person has at most one seat of a request."""
    return min(1, seats)


def _count(found: Progress) -> Count:
    label = _("%(kind)s, done") % {"kind": found.kind.label}
    return Count(label, found.done, found.wanted, found.given_up)
