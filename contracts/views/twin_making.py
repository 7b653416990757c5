"""Making a twin: its draft is written, saves itself, and is proposed to somebody else."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.permissions import may
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx
from contracts.models import TwinDraft
from contracts.services.twins import drafting
from contracts.services.twins.approving import why_not_by
from contracts.services.twins.checking import (
    LONGEST_FIND,
    documents_with,
    faults_of,
    open_faults,
)
from contracts.twin_forms import FAMILY_LABELS, DraftForms, new_tab, read_of
from contracts.views.twins_shown import (
    draft_compared,
    drafted_side,
    expose_requests,
    side_shown,
)

State = TwinDraft.State
DraftAct = Callable[[HttpRequest, Project, TwinDraft], HttpResponse]


@require_safe
def twin_draft(request: HttpRequest, slug: str, draft_id: UUID) -> HttpResponse:
    """The reader's own draft, to write on; whoever may decide on it is led there."""
    project = open_project(request, slug, "build_twins")
    draft = draft_of(project, draft_id)
    person = reader(request)
    if draft.author_id != person.pk:
        if draft.state == State.PROPOSED and not why_not_by(person, draft):
            return redirect("twin-decide", slug, draft_id)
        raise Http404("There is no such draft, or it is not yours.")
    expose_requests(person, project, draft.base.request)
    stands = draft.pair or draft.control
    if stands is not None:
        return redirect("twin", slug, stands.key)
    return _page(request, project, draft, DraftForms(draft))


def draft_act(act: DraftAct) -> Callable[..., HttpResponse]:
    """Make a POST view of `act(request, project, draft)`: the author's own draft only, refusals
    as sentences.
    """

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, slug: str, draft_id: UUID) -> HttpResponse:
        project = open_project(request, slug, "build_twins")
        draft = draft_of(project, draft_id)
        if draft.author_id != reader(request).pk:
            raise Http404("There is no such draft, or it is not yours.")
        try:
            return act(request, project, draft)
        except drafting.Stale as stale:
            return _stale(request, project, draft, str(stale))
        except Refused as refusal:
            if by_htmx(request):  # a redirect would put a whole page into the panel
                return _aside(request, project, draft, str(refusal), closed=True)
            messages.error(request, str(refusal))
            return redirect("twin-draft", slug, draft_id)

    return view


@draft_act
def twin_save(request: HttpRequest, project: Project, draft: TwinDraft) -> HttpResponse:
    """Keep what was written; a program gets the difference and the faults anew."""
    forms, whole = _kept(request, draft)
    if by_htmx(request):
        context = {"project": project, "saved": True, "unkept": forms.sentences()}
        return render(request, "contracts/_twin_beside.html", context | draft_compared(draft))
    if not whole:
        return _page(request, project, draft, forms, status=422)
    return redirect("twin-draft", project.slug, draft.public_id)


@draft_act
def twin_propose(request: HttpRequest, project: Project, draft: TwinDraft) -> HttpResponse:
    """Keep what was written and hand it to somebody else for approval."""
    if draft.state == State.PROPOSED:  # an earlier press said so already
        return redirect("twins", project.slug)
    forms, whole = _kept(request, draft)
    if not whole:
        return _page(request, project, draft, forms, status=422)
    try:
        drafting.propose_for_approval(actor=reader(request), draft=draft)
    except Refused as refusal:
        if not open_faults(faults_of(draft), draft.reasons):  # else the checks say it
            messages.error(request, str(refusal))
        return _page(request, project, draft, DraftForms(draft), status=422)
    said = _("Proposed: %(key)s waits for somebody else to approve it.")
    messages.success(request, said % {"key": draft.base.request.key})
    return redirect("twins", project.slug)


@draft_act
def twin_take_back(request: HttpRequest, project: Project, draft: TwinDraft) -> HttpResponse:
    """Take a proposed draft back."""
    drafting.take_back(actor=reader(request), draft=draft)
    return redirect("twin-draft", project.slug, draft.public_id)


@draft_act
def twin_delete(request: HttpRequest, project: Project, draft: TwinDraft) -> HttpResponse:
    """Put the draft out of sight."""
    drafting.delete_draft(actor=reader(request), draft=draft)
    messages.success(request, _("The draft is deleted; you can bring it back below."))
    return redirect("twins", project.slug)


@draft_act
def twin_restore(request: HttpRequest, project: Project, draft: TwinDraft) -> HttpResponse:
    """Bring a deleted draft back."""
    drafting.restore_draft(actor=reader(request), draft=draft)
    return redirect("twin-draft", project.slug, draft.public_id)


@require_safe
def twin_documents(request: HttpRequest, slug: str, draft_id: UUID) -> HttpResponse:
    """Documents whose id, title or text has the words that the author looks for."""
    project = open_project(request, slug, "build_twins")
    draft = draft_of(project, draft_id)
    person = reader(request)
    if draft.author_id != person.pk:
        raise Http404("There is no such draft, or it is not yours.")
    words = request.GET.get("find", "").strip()[:LONGEST_FIND]
    found = documents_with(project, words, texts=may(person, "see_corpus", project).allowed)
    of_base = {key for item in draft.base.request.evidence or () for key in item}
    context = {"found": found, "words": words, "of_base": of_base}
    return render(request, "contracts/_twin_documents.html", context)


def draft_of(project: Project, draft_id: UUID) -> TwinDraft:
    """A draft of the project with everything that its pages read."""
    rows = TwinDraft.objects.filter(project=project).select_related(
        *("base__request__request_class", "base__request__project", "project", "author"),
        *("pair", "control"),
    )
    found = rows.filter(public_id=draft_id).first()
    if found is None:
        raise Http404("There is no such draft, or it is not yours.")
    return found


def _kept(request: HttpRequest, draft: TwinDraft) -> tuple[DraftForms, bool]:
    """Save what can be read of what was sent; say whether that was all of it."""
    forms = DraftForms(draft, request.POST)
    whole, written = forms.valid, forms.written()
    if written is None:
        return forms, False
    drafting.save(actor=reader(request), draft=draft, written=written, read=read_of(request.POST))
    return forms, whole


def _page(
    request: HttpRequest, project: Project, draft: TwinDraft, forms: DraftForms, status: int = 200
) -> HttpResponse:
    base = draft.base
    context: dict[str, Any] = {
        "project": project,
        "family": FAMILY_LABELS[draft.family],
        "forms": forms,
        "unkept": forms.sentences(),
        "refused": status == 422,
        "tab": read_of(request.POST).tab or new_tab(),  # its late saves are no other tab's
        "base": side_shown(_("base"), base.request, base),
        "twin": None if draft.is_control else drafted_side(draft),
        "editable": draft.state in drafting.EDITABLE and not draft.deleted_at,
    }
    return render(
        request, "contracts/twin_draft.html", context | draft_compared(draft), status=status
    )


def _stale(request: HttpRequest, project: Project, draft: TwinDraft, why: str) -> HttpResponse:
    """Both versions: this page keeps what was written, and says how to settle it."""
    draft.refresh_from_db()
    if by_htmx(request):
        return _aside(request, project, draft, why)
    messages.error(request, why)
    messages.error(request, _("What you wrote is below: saving it again puts it in its place."))
    return _page(request, project, draft, DraftForms(draft, request.POST), status=409)


def _aside(
    request: HttpRequest, project: Project, draft: TwinDraft, why: str, *, closed: bool = False
) -> HttpResponse:
    """Why nothing was saved, beside what was written; a draft that is `closed` takes no more."""
    context = {"project": project, "draft": draft, "why": why, "closed": closed}
    response = render(request, "contracts/_twin_stale.html", context, status=409)
    response["HX-Retarget"], response["HX-Reswap"] = "#conflict", "innerHTML"
    return response
