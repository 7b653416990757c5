"""Seats: who may work on what, now. A seat is claimed by inserting a row that the database allows
only once.
"""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.desk import WORK_KINDS, WorkKind
from annotation.models import Person, Project, Request, Seat
from annotation.needs import seats_wanted
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.exposure import expose_all
from annotation.services.free_seats import free_for
from annotation.services.projects import Refused, lock

State = Seat.State
RETRACT_WITHIN = timedelta(minutes=10)


class NotHeld(Refused):
    """The seat went back to the pool or was sealed before this act came: a conflict of states."""


def take_next(*, actor: Person, project: Project, kind_name: str) -> Seat | None:
    """Return the seat that the person holds of this kind, or claim the next free one; None when
    nothing is left.

    Looking happens outside the transaction that claims, so that nobody waits for a search. Whoever
    loses every seat that a look found looks again: None is said after a look that found none.
    """
    require(actor, "annotate", project)
    kind = WORK_KINDS[kind_name]
    held = _held_or_returned(actor, project, kind)
    if held:
        return held
    while found := free_for(actor, project, kind):
        for request in _spread(found, actor):
            wanted = request.wanted  # type: ignore[attr-defined]
            seat = _claim(kind, request, actor, project, wanted)
            if seat:
                return seat
    return None


def take_first(*, actor: Person, project: Project) -> Seat | None:
    """Return the seat at which the person is at work, of whichever kind, or the next item of the
    first kind that has one for them.
    """
    require(actor, "annotate", project)
    at_work = Seat.objects.filter(project=project, holder=actor, state=State.HELD)
    held = set(at_work.values_list("kind", flat=True))
    kinds = [kind for kind in WORK_KINDS.values() if kind.offered(project, actor)]
    for kind in sorted(kinds, key=lambda kind: kind.name not in held):
        seat = take_next(actor=actor, project=project, kind_name=kind.name)
        if seat:
            return seat
    return None


def held_seat(*, actor: Person, project: Project, kind: WorkKind) -> Seat | None:
    """The seat of this kind at which the person is at work."""
    held = Seat.objects.filter(project=project, kind=kind.name, holder=actor, state=State.HELD)
    return held.first()


def own_seat(*, actor: Person, project: Project, seat_id: UUID) -> Seat:
    """Return the person's own seat. A seat of somebody else does not exist for them."""
    seat = (
        Seat.objects.select_related("request__request_class", "project", "holder")
        .filter(public_id=seat_id, project=project, holder=actor)
        .first()
    )
    if seat is None:
        raise Seat.DoesNotExist
    return seat


def take_up_again(*, actor: Person, seat: Seat) -> Seat:
    """Take the person's own seat back that they put aside or that ran out, draft and all."""
    _own(actor, seat)
    project, kind = seat.project, WORK_KINDS[seat.kind]
    held = held_seat(actor=actor, project=project, kind=kind)
    if held and held.pk == seat.pk and _renew(held):
        return held
    return_expired(project=project, kind=kind)
    held = held_seat(actor=actor, project=project, kind=kind)
    if held:
        raise Refused(_("You are at work on %(key)s: put it aside first.") % {"key": held.request})
    if kind.open_to(project, actor).filter(pk=seat.request_id).exists():
        wanted = seats_wanted(kind, seat.request)
        taken = _claim(kind, seat.request, actor, project, wanted)
        if taken:
            return taken
    raise Refused(_("This item is no longer open to you. Your draft is kept."))


def submit(*, seat: Seat) -> None:
    """Mark the seat as sealed with the draft that was loaded; no move means that somebody else
    was first. Call inside the sealing transaction.
    """
    lock(seat.project)  # before the seat, as everybody who needs both does
    now = timezone.now()
    ours = Seat.objects.filter(pk=seat.pk, draft_version=seat.draft_version)
    moved = ours.filter(state=State.HELD).update(state=State.SUBMITTED, sealed_at=now, read_at=None)
    if not moved:
        raise NotHeld(_("This item is no longer yours to seal: its seat was returned or sealed."))


def mark_read(*, seats: QuerySet[Seat]) -> None:
    """Write down that somebody else read what was sealed on these seats: nothing of it can be
    retracted now. Call in the transaction that reads, after `lock`.
    """
    seats.filter(state=State.SUBMITTED, read_at=None).update(read_at=timezone.now())


def read_others(
    *, actor: Person, project: Project, keys: Sequence[str], seats: QuerySet[Seat], what: str
) -> None:
    """Write down that the actor is shown `what` others sealed on these seats, of the requests of
    these ids: it is exposed to them, and can no longer be retracted. Call inside a transaction.
    """
    if keys:
        lock(project)
        expose_all(person=actor, project=project, subjects=keys, what=what)
        mark_read(seats=seats)


def retractable(*, actor: Person, project: Project) -> QuerySet[Seat]:
    """What the person sealed here in the last ten minutes, newest first; what was imported has no
    draft. Whether somebody read it meanwhile is not looked at: that would tell how far others are.
    """
    kinds = [kind.name for kind in WORK_KINDS.values() if kind.retract]
    own = Seat.objects.filter(project=project, holder=actor, kind__in=kinds)
    lately = own.sealed_since(timezone.now() - RETRACT_WITHIN)
    return lately.filter(draft_version__gt=0).order_by("-sealed_at")


@transaction.atomic
def retract(*, actor: Person, seat: Seat) -> Seat:
    """Take back what the person sealed in the last ten minutes, if nobody has read it. The item
    at which they are meanwhile at work is put aside.
    """
    _own(actor, seat)
    lock(seat.project)
    kind, now = WORK_KINDS[seat.kind], timezone.now()
    if kind.retract is None:
        raise Refused(_("This kind of work cannot be retracted."))
    held = held_seat(actor=actor, project=seat.project, kind=kind)
    if held and held.pk != seat.pk:
        release(seat=held)
    moved = Seat.objects.filter(
        pk=seat.pk, state=State.SUBMITTED, read_at=None, sealed_at__gte=now - RETRACT_WITHIN
    ).update(state=State.HELD, sealed_at=None, leased_until=now + _lease(seat.project))
    if not moved:
        raise Refused(_("It can no longer be retracted: ten minutes are over, or it was read."))
    kind.retract(actor, seat)
    ledger.record(
        project=seat.project,
        kind=f"{kind.name}.retracted",
        subject=seat.request.key,
        content={"annotator": actor.username},
        actor=actor,
    )
    seat.refresh_from_db()
    return seat


def reopen(*, seat: Seat) -> None:
    """Hand a sealed seat back to its holder, with what they wrote; for work that may be done again.
    Call inside the transaction of whoever allows it.
    """
    moved = Seat.objects.filter(pk=seat.pk, state=State.SUBMITTED).update(
        state=State.HELD, sealed_at=None, leased_until=timezone.now() + _lease(seat.project)
    )
    if not moved:
        raise Refused(_("This item is not sealed: go on with it."))


def give_back(*, actor: Person, seat: Seat) -> None:
    """Later: the seat goes back to the pool and keeps the person's draft."""
    _own(actor, seat)
    release(seat=seat)


def release(*, seat: Seat, why: str = Seat.Why.LATER) -> None:
    """Return the seat to the pool; its draft stays."""
    Seat.objects.filter(pk=seat.pk, state=State.HELD).update(state=State.RETURNED, returned_why=why)


def return_all_of(*, person: Person, project: Project) -> int:
    """Return every seat at which the person is at work to the pool, drafts and all, because they
    left; what they sealed stays. Call after `lock`.
    """
    held = Seat.objects.filter(project=project, holder=person, state=State.HELD)
    return held.update(state=State.RETURNED, returned_why=Seat.Why.LATER)


def cannot_judge(*, actor: Person, seat: Seat, reason: str) -> None:
    """The person cannot do this item; the reason is for the owner."""
    _own(actor, seat)
    if not reason.strip():
        raise Refused(_("Say in a few words why it cannot be judged."))
    ours = Seat.objects.filter(pk=seat.pk, state=State.HELD)
    moved = ours.update(state=State.CANNOT_JUDGE, reason=reason.strip())
    if not moved and seat.state != State.CANNOT_JUDGE:
        raise NotHeld(_("This item is no longer yours to give up. Reload the page."))


def return_expired(*, project: Project, kind: WorkKind | None = None) -> int:
    """Return every seat whose lease ran out, of one kind or of all; its draft stays. Running it
    twice changes nothing more. Writes only when there is something to return.
    """
    expired = Seat.objects.filter(project=project).expired(timezone.now())
    if kind:
        expired = expired.filter(kind=kind.name)
    if not expired.exists():
        return 0
    return expired.update(state=State.RETURNED, returned_why=Seat.Why.LEASE)


def add_active(*, seat: Seat, seconds: int) -> None:
    """Add time at work. Two tabs at once count once: never more than has passed since the last
    count.
    """
    now = timezone.now()
    since = max(moment for moment in (seat.taken_at, seat.active_at) if moment)
    spent = min(max(0, seconds), int((now - since).total_seconds()))
    Seat.objects.filter(pk=seat.pk, active_at=seat.active_at).update(
        active_seconds=seat.active_seconds + spent, active_at=now
    )


def _own(actor: Person, seat: Seat) -> None:
    if seat.holder_id != actor.pk:
        raise PermissionDenied(_("This seat is somebody else's."))


def _lease(project: Project) -> timedelta:
    return timedelta(minutes=project.lease_minutes)


def _renew(seat: Seat) -> bool:
    """Start the lease anew; False when the seat is no longer held."""
    seat.leased_until = timezone.now() + _lease(seat.project)
    ours = Seat.objects.filter(pk=seat.pk, state=State.HELD)
    return bool(ours.update(leased_until=seat.leased_until))


def _held_or_returned(actor: Person, project: Project, kind: WorkKind) -> Seat | None:
    """The person's seat of the kind, its lease renewed even if it had just run out. Seats of
    others that ran out go back to the pool, and so does one that what the person was shown
    meanwhile, or a contract, closed to them.
    """
    now = timezone.now()
    at_work = Seat.objects.filter(project=project, kind=kind.name, state=State.HELD)
    looked_at = at_work.filter(Q(holder=actor) | Q(leased_until__lt=now))
    seats = list(looked_at.select_related("request", "project"))
    held = next((seat for seat in seats if seat.holder_id == actor.pk), None)
    if held and not kind.open_to(project, actor).filter(pk=held.request_id).exists():
        release(seat=held, why=Seat.Why.CLOSED)
        held = None
    if held and not _renew(held):
        held = None
    if any(seat.holder_id != actor.pk for seat in seats):
        return_expired(project=project, kind=kind)
    return held


def _spread(found: list[Request], actor: Person) -> list[Request]:
    """The first request first; whoever loses it goes on from a place of their own, so that many
    who start together do not race for each one.
    """
    first, *others = found
    start = actor.pk % len(others) if others else 0
    return [first, *others[start:], *others[:start]]


def _claim(
    kind: WorkKind, request: Request, actor: Person, project: Project, wanted: int
) -> Seat | None:
    """Claim the lowest free slot of the request, or the person's own returned seat; None when
    no slot is left. Whoever was first with a slot leaves the next one to try.
    """
    seats = Seat.objects.filter(request=request, kind=kind.name)
    for _attempt in range(wanted):
        rows = list(seats.values_list("pk", "slot", "state", "holder_id"))
        used = {slot for _pk, slot, state, _holder in rows if state != State.RETURNED}
        free = next((n for n in range(1, wanted + 1) if n not in used), None)
        if free is None or len(used) >= wanted:
            return None
        own = next((pk for pk, _slot, _state, holder in rows if holder == actor.pk), None)
        try:
            with transaction.atomic():
                return _seated(kind, request, actor, project, free, own)
        except IntegrityError:
            if held_seat(actor=actor, project=project, kind=kind):
                return held_seat(actor=actor, project=project, kind=kind)  # a second click
    return None


def _seated(
    kind: WorkKind, request: Request, actor: Person, project: Project, slot: int, own: int | None
) -> Seat | None:
    now = timezone.now()
    times = {"taken_at": now, "leased_until": now + _lease(project)}
    if own is None:
        return Seat.objects.create(
            project=project,
            request=request,
            kind=kind.name,
            slot=slot,
            position=request.position,
            holder=actor,
            **times,
        )
    moved = Seat.objects.filter(pk=own, state=State.RETURNED).update(
        state=State.HELD, slot=slot, returned_why="", reason="", **times
    )
    return Seat.objects.select_related("request", "project").get(pk=own) if moved else None
