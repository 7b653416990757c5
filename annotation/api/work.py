"""My work: the next item, my seats, their drafts, and what can be done with them."""

from uuid import UUID

from django.db.models import prefetch_related_objects
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.api.fields import Anything, PageFilters, Sent, Shown, Text, Whole
from annotation.api.operations import Answer, Call, operation
from annotation.api.pagination import Page
from annotation.api.requests import RequestShown
from annotation.desk import WORK_KINDS, WorkKind
from annotation.models import Seat
from annotation.services import consent, drafts, seats
from annotation.services.projects import Refused

STATES = Seat.State.values
MINE = {"scope": "annotate", "act": "annotate"}


class SeatLine(Shown):
    id = serializers.UUIDField(source="public_id")
    kind = serializers.CharField()
    request = serializers.CharField(source="request.key")
    state = serializers.ChoiceField(STATES)
    version = serializers.IntegerField(source="draft_version")
    taken_at = serializers.DateTimeField()
    leased_until = serializers.DateTimeField()
    sealed_at = serializers.DateTimeField(allow_null=True)


class SeatShown(SeatLine):
    """A seat of one's own with the words of its request and the draft as it stands.

    `answers` are those of the request, for the work whose page shows them (a paraphrase) while the
    seat is held: that they were shown is recorded first. Null for any other seat. `outcome` is what
    the page after a seal tells: of a practice item how much was found, and the known contract.
    """

    request = RequestShown()  # type: ignore[assignment] # the words instead of the id
    answers = serializers.ListField(child=serializers.CharField(), allow_null=True)
    draft = serializers.DictField()
    draft_saved_at = serializers.DateTimeField(allow_null=True)
    outcome = serializers.DictField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class DraftShown(Shown):
    version = serializers.IntegerField(source="draft_version")
    draft = serializers.DictField()
    saved_at = serializers.DateTimeField(source="draft_saved_at", allow_null=True)


class SeatFilters(PageFilters):
    kind = serializers.CharField(required=False, max_length=20)
    state = serializers.ChoiceField(STATES, required=False)


class VersionSent(Sent):
    """`version` is the version of the draft that was read."""

    version = Whole()


class DraftSent(VersionSent):
    """`draft` has the shape of its kind of work: for a sheet that of contracts.jsonl."""

    draft = Anything()


class ReasonSent(Sent):
    reason = Text(max_length=2_000)


@operation(
    "POST", **MINE, answer=SeatShown, also={204: "Nothing of this kind is left for you now."}
)
def work_next(call: Call, kind: str) -> Seat | Answer:
    """Take the next item of a kind of work; the one at which I am at work comes first."""
    if kind not in WORK_KINDS:
        raise Http404
    if consent.needed(call.person, call.project):
        raise Refused(_("Agree to the terms of this study first, on its page “consent”."))
    seat = seats.take_next(actor=call.person, project=call.project, kind_name=kind)
    return _told(call, _whole(seat)) if seat else Answer(None, 204)


@operation("GET", **MINE, query=SeatFilters, answer=SeatLine, paged=True)
def own_seats(call: Call) -> Page:
    """My seats, in the order in which I took them."""
    rows = Seat.objects.filter(project=call.project, holder=call.person)
    if "kind" in call.query:
        rows = rows.filter(kind=call.query["kind"])
    if "state" in call.query:
        rows = rows.filter(state=call.query["state"])
    return call.page(rows.select_related("request"), "pk")


@operation("GET", **MINE, answer=SeatShown, refusals=(422,))
def seat(call: Call, seat_id: UUID) -> Seat:
    """One of my seats; somebody else's does not exist for me."""
    return _told(call, _own(call, seat_id))


@operation("GET", **MINE, answer=DraftShown)
def draft(call: Call, seat_id: UUID) -> Seat:
    """The draft on one of my seats, with the version to send when it is saved."""
    return _own(call, seat_id)


@operation("PUT", **MINE, body=DraftSent, answer=DraftShown)
def draft_saved(call: Call, seat_id: UUID) -> Seat:
    """Save a whole draft. A stale version is a 409 with both versions; both are kept."""
    found = _at_work(call, seat_id)
    kind, sent = _kind(found), call.sent("draft")
    read = kind.read_draft(found, call.body["draft"])
    if kind.keep:
        return kind.keep(call.person, found, read, sent)
    return drafts.save_draft(seat=found, draft=read, sent=sent)


@operation("POST", **MINE, body=VersionSent, answer=DraftShown)
def seat_undone(call: Call, seat_id: UUID) -> Seat:
    """Go back to the draft before the last change."""
    return drafts.undo(seat=_at_work(call, seat_id), sent=call.sent("undo"))


@operation("POST", **MINE, body=VersionSent, answer=DraftShown)
def seat_redone(call: Call, seat_id: UUID) -> Seat:
    """Take the last undo back."""
    return drafts.redo(seat=_at_work(call, seat_id), sent=call.sent("redo"))


@operation("POST", **MINE, body=VersionSent, answer=SeatShown)
def seat_sealed(call: Call, seat_id: UUID) -> Seat:
    """Seal the draft of this version. From here on it never changes."""
    found = _at_work(call, seat_id)
    _kind(found).seal(call.person, found, call.sent("seal"))
    return _told(call, _own(call, seat_id))


@operation("POST", **MINE, answer=SeatShown)
def seat_retracted(call: Call, seat_id: UUID) -> Seat:
    """Take back what I sealed in the last ten minutes, if nobody has read it."""
    return _told(call, _whole(seats.retract(actor=call.person, seat=_own(call, seat_id))))


@operation("POST", **MINE, answer=SeatShown)
def seat_later(call: Call, seat_id: UUID) -> Seat:
    """Put the item aside; the draft is kept."""
    seats.give_back(actor=call.person, seat=_own(call, seat_id))
    return _told(call, _own(call, seat_id))


@operation("POST", **MINE, answer=SeatShown)
def seat_again(call: Call, seat_id: UUID) -> Seat:
    """Go on with an item that was put aside or whose lease ran out, or do a sealed practice item
    once more.
    """
    found = _own(call, seat_id)
    once_more = _kind(found).once_more
    if once_more and found.state == Seat.State.SUBMITTED:
        return _told(call, _whole(once_more(call.person, found)))
    return _told(call, _whole(seats.take_up_again(actor=call.person, seat=found)))


@operation("POST", **MINE, body=ReasonSent, answer=SeatShown)
def seat_cannot_judge(call: Call, seat_id: UUID) -> Seat:
    """Give the item up, with the reason for the owner."""
    seats.cannot_judge(actor=call.person, seat=_own(call, seat_id), reason=call.body["reason"])
    return _told(call, _own(call, seat_id))


def _kind(found: Seat) -> WorkKind:
    return WORK_KINDS[found.kind]


def _own(call: Call, seat_id: UUID) -> Seat:
    return _whole(seats.own_seat(actor=call.person, project=call.project, seat_id=seat_id))


def _whole(found: Seat) -> Seat:
    prefetch_related_objects([found.request], "turns", "request_class")
    return found


def _told(call: Call, found: Seat) -> Seat:
    """The seat with what its page shows besides: the answers of its request, which is recorded
    first, and what came of a seal.
    """
    kind = _kind(found)
    show = kind.answers if found.state == Seat.State.HELD else None
    found.answers = show(call.person, found) if show else None  # type: ignore[attr-defined]
    found.outcome = kind.outcome(found) if kind.outcome else None  # type: ignore[attr-defined]
    return found


def _at_work(call: Call, seat_id: UUID) -> Seat:
    """My seat for an act that changes it: one that ran out is taken up again where that is open,
    and where it is not a save is kept all the same.
    """
    found = _own(call, seat_id)
    if found.state != Seat.State.RETURNED:
        return found
    consent.refuse_withdrawn(person=call.person, project=call.project)
    try:
        return _whole(seats.take_up_again(actor=call.person, seat=found))
    except Refused:
        return found
