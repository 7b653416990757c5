"""The standalone reference: written from the request and its contract, never from answers or
evidence.
"""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Project, Seat
from annotation.services import drafts
from annotation.services.exposure import expose
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx, seat_act, seat_of, sent_of, with_version
from annotation.views.desk import go_on, sealed_now
from contracts.forms import ReferenceForm
from contracts.models import Contract
from contracts.services.standalone import seal_drafted
from contracts.views.shown import terms_shown


@require_safe
def standalone(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """The request, what its contract asks, and the text in the making. Showing the contract is
    recorded.
    """
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id, "standalone")
    return render(request, "contracts/standalone.html", _shown(request, project, seat))


def standalone_anew(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """The whole work on the reference as it is now."""
    context = {"saved": True} | _shown(request, project, seat)
    return with_version(render(request, "contracts/_standalone.html", context), seat)


def _shown(request: HttpRequest, project: Project, seat: Seat) -> dict[str, Any]:
    contract = Contract.objects.current(project).filter(request=seat.request).first()
    if contract is None:
        raise Http404("This request has no contract yet.")
    expose(person=reader(request), project=project, subject=seat.request.key, what="contract")
    return {
        "project": project,
        "seat": seat,
        "contract": contract,
        "form": ReferenceForm(initial=seat.draft),
    } | terms_shown(seat.request, contract.terms)


@seat_act("standalone")
def standalone_save(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Save the text into the draft."""
    form = _sent(request)
    seat = drafts.save_draft(seat=seat, draft=form.cleaned_data, sent=sent_of(request))
    if not by_htmx(request):
        return redirect("standalone", project.slug, seat.public_id)
    response = render(request, "contracts/_saved.html", {"seat": seat, "saved": True})
    return with_version(response, seat)


@seat_act("standalone")
def standalone_seal(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Seal the reference and go on to the next."""
    sent = sent_of(request)
    if seat.state == Seat.State.HELD:
        seat = drafts.save_draft(seat=seat, draft=_sent(request).cleaned_data, sent=sent)
    before = sealed_now(seat)
    seal_drafted(actor=reader(request), seat=seat)
    return go_on(request, project, seat, before)


def _sent(request: HttpRequest) -> ReferenceForm:
    form = ReferenceForm(request.POST)
    if not form.is_valid():
        raise Refused(_("This text cannot be stored: take control characters out of it."))
    return form
