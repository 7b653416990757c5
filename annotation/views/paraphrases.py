"""The paraphrase: the request and its answer, and the same request in the writer's own words."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Project, Seat
from annotation.services import paraphrases
from annotation.services.projects import Refused
from annotation.services.rewrites import Unanswered, warnings_of
from annotation.views import rewriting
from annotation.views.acting import seat_act, seat_of, sent_of, with_version
from annotation.views.desk import go_on, sealed_now


@require_safe
def paraphrase(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """The request with its answer, and the text in the making. Showing the answer is recorded."""
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id, "paraphrase")
    try:
        context = _shown(request, project, seat)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("desk", slug)
    return render(request, "desk/paraphrase.html", context)


def paraphrase_anew(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """The whole work on the paraphrase as it is now, its answer too."""
    context = {"saved": True} | _shown(request, project, seat)
    return with_version(render(request, "desk/_paraphrase.html", context), seat)


@seat_act("paraphrase")
def paraphrase_save(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Save the text into the draft."""
    draft, sent = rewriting.sent_draft(request, seat), sent_of(request)
    seat = paraphrases.save_paraphrase(actor=reader(request), seat=seat, draft=draft, sent=sent)
    return rewriting.saved(request, project, seat, warnings_of)


@seat_act("paraphrase")
def paraphrase_seal(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Seal the paraphrase and go on to the next."""
    before = sealed_now(seat)
    draft, sent = rewriting.sent_draft(request, seat), sent_of(request)
    try:
        paraphrases.seal_typed_paraphrase(actor=reader(request), seat=seat, draft=draft, sent=sent)
    except Unanswered as refusal:
        return rewriting.not_sealed(request, project, seat, warnings_of, refusal)
    return go_on(request, project, seat, before)


def _shown(request: HttpRequest, project: Project, seat: Seat) -> dict[str, Any]:
    answers = paraphrases.answers_for(reader(request), seat)
    return rewriting.writing(request, project, seat, warnings_of) | {"answers": answers}
