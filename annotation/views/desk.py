"""My work: the next item of each kind, and what the person put aside."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.desk import WORK_KINDS, WorkKind
from annotation.forms import ReasonForm
from annotation.models import Person, Project, Seat
from annotation.services import drafts, seats
from annotation.views.acting import both_versions, by_htmx, go_to, seat_act, seat_of, sent_of


@dataclass(frozen=True)
class KindOfWork:
    """One kind of work with the person's own counts, never anybody else's: `left` counts what is
    open to them, whoever else has a seat there.
    """

    name: str
    label: str | Promise
    sealed: int
    aside: int
    cannot_judge: int
    held: bool
    left: int


@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The desk of the reader."""
    project = open_project(request, slug, "annotate")
    kinds = [_own(kind, project, reader(request)) for kind in WORK_KINDS.values()]
    first = next((kind for kind in kinds if kind.left or kind.held), None)
    context = {"project": project, "kinds": kinds, "first": first}
    return render(request, "desk/desk.html", context)


@require_POST
def desk_next(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Take the next item of a kind and go to it."""
    project = open_project(request, slug, "annotate")
    if kind not in WORK_KINDS:
        raise Http404("There is no such kind of work.")
    seat = seats.take_next(actor=reader(request), project=project, kind_name=kind)
    if seat is None:
        messages.info(request, _("Nothing of this kind is left for you now."))
        return redirect("desk", slug)
    return redirect(WORK_KINDS[kind].page, slug, seat.public_id)


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
    seat = seat_of(request, project, seat_id)
    seconds = request.POST.get("active", "")
    if seconds.isascii() and seconds.isdecimal() and len(seconds) < 7:
        seats.add_active(seat=seat, seconds=int(seconds))
    return HttpResponse(status=204)


def _work(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    kind = WORK_KINDS[seat.kind]
    if kind.work is None or not by_htmx(request):
        return redirect(kind.page, project.slug, seat.public_id)
    return kind.work(request, project, seat)


def go_on(request: HttpRequest, project: Project, seat: Seat, done: str) -> HttpResponse:
    """Say what was done (nothing to say: it was said before) and go straight to the next item of
    the kind, or to the desk when nothing else is left.
    """
    person = reader(request)
    following = seats.take_next(actor=person, project=project, kind_name=seat.kind)
    if following and following.pk == seat.pk:
        # Only what was just put aside is left: it goes back, or Later would not leave it.
        seats.give_back(actor=person, seat=following)
        following = None
    if following is None and done:
        done += " " + _("Nothing else of this kind is left for you now.")
    if done:
        messages.success(request, done)
    if following is None:
        return go_to(request, "desk", project.slug)
    return go_to(request, WORK_KINDS[seat.kind].page, project.slug, following.public_id)


def sealed_now(seat: Seat) -> str:
    """What to say of a seal; nothing when the seat, as the request found it, was sealed before."""
    if seat.state != Seat.State.HELD:
        return ""
    return _("Sealed %(key)s.") % {"key": seat.request.key}


def _own(kind: WorkKind, project: Project, person: Person) -> KindOfWork:
    own = Seat.objects.filter(project=project, holder=person, kind=kind.name)
    states = list(own.values_list("state", flat=True))
    given_up = own.filter(state=Seat.State.CANNOT_JUDGE).values("request")
    return KindOfWork(
        name=kind.name,
        label=kind.label,
        sealed=states.count(Seat.State.SUBMITTED),
        aside=states.count(Seat.State.RETURNED),
        cannot_judge=states.count(Seat.State.CANNOT_JUDGE),
        held=Seat.State.HELD in states,
        left=kind.open_to(project, person).exclude(pk__in=given_up).count(),
    )
