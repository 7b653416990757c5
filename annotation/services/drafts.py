"""The draft on a seat: every save is kept, a repeated save is recognised, a stale one is kept
aside, and undo and redo lead through all of it.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.changes import places
from annotation.models import Revision, Seat
from annotation.services.projects import Refused

State = Seat.State
ONE_STEP = timedelta(seconds=5)  # typing in one field with no longer pause is one step of undo


@dataclass(frozen=True)
class Steps:
    """Whether undo and redo lead anywhere from the draft in force."""

    undo: bool = False
    redo: bool = False


@dataclass(frozen=True)
class Sent:
    """What a page says of its save: the version of the draft that it read, and for a save that may
    come twice its key with the hash of what was sent.
    """

    version: int
    key: UUID | None = None
    fingerprint: str = ""
    act: str = field(default="", compare=False)


class StaleDraft(Exception):
    """The draft was changed elsewhere after this page read it. What the page wanted to save is
    kept as `aside`.
    """

    def __init__(self, aside: Revision) -> None:
        super().__init__(
            _("This item was changed in another tab or sealed. Both versions are kept: choose.")
        )
        self.aside = aside


class KeyUsedTwice(Refused):
    """The same key came with other content."""


def repeats(seat: Seat, sent: Sent) -> bool:
    """Tell whether this save came before, which is asked before its version is looked at. Raises
    KeyUsedTwice when its key came with something else.
    """
    if sent.key is None:
        return False
    earlier = seat.revisions.filter(key=sent.key).first()
    if earlier is None:
        return False
    if earlier.fingerprint != sent.fingerprint:
        raise KeyUsedTwice(_("This key was used for another change: reload the page."))
    return True


def draft_at(seat: Seat, version: int) -> dict[str, Any]:
    """Return the draft as it was at a version; the page may have read an older one."""
    if version == seat.draft_version:
        return dict(seat.draft)
    if version == 0:
        return {}
    found = seat.revisions.filter(version=version, aside=False).first()
    if found is None:
        raise Refused(_("The page did not say which draft it showed. Reload it."))
    return dict(found.draft)


def save_draft(*, seat: Seat, draft: dict[str, Any], sent: Sent, typed: bool = False) -> Seat:
    """Make `draft` the seat's draft if it still is the one that the page read; the lease starts
    anew. A seat that went back to the pool takes its owner's words too, and stays there.

    `typed` saves, which come while somebody types in a field, join the step of undo before them
    when that was the same field, a moment ago.
    """
    if repeats(seat, sent):
        return _as_it_is(seat)
    undo_to, redo_to = _steps_of_a_save(seat, draft, sent, typed)
    return _write(seat, draft, sent, undo_to=undo_to, redo_to=redo_to)


def steps(seat: Seat) -> Steps:
    """Tell whether there is something to undo, and to redo."""
    known = seat.__dict__.get("_steps")  # from the save of this request: an answer asks twice
    if known and known[0] == seat.draft_version:
        return Steps(*known[1:])
    now = seat.revisions.filter(version=seat.draft_version, aside=False)
    ways = now.values_list("undo_to", "redo_to").first()
    return Steps(*(way is not None for way in ways)) if ways else Steps()


def stale(seat: Seat, sent: Sent) -> StaleDraft:
    """What to raise when a page acts on a draft that is no longer in force; its draft is kept."""
    return StaleDraft(_kept_aside(seat, draft_at(seat, sent.version), sent))


def keep_aside(*, seat: Seat, aside: Revision, sent: Sent) -> Seat:
    """Make what a stale page wanted to save the draft; the other version stays one undo away."""
    return save_draft(seat=seat, draft=dict(aside.draft), sent=sent)


def undo(*, seat: Seat, sent: Sent) -> Seat:
    """Go back to the draft before the last change."""
    if repeats(seat, sent):
        return _as_it_is(seat)
    there = _reached(seat, sent.version, "undo_to")
    if there is None:
        raise Refused(_("There is nothing to undo."))
    return _write(seat, there.draft, sent, undo_to=there.undo_to, redo_to=sent.version)


def redo(*, seat: Seat, sent: Sent) -> Seat:
    """Take the last undo back."""
    if repeats(seat, sent):
        return _as_it_is(seat)
    there = _reached(seat, sent.version, "redo_to")
    if there is None:
        raise Refused(_("There is nothing to redo."))
    return _write(seat, there.draft, sent, undo_to=sent.version, redo_to=there.redo_to)


def _steps_of_a_save(
    seat: Seat, draft: dict[str, Any], sent: Sent, typed: bool
) -> tuple[int | None, int | None]:
    """Where undo and redo lead after a save. One that changes nothing is no step."""
    same = sent.version == seat.draft_version and draft == seat.draft
    if not (typed or same):
        return sent.version, None
    last = seat.revisions.filter(version=sent.version, aside=False).first()
    if last is None or (last.undo_to is None and not same):
        return sent.version, None
    if same:
        return last.undo_to, last.redo_to
    soon = last.act == sent.act and timezone.now() - last.at < ONE_STEP
    if soon and places(draft_at(seat, last.undo_to or 0), last.draft) == places(last.draft, draft):
        return last.undo_to, None
    return sent.version, None


def _reached(seat: Seat, version: int, way: str) -> Revision | None:
    """The revision to which undo or redo leads from a version; before the first save lies an empty
    draft.
    """
    now = seat.revisions.filter(version=version, aside=False).first()
    target = getattr(now, way) if now else None
    if target is None:
        return None
    if target == 0:
        return Revision(seat=seat, version=0, draft={})
    return seat.revisions.filter(version=target, aside=False).first()


def _write(
    seat: Seat,
    draft: dict[str, Any],
    sent: Sent,
    *,
    undo_to: int | None,
    redo_to: int | None = None,
) -> Seat:
    now = timezone.now()
    revision = Revision(
        seat=seat, version=sent.version + 1, draft=draft, act=sent.act, at=now,
        undo_to=undo_to, redo_to=redo_to, key=sent.key, fingerprint=sent.fingerprint,
    )  # fmt: skip
    lease = now + timedelta(minutes=seat.project.lease_minutes)
    with transaction.atomic():
        ours = Seat.objects.filter(pk=seat.pk, draft_version=sent.version)
        saved = ours.filter(state__in=[State.HELD, State.RETURNED]).update(
            draft=draft, draft_version=sent.version + 1, draft_saved_at=now, leased_until=lease
        )
        if saved:
            revision.save()
    if saved:
        seat.__dict__["_steps"] = (sent.version + 1, undo_to is not None, redo_to is not None)
        seat.draft, seat.draft_version = draft, sent.version + 1
        seat.draft_saved_at, seat.leased_until = now, lease
        return seat
    if repeats(seat, sent):  # the same save, at the same moment
        return _as_it_is(seat)
    raise StaleDraft(_kept_aside(seat, draft, sent))


def _kept_aside(seat: Seat, draft: dict[str, Any], sent: Sent) -> Revision:
    """The row that keeps what a stale page wanted; a save that came twice has one."""
    last = seat.revisions.filter(aside=True, version=sent.version).last()
    if last is not None and (last.draft, last.act) == (draft, sent.act):
        return last
    return Revision.objects.create(
        seat=seat,
        version=sent.version,
        draft=draft,
        act=sent.act,
        at=timezone.now(),
        aside=True,
    )


def _as_it_is(seat: Seat) -> Seat:
    """The seat as the database has it, keeping the request that the page has loaded."""
    fields = ("state", "slot", "draft", "draft_version", "draft_saved_at", "leased_until")
    seat.refresh_from_db(fields=[*fields, "sealed_at", "read_at", "active_seconds"])
    return seat
