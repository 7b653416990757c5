"""Taking a request to the bench, taking it over, and putting it down."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Person, Request
from annotation.permissions import may, require
from annotation.services import ledger, seats
from annotation.services.exposure import expose
from annotation.services.projects import Refused, lock
from contracts.models import Adjudication, Gold, Sheet
from contracts.services.bench.holding import State, own_open
from contracts.services.bench.rows import farthest_pair, further_sheets
from contracts.services.bench.waiting import (
    closed_to_annotators,
    requests_annotated_by,
    sheets_wanted,
)
from contracts.services.sheets import left_out


@transaction.atomic
def open_adjudication(*, actor: Person, request: Request) -> Adjudication:
    """Open the request for the actor: freezes the two sheets, hides who wrote which, and says so
    in the ledger.

    One that is put down, or whose adjudicator is none any more, goes on with its decisions.
    """
    require(actor, "adjudicate", request.project)
    _refuse_own_work(actor, request)
    open_now = Adjudication.objects.filter(request=request, state=State.OPEN)
    if own := open_now.filter(adjudicator=actor).first():
        return own
    if closed_to_annotators(request.project, actor).filter(pk=request.pk).exists():
        raise PermissionDenied(_("This request does not wait on the bench for you."))
    if Gold.objects.filter(request=request).exists():
        raise Refused(_("The contract of this request is known: there is nothing to settle."))
    lock(request.project)
    if current := open_now.select_related("adjudicator").first():
        return _taken_over(actor, current)
    if request.contracts.exists():
        raise Refused(_("This request has its contract already."))
    blind = Sheet.objects.sealed_for(request).exclude(pk__in=left_out(request.project))
    sheets, wanted = list(blind), sheets_wanted(request)
    if len(sheets) < wanted:
        raise Refused(
            _("%(done)d of %(wanted)d sheets are sealed: wait for the others.")
            % {"done": len(sheets), "wanted": wanted}
        )
    a, b = in_places(request, farthest_pair(sheets))
    adjudication = Adjudication.objects.create(
        request=request, adjudicator=actor, sheet_a=a, sheet_b=b
    )
    _shown(actor, adjudication, sheets)
    ledger.record(
        project=request.project,
        kind="adjudication.opened",
        subject=request.key,
        content={"sheets": [a.sha256, b.sha256], "of": len(sheets)},
        actor=actor,
    )
    return adjudication


def in_places(request: Request, pair: tuple[Sheet, Sheet]) -> tuple[Sheet, Sheet]:
    """Which sheet is A is decided by a hash, so that the place says nothing about the person."""
    first, second = pair
    odd = int(content_hash([request.sha256, first.sha256, second.sha256]), 16) % 2
    return (second, first) if odd else (first, second)


def may_go_on(adjudication: Adjudication) -> bool:
    """Whether the adjudicator who has it open can still settle it."""
    holder = adjudication.adjudicator
    if holder is None or not holder.is_active:
        return False
    return may(holder, "adjudicate", adjudication.request.project).allowed


@transaction.atomic
def put_down(*, actor: Person, adjudication: Adjudication) -> None:
    """Later: give the request back to the bench; the decisions stay for whoever goes on."""
    lock(adjudication.request.project)
    own_open(actor, adjudication)
    Adjudication.objects.filter(pk=adjudication.pk, state=State.OPEN).update(adjudicator=None)
    _record(adjudication, "adjudication.put_down", actor)


def _taken_over(actor: Person, current: Adjudication) -> Adjudication:
    if current.adjudicator_id == actor.pk:
        return current
    if may_go_on(current):
        raise Refused(_("Another adjudicator has this request open."))
    moved = Adjudication.objects.filter(
        pk=current.pk, state=State.OPEN, adjudicator=current.adjudicator_id
    ).update(adjudicator=actor)
    if not moved:
        raise Refused(_("Another adjudicator has this request open."))
    current.adjudicator = actor
    _shown(actor, current, [current.sheet_a, current.sheet_b, *further_sheets(current)])
    _record(current, "adjudication.taken_over", actor)
    return current


def _shown(actor: Person, adjudication: Adjudication, sheets: list[Sheet]) -> None:
    request = adjudication.request
    seats.mark_read(seats=request.seats.filter(sheets__in=sheets))
    expose(person=actor, project=request.project, subject=request.key, what="sheets")


def _record(adjudication: Adjudication, kind: str, actor: Person) -> None:
    request = adjudication.request
    content = {"decided": adjudication.decisions.count()}
    ledger.record(
        project=request.project, kind=kind, subject=request.key, content=content, actor=actor
    )


def _refuse_own_work(actor: Person, request: Request) -> None:
    if requests_annotated_by(actor).filter(pk=request.pk).exists():
        raise PermissionDenied(
            _("You annotated this request, so somebody else must adjudicate it.")
        )
    brought = request.project.ledger.filter(kind="sheet.sealed", subject=request.key, actor=actor)
    if brought.exists():
        raise PermissionDenied(
            _("You brought in a sheet of this request, so somebody else must adjudicate it.")
        )
