"""My work: the next item of each kind, and what the person put aside."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.desk import WORK_KINDS, WorkKind
from annotation.models import Person, Project, Seat
from annotation.services import seats
from contracts.forms import ReasonForm
from contracts.views.acting import go_to, seat_act


@dataclass(frozen=True)
class KindOfWork:
    """One kind of work with the person's own counts, never anybody else's."""

    name: str
    label: str | Promise
    sealed: int
    aside: int
    cannot_judge: int
    held: bool


@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The desk of the reader."""
    project = open_project(request, slug, "annotate")
    kinds = [_own(kind, project, reader(request)) for kind in WORK_KINDS.values()]
    return render(request, "contracts/desk.html", {"project": project, "kinds": kinds})


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
def seat_cannot_judge(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Give the item up, with the reason, and go on."""
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    seats.cannot_judge(actor=reader(request), seat=seat, reason=reason)
    return go_on(request, project, seat, _("Recorded that you cannot judge it."))


def go_on(request: HttpRequest, project: Project, seat: Seat, done: str) -> HttpResponse:
    """Say what was done and go straight to the next item of the kind, or to the desk when nothing
    else is left.
    """
    person = reader(request)
    following = seats.take_next(actor=person, project=project, kind_name=seat.kind)
    if following and following.pk == seat.pk:
        # Only what was just put aside is left: it goes back, or Later would not leave it.
        seats.give_back(actor=person, seat=following)
        following = None
    if following is None:
        messages.success(request, done + " " + _("Nothing else of this kind is left for you now."))
        return go_to(request, "desk", project.slug)
    messages.success(request, done)
    return go_to(request, WORK_KINDS[seat.kind].page, project.slug, following.public_id)


def _own(kind: WorkKind, project: Project, person: Person) -> KindOfWork:
    states = list(
        Seat.objects.filter(project=project, holder=person, kind=kind.name).values_list(
            "state", flat=True
        )
    )
    return KindOfWork(
        name=kind.name,
        label=kind.label,
        sealed=states.count(Seat.State.SUBMITTED),
        aside=states.count(Seat.State.RETURNED),
        cannot_judge=states.count(Seat.State.CANNOT_JUDGE),
        held=Seat.State.HELD in states,
    )
