"""My work: the next item of each kind, and what the person put aside."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation import progress
from annotation.access import open_project, own_project, reader
from annotation.desk import WORK_KINDS
from annotation.forms import ReasonForm
from annotation.models import Project, Seat
from annotation.services import consent, drafts, seats
from annotation.services.projects import Refused
from annotation.views.acting import (
    both_versions,
    by_htmx,
    count_active,
    go_to,
    seat_act,
    seat_of,
    sent_of,
)

SHOWN = 20  # items put aside that the desk lists


@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The desk of the reader: one button that starts, and how far they are themselves."""
    project = open_project(request, slug, "annotate")
    person = reader(request)
    own = Seat.objects.filter(project=project, holder=person, kind__in=WORK_KINDS)
    kinds = progress.own_by_kind(person, project)
    aside = own.aside().order_by("-taken_at")
    context = {
        "project": project,
        "kinds": [found for found in kinds if found.wanted or found.begun],
        "held": own.filter(state=Seat.State.HELD).select_related("request").first(),
        "came_back": _came_back(own.filter(state__in=[Seat.State.HELD, Seat.State.RETURNED])),
        "aside": _listed(aside[:SHOWN]),
        "more_aside": max(0, aside.count() - SHOWN),
        "sealed": _listed(seats.retractable(actor=person, project=project)[:SHOWN]),
    }
    return render(request, "desk/desk.html", context)


@require_POST
def desk_next(request: HttpRequest, slug: str, kind: str = "") -> HttpResponse:
    """Take the next item of a kind, or of the first kind that has one, and go to it."""
    project, person = own_project(request, slug), reader(request)
    if kind and kind not in WORK_KINDS:
        raise Http404("There is no such kind of work.")
    if consent.needed(person, project):
        return redirect("consent", slug)
    if kind:
        seat = seats.take_next(actor=person, project=project, kind_name=kind)
        nothing = _("Nothing of this kind is left for you now.")
    else:
        seat = seats.take_first(actor=person, project=project)
        nothing = _("Nothing is left for you now.")
    if seat is None:
        messages.info(request, nothing)
        return redirect("desk", slug)
    return redirect(WORK_KINDS[seat.kind].page, slug, seat.public_id)


@seat_act()
def seat_later(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Put the item aside and go on."""
    seats.give_back(actor=reader(request), seat=seat)
    return go_on(request, project, seat, _("Put aside; your draft is kept."))


@seat_act()
def seat_again(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Go on with an item that was put aside."""
    seats.take_up_again(actor=reader(request), seat=seat)
    return go_to(request, WORK_KINDS[seat.kind].page, project.slug, seat.public_id)


@seat_act()
def seat_cannot_judge(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Give the item up, with the reason, and go on."""
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    seats.cannot_judge(actor=reader(request), seat=seat, reason=reason)
    return go_on(request, project, seat, _("Recorded that you cannot judge it."))


@seat_act()
def seat_undo(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Go back to the draft before the last change."""
    return _work(request, project, drafts.undo(seat=seat, sent=sent_of(request)))


@seat_act()
def seat_redo(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Take the last undo back."""
    return _work(request, project, drafts.redo(seat=seat, sent=sent_of(request)))


@seat_act()
def seat_keep(request: HttpRequest, project: Project, seat: Seat, aside_id: int) -> HttpResponse:
    """Settle a conflict: what this page wanted to save becomes the draft."""
    aside = get_object_or_404(seat.revisions.filter(aside=True), pk=aside_id)
    seat = drafts.keep_aside(seat=seat, aside=aside, sent=sent_of(request))
    return _work(request, project, seat)


@require_safe
def seat_conflict(request: HttpRequest, slug: str, seat_id: UUID, aside_id: int) -> HttpResponse:
    """Both versions of a conflict on a page of their own."""
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id)
    aside = get_object_or_404(seat.revisions.filter(aside=True), pk=aside_id)
    context = {"project": project, "seat": seat} | both_versions(seat, aside)
    return render(request, "desk/conflict.html", context)


@seat_act()
def seat_retract(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Take back what was just sealed, and go on with it."""
    seats.retract(actor=reader(request), seat=seat)
    return go_to(request, WORK_KINDS[seat.kind].page, project.slug, seat.public_id)


@require_POST
def seat_active(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """Count time at work, without idle time, as the page measured it."""
    project = open_project(request, slug, "annotate")
    count_active(request, seat_of(request, project, seat_id))
    return HttpResponse(status=204)


@require_safe
def seat_work(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """The work as it is now, for a page that shows an older draft."""
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id)
    if seat.state != Seat.State.HELD:
        return go_to(request, WORK_KINDS[seat.kind].page, project.slug, seat.public_id)
    try:
        return _work(request, project, seat)
    except Refused as refusal:  # what it would show must not be shown
        messages.error(request, str(refusal))
        return go_to(request, "desk", project.slug)


def _work(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    kind = WORK_KINDS[seat.kind]
    if not by_htmx(request):
        return redirect(kind.page, project.slug, seat.public_id)
    return kind.work(request, project, seat)


def go_on(request: HttpRequest, project: Project, seat: Seat, done: str) -> HttpResponse:
    """Say what was done (nothing to say: it was said before) and go straight to the next item of
    the kind, or to the desk when nothing else is left.
    """
    person = reader(request)
    if consent.needed(person, project):  # its wording was changed meanwhile
        if done:
            messages.success(request, _with_retract(request, project, seat, done))
        return go_to(request, "consent", project.slug)
    following = seats.take_next(actor=person, project=project, kind_name=seat.kind)
    if following and following.pk == seat.pk:
        # Only what was just put aside is left: it goes back, or Later would not leave it.
        seats.give_back(actor=person, seat=following)
        following = None
    if following is None and done:
        done += " " + _("Nothing else of this kind is left for you now.")
    if done:
        messages.success(request, _with_retract(request, project, seat, done))
    if following is None:
        return go_to(request, "desk", project.slug)
    return go_to(request, WORK_KINDS[seat.kind].page, project.slug, following.public_id)


def _with_retract(request: HttpRequest, project: Project, seat: Seat, done: str) -> str:
    """What was done; if it was a seal that can be taken back, with the button that does."""
    retractable = seats.retractable(actor=reader(request), project=project)
    if not retractable.filter(pk=seat.pk).exists():
        return done
    context = {"project": project, "seat": seat, "done": done}
    return render_to_string("desk/_sealed.html", context, request)


def sealed_now(seat: Seat) -> str:
    """What to say of a seal; nothing when the seat, as the request found it, was sealed before."""
    if seat.state != Seat.State.HELD:
        return ""
    return _("Sealed %(key)s.") % {"key": seat.request.key}


def _came_back(own: QuerySet[Seat]) -> list[tuple[Seat, str]]:
    """What was handed back to the reader, with the words that came with it."""
    found = []
    for kind in WORK_KINDS.values():
        if kind.came_back:
            seats_of = list(own.filter(kind=kind.name).select_related("request"))
            words = kind.came_back(seats_of)
            found += [(seat, words[seat.pk]) for seat in seats_of if seat.pk in words]
    return found


def _listed(found: QuerySet[Seat]) -> list[dict[str, Any]]:
    """What the desk lists of seats: their requests' names, not their words."""
    rows = found.select_related("request").only(
        "public_id", "kind", "returned_why", "sealed_at", "draft_saved_at", "request__key"
    )
    return [{"seat": seat, "label": WORK_KINDS[seat.kind].label} for seat in rows]
