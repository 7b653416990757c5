"""The standalone reference: written from the request and its contract, never from answers or
evidence.
"""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Project, Seat
from annotation.services import seats
from annotation.services.exposure import expose
from annotation.services.projects import Refused
from contracts.forms import ReferenceForm
from contracts.models import Contract
from contracts.services.standalone import seal_standalone
from contracts.views.acting import by_htmx, seat_act, seat_of, version_of, with_version
from contracts.views.desk import go_on, sealed_now
from contracts.views.shown import terms_shown


@require_safe
def standalone(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """The request, what its contract asks, and the text in the making. Showing the contract is
    recorded.
    """
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id, "standalone")
    contract = Contract.objects.current(project).filter(request=seat.request).first()
    if contract is None:
        raise Http404("This request has no contract yet.")
    expose(person=reader(request), project=project, subject=seat.request.key, what="contract")
    context = {
        "project": project,
        "seat": seat,
        "contract": contract,
        "form": ReferenceForm(initial=seat.draft),
    }
    return render(
        request, "contracts/standalone.html", context | terms_shown(seat.request, contract.terms)
    )


@seat_act("standalone")
def standalone_save(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Save the text into the draft."""
    form = _sent(request)
    seat = seats.save_draft(seat=seat, draft=form.cleaned_data, version=version_of(request))
    if not by_htmx(request):
        return redirect("standalone", project.slug, seat.public_id)
    response = render(request, "contracts/_saved.html", {"seat": seat, "saved": True})
    return with_version(response, seat)


@seat_act("standalone")
def standalone_seal(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Seal the reference and go on to the next."""
    form = _sent(request)
    seal_standalone(actor=reader(request), seat=seat, **form.cleaned_data)
    return go_on(request, project, seat, sealed_now(seat))


def _sent(request: HttpRequest) -> ReferenceForm:
    form = ReferenceForm(request.POST)
    if not form.is_valid():
        raise Refused(_("This text cannot be stored: take control characters out of it."))
    return form
