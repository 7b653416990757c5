"""What the acts of the desk and the bench share: the person's own seat, and how a refusal reaches
the page.
"""

import json
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from annotation.access import open_project, reader
from annotation.canonical import content_hash
from annotation.desk import WORK_KINDS
from annotation.fragments import wants_fragment
from annotation.models import Project, Revision, Seat
from annotation.services import consent, drafts, seats
from annotation.services.drafts import Sent
from annotation.services.projects import Refused

SeatAct = Callable[..., HttpResponse]


def by_htmx(request: HttpRequest) -> bool:
    """Tell whether htmx asks for a fragment of a page that stands already."""
    return wants_fragment(request)


def go_to(request: HttpRequest, page: str, *args: Any) -> HttpResponse:
    """Send the browser to another page, whether it asked by htmx or by a plain POST."""
    there = redirect(page, *args)
    return HttpResponseClientRedirect(there.url) if by_htmx(request) else there


def seat_of(request: HttpRequest, project: Project, seat_id: UUID, *kinds: str) -> Seat:
    """Return the reader's own seat, of one of the kinds if any are named; a seat of somebody else
    or of another kind is a 404.
    """
    try:
        seat = seats.own_seat(actor=reader(request), project=project, seat_id=seat_id)
    except Seat.DoesNotExist as nothing:
        raise Http404("There is no such seat, or it is not yours.") from nothing
    if kinds and seat.kind not in kinds:
        raise Http404("This seat is for another kind of work.")
    seat.request.project = seat.project
    prefetch_related_objects([seat.request], "turns")  # every part of the page reads them
    return seat


def seat_act(*kinds: str) -> Callable[[SeatAct], SeatAct]:
    """Make a POST view of `act(request, project, seat, **rest)`: own seat only, refusals shown
    where they belong, both versions of a conflict kept.

    A seat that ran out while its holder paused is taken up again, if nobody else has it now.
    """

    def make(act: SeatAct) -> SeatAct:
        @require_POST
        @wraps(act)
        def view(request: HttpRequest, slug: str, seat_id: UUID, **rest: Any) -> HttpResponse:
            project = open_project(request, slug, "annotate")
            seat = seat_of(request, project, seat_id, *kinds)
            count_active(request, seat)
            try:
                if seat.state != Seat.State.RETURNED:
                    return act(request, project, seat, **rest)
                seat = _taken_up(request, seat)
                return _saying_so(act(request, project, seat, **rest), seat)
            except drafts.StaleDraft as stale:
                return conflict(request, project, seat, stale.aside)
            except Refused as refusal:
                faults = str(refusal).splitlines()
                page = WORK_KINDS[seat.kind].page
                status = 409 if isinstance(refusal, seats.NotHeld) else 422
                return refused(request, faults, status, page, project.slug, seat.public_id)

        return view

    return make


def _taken_up(request: HttpRequest, seat: Seat) -> Seat:
    consent.refuse_withdrawn(person=reader(request), project=seat.project)
    try:
        taken = seats.take_up_again(actor=reader(request), seat=seat)
    except Refused:
        return seat  # a save is kept all the same; a seal says what happened
    prefetch_related_objects([taken.request], "turns")
    return taken


def _saying_so(response: HttpResponse, seat: Seat) -> HttpResponse:
    """Tell the page that the seat had run out, and is its own again."""
    if seat.state == Seat.State.HELD and "HX-Trigger" in response:
        response["HX-Trigger"] = json.dumps(
            {**json.loads(response["HX-Trigger"]), "seat-again": {}}
        )
    return response


def count_active(request: HttpRequest, seat: Seat) -> None:
    """Count the seconds at work, without idle time, that the page measured."""
    seconds = request.POST.get("active", "")
    if seconds.isascii() and seconds.isdecimal() and len(seconds) < 7 and int(seconds):
        seats.add_active(seat=seat, seconds=int(seconds))


def conflict(request: HttpRequest, project: Project, seat: Seat, aside: Revision) -> HttpResponse:
    """Both versions side by side: what this page wanted to save, and what was saved elsewhere."""
    seat.refresh_from_db()
    there = reverse("seat-conflict", args=[project.slug, seat.public_id, aside.pk])
    if not by_htmx(request):
        return redirect(there)
    context = {"project": project, "seat": seat, "inline": True} | both_versions(seat, aside)
    response = render(request, "desk/_conflict.html", context, status=409)
    response["HX-Retarget"], response["HX-Reswap"] = "#conflict", "innerHTML"
    return response


def both_versions(seat: Seat, aside: Revision) -> dict[str, Any]:
    """What the conflict shows: the draft of this page and the one in force, to be read."""
    shown = WORK_KINDS[seat.kind].draft_shown
    return {
        "aside": aside,
        "mine": shown(seat, dict(aside.draft)),
        "theirs": shown(seat, dict(seat.draft)),
        "open": seat.state in (Seat.State.HELD, Seat.State.RETURNED),
        "page": reverse(WORK_KINDS[seat.kind].page, args=[seat.project.slug, seat.public_id]),
    }


def refused(
    request: HttpRequest, faults: Sequence[object], status: int, page: str, *args: Any
) -> HttpResponse:
    """Show why nothing was written: beside the work, which stays as it is, or after a redirect."""
    if not by_htmx(request):
        messages.error(request, "\n".join(str(fault) for fault in faults))
        return redirect(page, *args)
    act = request.resolver_match.url_name if request.resolver_match else ""
    response = render(
        request,
        "desk/_refused.html",
        {"faults": faults, "act": (act or "").rpartition("-")[2]},
        status=status,
    )
    response["HX-Reswap"] = "none"
    return response


def sent_of(request: HttpRequest) -> Sent:
    """Which draft the page read, and the key of this save; a page without a version is refused."""
    version = request.POST.get("version", "")
    if not (version.isascii() and version.isdecimal() and len(version) < 10):
        raise Refused(_("The page did not say which draft it showed. Reload it."))
    act = request.resolver_match.url_name if request.resolver_match else ""
    key = request.headers.get("Idempotency-Key") or request.POST.get("key", "")
    try:
        named = UUID(key) if key else None
    except ValueError:
        named = None
    fields = [
        (name, values)
        for name, values in sorted(request.POST.lists())
        if name not in ("csrfmiddlewaretoken", "version", "key", "active")
    ]
    return Sent(int(version), named, content_hash([request.path, fields]), act or "")


def with_version(response: HttpResponse, seat: Seat, at: str = "") -> HttpResponse:
    """Tell the page which draft it shows now, so that its next save is not a stale one, whether
    undo and redo lead anywhere, and the id of the element `at` which the draft was changed.
    """
    steps = drafts.steps(seat)
    saved = {"version": seat.draft_version, "undo": steps.undo, "redo": steps.redo, "at": at}
    response["HX-Trigger"] = json.dumps({"draft-saved": saved})
    return response
