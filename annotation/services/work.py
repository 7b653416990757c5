"""The owner's view of everybody's work: what is stuck, what was given up and why, how each person
is doing, and handing items out again. Nobody who annotates sees or does any of it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.desk import WORK_KINDS, WorkKind
from annotation.models import Person, Project, Seat
from annotation.permissions import require
from annotation.progress import sees_all_counts
from annotation.services import ledger
from annotation.services.projects import Refused, lock

State = Seat.State
AT_WORK, ABANDONED, GIVEN_UP = "at-work", "abandoned", "given-up"
# What an owner can hand out again; a seat that ran out is free already.
REQUEUED = (State.HELD, State.CANNOT_JUDGE)


@dataclass(frozen=True)
class PersonWork:
    """What one person did of one kind of work. `timed` seats have a measured time at work."""

    person: Person
    kind: WorkKind
    former: bool
    taken: int
    sealed: int
    given_up: int
    timed: int
    median_seconds: float | None

    @property
    def decided(self) -> int:
        return self.sealed + self.given_up


def require_oversight(actor: Person, project: Project) -> None:
    """Raise PermissionDenied unless the person may see everybody's work: an owner who annotates
    here works blind like the others.
    """
    require(actor, "manage_work", project)
    if not sees_all_counts(actor, project):
        raise PermissionDenied(
            _("You annotate in this project, so what the others do stays unseen for you.")
        )


def open_work(project: Project, *, kind: str = "", state: str = "") -> QuerySet[Seat]:
    """Seats that an owner may have to look at, in the requests' order: at work, abandoned, given
    up with a reason.
    """
    now, kinds = timezone.now(), [kind] if kind else list(WORK_KINDS)
    # Three states by index: sealed seats are many, and none of them is looked for.
    seats = Seat.objects.filter(
        project=project, kind__in=kinds, state__in=[*REQUEUED, State.RETURNED]
    )
    parts = {
        AT_WORK: seats.filter(state=State.HELD, leased_until__gte=now),
        ABANDONED: seats.abandoned(now),
        GIVEN_UP: seats.filter(state=State.CANNOT_JUDGE),
    }
    everything = seats.filter(~Q(state=State.RETURNED) | Q(returned_why=Seat.Why.LEASE))
    found = parts.get(state, everything)
    shown = found.select_related("request", "holder").defer(
        "draft", "request__text", "request__answers", "request__evidence", "request__metadata"
    )
    return shown.order_by("position", "kind", "slot", "pk")


def given_up_by_item(seats: Iterable[Seat]) -> dict[tuple[int, str], int]:
    """How many gave up each of these seats' items, by request and kind."""
    rows = Seat.objects.filter(
        request__in={seat.request_id for seat in seats}, state=State.CANNOT_JUDGE
    )
    counted = rows.order_by().values_list("request", "kind").annotate(Count("pk"))
    return {(request, kind): n for request, kind, n in counted}


@transaction.atomic
def requeue(
    *, actor: Person, project: Project, seat_ids: Collection[UUID] | None, kind: str = ""
) -> int:
    """Free seats for others: ticked ones, or with None every one that was given up (of one kind).
    Drafts stay; reasons are kept in the ledger. Returns how many were freed.
    """
    require_oversight(actor, project)
    if seat_ids is not None and not seat_ids:
        raise Refused(_("Tick at least one row: nothing was handed out again."))
    lock(project)
    seats = Seat.objects.filter(project=project, kind__in=WORK_KINDS)
    if kind:
        seats = seats.filter(kind=kind)
    if seat_ids is None:
        seats = seats.filter(state=State.CANNOT_JUDGE)
    else:
        seats = seats.filter(state__in=REQUEUED, public_id__in=seat_ids)
    rows = list(
        seats.select_for_update(of=("self",)).select_related("request", "holder").order_by("pk")
    )
    if not rows:
        raise Refused(_("These rows are no longer at work or given up: reload the page."))
    seats.update(state=State.RETURNED, returned_why=Seat.Why.REQUEUED)
    _record(actor, project, rows)
    return len(rows)


def by_person(project: Project, *, kind: str = "") -> list[PersonWork]:
    """What each person did of each kind, in a constant number of queries, by name."""
    seats = Seat.objects.filter(project=project, kind__in=[kind] if kind else list(WORK_KINDS))
    states: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    counted = seats.order_by().values_list("holder", "kind", "state").annotate(Count("pk"))
    for holder, name, state, n in counted:
        states[holder, name][state] = n
    times = _times(seats)
    people = Person.objects.in_bulk({holder for holder, _name in states})
    current = set(project.memberships.current().values_list("person", flat=True))
    rows = [
        PersonWork(
            people[holder],
            WORK_KINDS[name],
            holder not in current,
            taken=found.total(),
            sealed=found[State.SUBMITTED],
            given_up=found[State.CANNOT_JUDGE],
            timed=times[holder, name].total(),
            median_seconds=_median(times[holder, name]),
        )
        for (holder, name), found in states.items()
    ]
    return sorted(rows, key=lambda row: (row.person.username, row.kind.name))


def _times(seats: QuerySet[Seat]) -> dict[tuple[int, str], Counter[int]]:
    """How often each number of active seconds was measured on sealed seats, counted by index:
    numbers are few, seats are many.
    """
    timed = seats.filter(state=State.SUBMITTED, active_seconds__gt=0).order_by()
    times: dict[tuple[int, str], Counter[int]] = defaultdict(Counter)
    grouped = timed.values_list("holder", "kind", "active_seconds").annotate(Count("pk"))
    for holder, name, seconds, n in grouped:
        times[holder, name][seconds] = n
    return times


def _median(counts: Counter[int]) -> float | None:
    """The median of counted values; None when there is none."""
    total, passed = counts.total(), 0
    middle: list[int] = []
    for value in sorted(counts):
        passed += counts[value]
        if len(middle) == 0 and passed > (total - 1) // 2:
            middle.append(value)
        if passed > total // 2:
            middle.append(value)
            break
    return sum(middle) / 2 if middle else None


def _record(actor: Person, project: Project, rows: list[Seat]) -> None:
    for name in sorted({seat.kind for seat in rows}):
        freed = [seat for seat in rows if seat.kind == name]
        ledger.record(
            project=project,
            kind=f"{name}.requeued",
            subject=freed[0].request.key if len(freed) == 1 else project.slug,
            content={
                "seats": [
                    {
                        "request": seat.request.key,
                        "holder": seat.holder.username,
                        "was": seat.state,
                        "reason": seat.reason,
                    }
                    for seat in freed
                ]
            },
            actor=actor,
        )
