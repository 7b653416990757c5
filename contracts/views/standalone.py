"""The standalone reference: written from the request and its contract, never from answers or
evidence.
"""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Project, Seat
from annotation.services.exposure import expose
from annotation.services.rewrites import Unanswered, save_rewrite
from annotation.views import rewriting
from annotation.views.acting import seat_act, seat_of, sent_of, with_version
from annotation.views.desk import go_on, sealed_now
from contracts.models import Contract
from contracts.services.standalone import reference_warnings, seal_typed_reference
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


@seat_act("standalone")
def standalone_save(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Save the text into the draft."""
    draft, sent = rewriting.sent_draft(request, seat), sent_of(request)
    seat = save_rewrite(seat=seat, draft=draft, sent=sent)
    return rewriting.saved(request, project, seat, reference_warnings)


@seat_act("standalone")
def standalone_seal(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Seal the reference and go on to the next."""
    before = sealed_now(seat)
    draft, sent = rewriting.sent_draft(request, seat), sent_of(request)
    try:
        seal_typed_reference(actor=reader(request), seat=seat, draft=draft, sent=sent)
    except Unanswered as refusal:
        return rewriting.not_sealed(request, project, seat, reference_warnings, refusal)
    return go_on(request, project, seat, before)


def _shown(request: HttpRequest, project: Project, seat: Seat) -> dict[str, Any]:
    contract = Contract.objects.current(project).filter(request=seat.request).first()
    if contract is None:
        raise Http404("This request has no contract yet.")
    expose(person=reader(request), project=project, subject=seat.request.key, what="contract")
    return (
        {"contract": contract}
        | rewriting.writing(request, project, seat, reference_warnings)
        | terms_shown(seat.request, contract.terms)
    )
