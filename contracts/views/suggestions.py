"""Suggestions beside a sheet: words of the request's own turns that may be constraints. They are
loaded after the page, so that it never waits for the libraries that read the words.
"""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.keys import Act
from annotation.models import Project, Seat
from annotation.views.acting import by_htmx, seat_of
from contracts import language
from contracts.services.sheets import drafted
from contracts.services.suggesting import hide_suggestions, suggestions_hidden, turns_asked
from contracts.suggestions import ANALYSED, Suggestion, is_cut, not_yet_marked, suggest
from contracts.views.sheets import ON_SHEETS
from contracts.views.shown import LABELS

SUGGESTION_ACTS = (Act("suggestion", "n", _("the next suggestion"), ("sheet",)),)


@dataclass(frozen=True)
class SuggestionShown:
    """A suggestion with the name of its kind in the reader's language."""

    suggestion: Suggestion
    label: str | Promise


@require_safe
def sheet_suggestions(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """What may be marked and is not marked yet, in the order of the text."""
    project = open_project(request, slug, "annotate")
    return _shown(request, project, seat_of(request, project, seat_id, *ON_SHEETS))


@require_POST
def sheet_suggestions_hide(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """Hide the suggestions of every sheet, or show them again."""
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id, *ON_SHEETS)
    hide_suggestions(actor=reader(request), hidden=request.POST.get("hidden") == "1")
    if not by_htmx(request):
        return redirect("sheet-suggestions", project.slug, seat.public_id)
    return _shown(request, project, seat)


def _shown(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    context = {"project": project, "seat": seat, "hidden": suggestions_hidden(reader(request))}
    if not context["hidden"] and seat.state in (Seat.State.HELD, Seat.State.RETURNED):
        context |= _suggested(seat)
    page = "_suggested" if by_htmx(request) else "suggestions"
    return render(request, f"contracts/{page}.html", context)


def _suggested(seat: Seat) -> dict[str, object]:
    language.preload()
    texts, asked = seat.request.texts, turns_asked(seat.request)
    found = not_yet_marked(suggest(texts, asked), drafted(seat).constraints)
    return {
        "suggestions": [SuggestionShown(one, LABELS[one.kind]) for one in found],
        "analysed": ANALYSED if is_cut(texts, asked) else None,
    }
