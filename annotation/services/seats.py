"""Seats: who may work on what, now. A seat is claimed by inserting a row that the database allows
only once.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.desk import WORK_KINDS, WorkKind
from annotation.models import Person, Project, Request, Seat
from annotation.permissions import require
from annotation.services.projects import Refused, lock

State = Seat.State


class StaleDraft(Exception):
    """The draft was changed elsewhere after this page read it; nothing was written."""


@transaction.atomic
def take_next(*, actor: Person, project: Project, kind_name: str) -> Seat | None:
    """Return the seat that the person holds of this kind, or claim the next free one; None when
    nothing is left.
    """
    require(actor, "annotate", project)
    kind = WORK_KINDS[kind_name]
    lock(project)
    return_expired(project=project)
    held = Seat.objects.filter(
        project=project, kind=kind.name, holder=actor, state=State.HELD
    ).first()
    if held and kind.open_to(project, actor).filter(pk=held.request_id).exists():
        return _renew(held)
    if held:  # what the person was shown meanwhile, or a contract, closed it for them
        release(seat=held)
    # What the person put aside comes back only when nothing else is left.
    aside = Seat.objects.filter(kind=kind.name, holder=actor, state=State.RETURNED)
    open_requests = kind.open_to(project, actor)
    for turn in (
        open_requests.exclude(seats__in=aside),
        open_requests.filter(seats__in=aside),
    ):
        for request in turn.iterator(chunk_size=50):
            seat = _claim(kind, request, actor, project)
            if seat:
                return seat
    return None


def own_seat(*, actor: Person, project: Project, seat_id: UUID) -> Seat:
    """Return the person's own held seat. A seat of somebody else does not exist for them."""
    seat = (
        Seat.objects.select_related("request__request_class", "project")
        .filter(public_id=seat_id, project=project, holder=actor)
        .first()
    )
    if seat is None:
        raise Seat.DoesNotExist
    return seat


@transaction.atomic
def save_draft(*, seat: Seat, draft: dict[str, Any], version: int) -> Seat:
    """Replace the draft if it still is the one that the page read; the lease starts anew."""
    now = timezone.now()
    saved = Seat.objects.filter(pk=seat.pk, state=State.HELD, draft_version=version).update(
        draft=draft,
        draft_version=version + 1,
        draft_saved_at=now,
        leased_until=now + timedelta(minutes=seat.project.lease_minutes),
    )
    if not saved:
        raise StaleDraft(
            _("This item was changed in another tab or sealed. Reload to see how it stands now.")
        )
    seat.refresh_from_db()
    return seat


def submit(*, seat: Seat) -> None:
    """Mark the seat as sealed; False moves mean that somebody else was first. Call inside the
    sealing transaction.
    """
    moved = Seat.objects.filter(pk=seat.pk, state=State.HELD).update(state=State.SUBMITTED)
    if not moved:
        raise Refused(_("This item is no longer yours to seal: its seat was returned or sealed."))


def give_back(*, actor: Person, seat: Seat) -> None:
    """Later: the seat goes back to the pool and keeps the person's draft."""
    _own(actor, seat)
    release(seat=seat)


def release(*, seat: Seat) -> None:
    """Return the seat to the pool; its draft stays."""
    Seat.objects.filter(pk=seat.pk, state=State.HELD).update(state=State.RETURNED)


def cannot_judge(*, actor: Person, seat: Seat, reason: str) -> None:
    """The person cannot do this item; the reason is for the owner."""
    _own(actor, seat)
    if not reason.strip():
        raise Refused(_("Say in a few words why it cannot be judged."))
    Seat.objects.filter(pk=seat.pk, state=State.HELD).update(
        state=State.CANNOT_JUDGE, reason=reason.strip()
    )


def return_expired(*, project: Project) -> int:
    """Return every seat whose lease ran out; its draft stays. Running it twice changes nothing
    more.
    """
    return Seat.objects.filter(project=project).expired(timezone.now()).update(state=State.RETURNED)


def _own(actor: Person, seat: Seat) -> None:
    if seat.holder_id != actor.pk:
        raise PermissionDenied(_("This seat is somebody else's."))


def _renew(seat: Seat) -> Seat:
    seat.leased_until = timezone.now() + timedelta(minutes=seat.project.lease_minutes)
    seat.save(update_fields=["leased_until"])
    return seat


def _claim(kind: WorkKind, request: Request, actor: Person, project: Project) -> Seat | None:
    """Claim the lowest free slot of the request, or the person's own returned seat; None when
    another was first.
    """
    now = timezone.now()
    lease = now + timedelta(minutes=project.lease_minutes)
    seats = Seat.objects.filter(request=request, kind=kind.name)
    used = set(seats.taken().values_list("slot", flat=True))
    free = next((n for n in range(1, kind.seats_wanted(project) + 1) if n not in used), None)
    if free is None:
        return None
    own = seats.filter(holder=actor).first()
    try:
        with transaction.atomic():
            if own is None:
                return Seat.objects.create(
                    project=project,
                    request=request,
                    kind=kind.name,
                    slot=free,
                    holder=actor,
                    taken_at=now,
                    leased_until=lease,
                )
            moved = Seat.objects.filter(pk=own.pk, state=State.RETURNED).update(
                state=State.HELD, slot=free, taken_at=now, leased_until=lease
            )
    except IntegrityError:
        return None
    if not moved:
        return None
    own.refresh_from_db()
    return own
