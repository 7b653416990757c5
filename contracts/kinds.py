"""What this app gives to the desk: sheets, and standalone references."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.desk import DraftShown, WorkKind
from annotation.kinds import text_to_read
from annotation.models import Seat
from contracts.services.bench.returning import words_for
from contracts.services.reading import read_sheet
from contracts.services.sheets import retract_sheet, seal_sheet
from contracts.services.standalone import read_reference, retract_standalone, seal_drafted
from contracts.terms import KINDS, ContractTerms
from contracts.views.sheets import sheet_anew
from contracts.views.shown import terms_shown
from contracts.views.standalone import standalone_anew
from contracts.work import sheets_open_to, standalone_open_to


def _sheet_to_read(seat: Seat, draft: dict[str, Any]) -> DraftShown:
    terms = ContractTerms.from_json(draft or {})
    return DraftShown("contracts/_draft.html", terms_shown(seat.request, terms))


SHEET = WorkKind(
    name="sheet",
    label=_("Contract sheet"),
    seats_wanted=lambda project: project.reviewers_per_request if project.takes_contracts else 0,
    open_to=sheets_open_to,
    page="sheet",
    work=sheet_anew,
    draft_shown=_sheet_to_read,
    read_draft=read_sheet,
    seal=lambda actor, seat, sent: seal_sheet(actor=actor, seat=seat, sent=sent),
    retract=retract_sheet,
    came_back=words_for,
    topics=("sheet", *KINDS),
)
STANDALONE = WorkKind(
    name="standalone",
    label=_("Standalone reference"),
    seats_wanted=lambda project: 1 if project.takes_contracts else 0,
    open_to=standalone_open_to,
    page="standalone",
    work=standalone_anew,
    draft_shown=text_to_read,
    read_draft=read_reference,
    seal=lambda actor, seat, sent: seal_drafted(actor=actor, seat=seat, sent=sent),
    retract=retract_standalone,
    topics=("standalone",),
)
