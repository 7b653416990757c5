"""Mine and the final: what became of the reader's own sheets."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.views.paging import page_of
from contracts.differences import AMBIGUITY, Difference, differing
from contracts.models import Decision
from contracts.services.bench.settled import SettledRow, read_settled, settled_sheets
from contracts.views.compared import SideShown, reading_shown, side_shown
from contracts.views.shown import LABELS, turns_shown


@require_safe
def settled(request: HttpRequest, slug: str) -> HttpResponse:
    """The reader's own requests whose contract is approved."""
    project = open_project(request, slug, "annotate")
    page = page_of(request, settled_sheets(reader(request), project))
    return render(request, "contracts/settled.html", {"project": project, "page": page})


@require_safe
def settled_request(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """The reader's sheet beside the contract, row by row, with the reasons."""
    project = open_project(request, slug, "annotate")
    own = settled_sheets(reader(request), project)
    sheet = own.prefetch_related("constraints").filter(seat__public_id=seat_id).first()
    if sheet is None:
        raise Http404("There is no such sheet, it is not yours, or it is not settled.")
    contract, rows = read_settled(actor=reader(request), sheet=sheet)
    context = {
        "project": project,
        "sheet": sheet,
        "contract": contract,
        "turns": turns_shown(sheet.request, ()),
        "rows": [_shown(row, sheet.request.texts) for row in rows],
        "same": sum(row.state == "same" for row in rows),
    }
    return render(request, "contracts/settled_request.html", context)


def _shown(row: SettledRow, texts: Sequence[str]) -> dict[str, Any]:
    reasons = dict(Decision.Reason.choices)
    mine, final = _sides(row, texts)
    return {
        "state": row.state,
        "label": LABELS.get(row.kind) or _("ambiguity"),
        "mine": mine,
        "final": final,
        "reason": reasons.get(row.reason, ""),
        "note": row.note,
        "withheld": row.withheld,
    }


def _sides(row: SettledRow, texts: Sequence[str]) -> tuple[SideShown | None, SideShown | None]:
    """Both sides, each with the parts in which it differs from the other."""
    if row.kind == AMBIGUITY:
        return reading_shown(row.mine), reading_shown(row.final)
    both = Difference("", row.kind, row.mine, row.final, differing(row.mine, row.final))
    return (
        side_shown(both.a, both.b, both, texts),
        side_shown(both.b, both.a, both, texts),
    )
