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
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from annotation.access import open_project, reader
from annotation.models import Project, Seat
from annotation.services import seats
from annotation.services.projects import Refused

SeatAct = Callable[..., HttpResponse]


def by_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


def go_to(request: HttpRequest, page: str, *args: Any) -> HttpResponse:
    """Send the browser to another page, whether it asked by htmx or by a plain POST."""
    there = redirect(page, *args)
    return HttpResponseClientRedirect(there.url) if by_htmx(request) else there


def seat_of(request: HttpRequest, project: Project, seat_id: UUID, kind: str | None = None) -> Seat:
    """Return the reader's own seat; a seat of somebody else or of another kind is a 404."""
    try:
        seat = seats.own_seat(actor=reader(request), project=project, seat_id=seat_id)
    except Seat.DoesNotExist as nothing:
        raise Http404("There is no such seat, or it is not yours.") from nothing
    if kind and seat.kind != kind:
        raise Http404("This seat is for another kind of work.")
    prefetch_related_objects([seat.request], "turns")  # every part of the page reads them
    return seat


def seat_act(kind: str | None = None) -> Callable[[SeatAct], SeatAct]:
    """Make a POST view of `act(request, project, seat, **rest)`: own seat only, refusals shown
    where they belong.
    """

    def make(act: SeatAct) -> SeatAct:
        @require_POST
        @wraps(act)
        def view(request: HttpRequest, slug: str, seat_id: UUID, **rest: Any) -> HttpResponse:
            project = open_project(request, slug, "annotate")
            seat = seat_of(request, project, seat_id, kind)
            try:
                return act(request, project, seat, **rest)
            except seats.StaleDraft as stale:
                return refused(request, [str(stale)], 409, seat.kind, project.slug, seat.public_id)
            except Refused as refusal:
                faults = str(refusal).splitlines()
                return refused(request, faults, 422, seat.kind, project.slug, seat.public_id)

        return view

    return make


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
        "contracts/_refused.html",
        {"faults": faults, "stale": status == 409, "act": (act or "").rpartition("-")[2]},
        status=status,
    )
    response["HX-Reswap"] = "none"
    return response


def version_of(request: HttpRequest) -> int:
    """The version of the draft that the page read; a page without one is refused."""
    sent = request.POST.get("version", "")
    if not (sent.isascii() and sent.isdecimal() and len(sent) < 10):
        raise Refused(_("The page did not say which draft it showed. Reload it."))
    return int(sent)


def with_version(response: HttpResponse, seat: Seat) -> HttpResponse:
    """Tell the page which draft it shows now, so that its next save is not a stale one."""
    response["HX-Trigger"] = json.dumps({"draft-saved": {"version": seat.draft_version}})
    return response
