"""The sheet: one request, what it asks, and the keys to say so. Each act answers with the
fragment it changed.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Project, Seat
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx, refused, seat_act, seat_of, sent_of, with_version
from annotation.views.desk import go_on, sealed_now
from contracts.forms import AmbiguityForm, MarkForm, value_form
from contracts.services import sheets
from contracts.services.sheets import drafted
from contracts.terms import ConstraintTerms, Span
from contracts.views.shown import faults_shown, row_shown, sheet_shown, terms_shown


@require_safe
def sheet(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """The work on a held seat; once it is sealed or put aside, the same words to read."""
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id, "sheet")
    terms = drafted(seat)
    context = {"project": project, "seat": seat}
    if seat.state != Seat.State.HELD:
        return render(
            request, "contracts/sheet_closed.html", context | terms_shown(seat.request, terms)
        )
    return render(request, "contracts/sheet.html", context | sheet_shown(seat, terms))


@seat_act("sheet")
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


@seat_act("sheet")
def sheet_value(request: HttpRequest, project: Project, seat: Seat, key: str) -> HttpResponse:
    """Save the value of one constraint into the draft."""
    form = value_form(_constraint(seat, key), seat.request.texts, request.POST)
    if not form.is_valid():
        raise Refused("\n".join(form.sentences()))
    seat = sheets.change_constraint(
        seat=seat,
        key=key,
        value=form.typed_value(),
        admissible=form.typed_admissible(),
        sent=sent_of(request),
    )
    row = row_shown(0, _constraint(seat, key), seat.request.texts)
    return _saved(request, project, seat, {"row": row})


@seat_act("sheet")
def sheet_materiality(request: HttpRequest, project: Project, seat: Seat, key: str) -> HttpResponse:
    """Turn critical into minor and back."""
    _constraint(seat, key)
    seat = sheets.toggle_materiality(seat=seat, key=key, sent=sent_of(request))
    return _work(request, project, seat)


@seat_act("sheet")
def sheet_remove(request: HttpRequest, project: Project, seat: Seat, key: str) -> HttpResponse:
    """Take one constraint off the draft."""
    _constraint(seat, key)
    seat = sheets.remove_constraint(seat=seat, key=key, sent=sent_of(request))
    return _work(request, project, seat)


@seat_act("sheet")
def sheet_ambiguity(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Say whether the right reply is a question, and what might be meant."""
    form = AmbiguityForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Write one reading a line."))
    seat = sheets.set_ambiguity(seat=seat, sent=sent_of(request), **form.cleaned_data)
    return _saved(request, project, seat, {})


@seat_act("sheet")
def sheet_seal(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Seal the sheet and go on to the next."""
    try:
        sheets.seal_sheet(actor=reader(request), seat=seat, sent=sent_of(request))
    except sheets.NotSealable as refusal:
        faults = faults_shown(drafted(seat), refusal.faults)
        return refused(request, faults, 422, "sheet", project.slug, seat.public_id)
    return go_on(request, project, seat, sealed_now(seat))


def _constraint(seat: Seat, key: str) -> ConstraintTerms:
    found = next((c for c in drafted(seat).constraints if c.id == key), None)
    if found is None:
        raise Refused(_("This constraint is no longer on the sheet. Reload to see the sheet."))
    return found


def sheet_anew(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """The whole work on the sheet as it is now."""
    return _work(request, project, seat)


def _work(request: HttpRequest, project: Project, seat: Seat, *, fresh: str = "") -> HttpResponse:
    """The whole work anew, for acts that change marks and numbers."""
    if not by_htmx(request):
        return redirect("sheet", project.slug, seat.public_id)
    context = {"project": project, "saved": True} | sheet_shown(seat, drafted(seat), fresh=fresh)
    return with_version(render(request, "contracts/_work.html", context), seat)


def _saved(
    request: HttpRequest, project: Project, seat: Seat, changed: dict[str, object]
) -> HttpResponse:
    """Only what a saved field changes: the field itself stays, it may have the focus."""
    if not by_htmx(request):
        return redirect("sheet", project.slug, seat.public_id)
    response = render(request, "contracts/_saved.html", {"seat": seat, "saved": True} | changed)
    return with_version(response, seat)
