"""A second person decides on a twin: both sides beside each other, approve or send back."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.services.projects import Refused
from contracts.models import TwinDraft
from contracts.services.twins import approving
from contracts.twin_forms import FAMILY_LABELS, SendBackForm, read_of
from contracts.views.twin_making import draft_of
from contracts.views.twins_shown import draft_compared, drafted_side, expose_requests, side_shown
from contracts.word_diff import word_diff

State = TwinDraft.State
Decide = Callable[[HttpRequest, Project, TwinDraft], HttpResponse]


@require_safe
def twin_decide(request: HttpRequest, slug: str, draft_id: UUID) -> HttpResponse:
    """What somebody proposed, for whoever may decide on it."""
    project = open_project(request, slug, "approve_twins")
    draft = _proposed(project, draft_id)
    expose_requests(reader(request), project, draft.base.request)
    return _page(request, project, draft, SendBackForm())


def decision(act: Decide) -> Callable[..., HttpResponse]:
    """Make a POST view of `act(request, project, draft)`; a refusal is shown beside the twin."""

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, slug: str, draft_id: UUID) -> HttpResponse:
        project = open_project(request, slug, "approve_twins")
        draft = draft_of(project, draft_id)
        try:
            return act(request, project, draft)
        except Refused as refusal:
            messages.error(request, str(refusal))
        if draft.state != State.PROPOSED or draft.deleted_at:
            return redirect("twins", slug)
        return _page(request, project, draft, SendBackForm(request.POST), status=422)

    return view


@decision
def twin_approve(request: HttpRequest, project: Project, draft: TwinDraft) -> HttpResponse:
    """Let the twin stand, and go on to the next one that waits."""
    version = read_of(request.POST).version
    made = approving.approve(actor=reader(request), draft=draft, version=version)
    messages.success(
        request,
        format_html(
            '{} <a href="{}">{}</a>',
            _("%(key)s is approved.") % {"key": made.key},
            reverse("twin", args=[project.slug, made.key]),
            _("Read it"),
        ),
    )
    return _next(project, reader(request))


@decision
def twin_send_back(request: HttpRequest, project: Project, draft: TwinDraft) -> HttpResponse:
    """Hand the twin back to its author, with words."""
    form = SendBackForm(request.POST)
    words = form.cleaned_data["words"] if form.is_valid() else ""
    version = read_of(request.POST).version
    approving.send_back(actor=reader(request), draft=draft, version=version, words=words)
    said = _("Sent back: the twin of %(key)s is its author's again.")
    messages.success(request, said % {"key": draft.base.request.key})
    return _next(project, reader(request))


def _proposed(project: Project, draft_id: UUID) -> TwinDraft:
    draft = draft_of(project, draft_id)
    if draft.state != State.PROPOSED or draft.deleted_at:
        raise Http404("Nobody waits for a decision on such a draft.")
    return draft


def _next(project: Project, person: Person) -> HttpResponse:
    """The next draft on which this person may decide; else all twins."""
    for waiting in TwinDraft.objects.waiting(project).exclude(author=person):
        if not approving.why_not_by(person, waiting):
            return redirect("twin-decide", project.slug, waiting.public_id)
    return redirect("twins", project.slug)


def _page(
    request: HttpRequest, project: Project, draft: TwinDraft, form: SendBackForm, status: int = 200
) -> HttpResponse:
    base = draft.base
    sides = [side_shown(_("base"), base.request, base)]
    if not draft.is_control:
        sides.append(drafted_side(draft))
    context = {
        "project": project,
        "family": FAMILY_LABELS[draft.family],
        "sides": sides,
        "form": form,
        "why_not": approving.why_not_by(reader(request), draft),
        "texts": [word_diff(base.request.text, text) for text in draft.accepts],
    }
    return render(
        request, "contracts/twin_decide.html", context | draft_compared(draft), status=status
    )
