"""The sheet: one request, what it asks, and the keys to say so. Each act answers with the
fragment it changed.
"""

from dataclasses import replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.changes import places
from annotation.desk import WORK_KINDS
from annotation.models import Project, Seat
from annotation.services import drafts
from annotation.services.drafts import Sent
from annotation.services.projects import Refused
from annotation.views.acting import (
    by_htmx,
    go_to,
    refused,
    seat_act,
    seat_of,
    sent_of,
    with_version,
)
from annotation.views.desk import go_on, sealed_now
from contracts.forms import AmbiguityForm, MarkForm, value_form
from contracts.qualification import KIND, Standing, standing_of
from contracts.services import sheets
from contracts.services.bench.returning import words_for
from contracts.services.sheets import drafted
from contracts.terms import ConstraintTerms, Span
from contracts.views.shown import (
    element_of,
    faults_shown,
    row_shown,
    sheet_shown,
    terms_shown,
)

# The kinds of work that are done on a sheet: for the study, and to practise.
ON_SHEETS = ("sheet", KIND)


@require_safe
def sheet(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """The work on a held seat; once it is sealed or put aside, the same words to read."""
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id, *ON_SHEETS)
    kind, terms = WORK_KINDS[seat.kind], drafted(seat)
    if kind.after and seat.state == Seat.State.SUBMITTED:
        return redirect(kind.after, slug, seat_id)
    context = {
        "project": project,
        "seat": seat,
        "practice": _practice(request, seat),
        "came_back": words_for([seat]).get(seat.pk, ""),
    }
    if seat.state != Seat.State.HELD:
        return render(
            request, "contracts/sheet_closed.html", context | terms_shown(seat.request, terms)
        )
    return render(request, "contracts/sheet.html", context | sheet_shown(seat, terms))


def _practice(request: HttpRequest, seat: Seat) -> Standing | None:
    """Where the reader stands, said above practice and above nothing else: a silent item must look
    like any sheet.
    """
    return standing_of(reader(request), seat.project) if seat.kind == KIND else None


@seat_act(*ON_SHEETS)
def sheet_mark(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Mark words as a constraint."""
    form = MarkForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Select words of the request, then press the letter of a kind."))
    sent = form.cleaned_data
    seat, key = sheets.add_constraint(
        seat=seat,
        kind=sent["kind"],
        span=Span(sent["turn"], sent["start"], sent["end"]),
        sent=sent_of(request),
        words=sent["words"] or None,
    )
    return _work(request, project, seat, fresh=key)


@seat_act(*ON_SHEETS)
def sheet_value(request: HttpRequest, project: Project, seat: Seat, key: str) -> HttpResponse:
    """Save the value of one constraint into the draft."""
    sent = sent_of(request)
    form = value_form(_constraint(seat, key, sent), seat.request.texts, request.POST)
    if not form.is_valid():
        raise Refused("\n".join(form.sentences()))
    seat = sheets.change_constraint(
        seat=seat,
        key=key,
        value=form.typed_value(),
        admissible=form.typed_admissible(),
        sent=sent,
    )
    return _saved(request, project, seat, sent, key)


@seat_act(*ON_SHEETS)
def sheet_materiality(request: HttpRequest, project: Project, seat: Seat, key: str) -> HttpResponse:
    """Turn critical into minor and back."""
    sent = sent_of(request)
    _constraint(seat, key, sent)
    seat = sheets.toggle_materiality(seat=seat, key=key, sent=sent)
    return _work(request, project, seat)


@seat_act(*ON_SHEETS)
def sheet_remove(request: HttpRequest, project: Project, seat: Seat, key: str) -> HttpResponse:
    """Take one constraint off the draft."""
    sent = sent_of(request)
    _constraint(seat, key, sent)
    seat = sheets.remove_constraint(seat=seat, key=key, sent=sent)
    return _work(request, project, seat)


@seat_act(*ON_SHEETS)
def sheet_ambiguity(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Say whether the right reply is a question, and what might be meant."""
    form = AmbiguityForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Write one reading a line."))
    sent = sent_of(request)
    seat = sheets.set_ambiguity(seat=seat, sent=sent, **form.cleaned_data)
    return _saved(request, project, seat, sent)


@seat_act(*ON_SHEETS)
def sheet_seal(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Seal the sheet and go on to the next, or to what its kind shows after a seal."""
    kind = WORK_KINDS[seat.kind]
    try:
        kind.seal(reader(request), seat, sent_of(request))
    except sheets.NotSealable as refusal:
        faults = faults_shown(drafted(seat), refusal.faults)
        return refused(request, faults, 422, "sheet", project.slug, seat.public_id)
    if kind.after:
        return go_to(request, kind.after, project.slug, seat.public_id)
    return go_on(request, project, seat, sealed_now(seat))


def _constraint(seat: Seat, key: str, sent: Sent) -> ConstraintTerms:
    """The constraint as the page read it; a newer draft is a conflict, and no missing row."""
    found = next((c for c in drafted(seat, sent).constraints if c.id == key), None)
    if found is None and sent.version != seat.draft_version:
        raise drafts.stale(seat, sent)
    if found is None:
        raise Refused(_("This constraint is no longer on the sheet. Reload to see the sheet."))
    return found


def sheet_anew(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """The whole work on the sheet as it is now, and where the last change was."""
    at = ""
    if request.method == "POST" and seat.draft_version:
        before = drafts.draft_at(seat, seat.draft_version - 1)
        where = (element_of(path) for path in sorted(places(before, seat.draft)))
        at = next(filter(None, where), "")
    return _work(request, project, seat, at=at)


def _work(
    request: HttpRequest, project: Project, seat: Seat, *, fresh: str = "", at: str = ""
) -> HttpResponse:
    """The whole work anew, for acts that change marks and numbers."""
    if not by_htmx(request):
        return redirect("sheet", project.slug, seat.public_id)
    context = {"project": project, "saved": True} | sheet_shown(seat, drafted(seat), fresh=fresh)
    return with_version(render(request, "contracts/_work.html", context), seat, at)


def _saved(
    request: HttpRequest, project: Project, seat: Seat, sent: Sent, key: str = ""
) -> HttpResponse:
    """Only what a saved field changes: the field itself stays, it may have the focus."""
    if not by_htmx(request):
        return redirect("sheet", project.slug, seat.public_id)
    if seat.draft_version != sent.version + 1:  # a repeated save, and more was saved since
        response = _work(request, project, seat)
        response["HX-Retarget"], response["HX-Reswap"] = "#work", "innerHTML"
        return response
    context: dict[str, object] = {"seat": seat, "saved": True}
    if key:
        now = replace(sent, version=seat.draft_version)
        context["row"] = row_shown(0, _constraint(seat, key, now), seat.request.texts)
    response = render(request, "contracts/_saved.html", context)
    return with_version(response, seat)
