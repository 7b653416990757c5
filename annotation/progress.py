"""How far a study is, as "n of m". Whoever annotates is told about their own work only."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from annotation.desk import WORK_KINDS, WorkKind
from annotation.models import Person, Project, Seat
from annotation.permissions import ACTS, roles_of


@dataclass(frozen=True)
class Count:
    """`done` of `wanted` of what the label names; `wanted` may be 0, then there is nothing to do
    yet.
    """

    label: str | Promise
    done: int
    wanted: int


COUNTS: list[tuple[str | Promise, Callable[[Project], tuple[int, int]]]] = []


def register_count(label: str | Promise, count: Callable[[Project], tuple[int, int]]) -> None:
    """Add a count for the study's page: `count` returns (done, wanted). Called from an app's
    `ready`.
    """
    COUNTS.append((label, count))


def sees_all_counts(person: Person, project: Project) -> bool:
    """Tell whether the counts of everybody's work may be shown: never to somebody who annotates."""
    roles = roles_of(person, project)
    return "annotator" not in roles and bool(roles & set(ACTS["see_requests"] or ()))


def own_counts(person: Person, project: Project) -> list[Count]:
    """How many of the project's requests the person sealed, for each kind of work that they did."""
    sealed = project.seats.filter(holder=person, state=Seat.State.SUBMITTED)
    wanted = project.requests.count()
    counts = (
        Count(_sealed(kind), sealed.filter(kind=kind.name).count(), wanted)
        for kind in WORK_KINDS.values()
    )
    return [count for count in counts if count.done]


def all_counts(project: Project) -> list[Count]:
    """Sealed seats of the seats wanted, for each kind of work that has begun, then what the other
    apps count.
    """
    requests = project.requests.count()
    counts = []
    for kind in WORK_KINDS.values():
        seats = project.seats.filter(kind=kind.name)
        if seats.exists():
            sealed = seats.filter(state=Seat.State.SUBMITTED).count()
            counts.append(Count(_sealed(kind), sealed, requests * kind.seats_wanted(project)))
    return [*counts, *(Count(label, *count(project)) for label, count in COUNTS)]


def _sealed(kind: WorkKind) -> str:
    return _("%(kind)s, sealed") % {"kind": kind.label}
