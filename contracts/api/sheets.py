"""Sealed sheets: one's own for whoever annotates; everybody's for those who do not, which is
recorded and ends the time in which they can be retracted.
"""

from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.api.whose import pseudonyms_for, sees_others
from contracts.api.shapes import Line, SheetShown
from contracts.models import Sheet
from contracts.services.sheets import read_sheets


@operation("GET", scope="read", act="see_project", answer=SheetShown, paged=True)
def sheets(call: Call) -> Page:
    """The sheets that stand, in the order in which they were sealed."""
    page = call.page(_visible(call), "pk")
    return Page(_read(call, list(page.results)), page.next, page.previous)


@operation("GET", scope="read", act="see_project", answer=SheetShown)
def sheet(call: Call, seat_id: UUID) -> Line:
    """One sheet; somebody else's does not exist for whoever annotates."""
    return _read(call, [get_object_or_404(_visible(call), seat__public_id=seat_id)])[0]


def _visible(call: Call) -> QuerySet[Sheet]:
    rows = Sheet.objects.standing().filter(request__project=call.project)
    if not sees_others(call.person, call.project):
        rows = rows.filter(annotator=call.person)
    return rows.select_related("request", "seat").prefetch_related("constraints")


def _read(call: Call, found: list[Sheet]) -> list[Line]:
    """The lines of these sheets; that others' were read is written down first."""
    read_sheets(actor=call.person, project=call.project, sheets=found)
    names = pseudonyms_for(call.person, call.project)
    return [_line(sheet, names) for sheet in found]


def _line(found: Sheet, names: dict[int, str]) -> Line:
    terms = found.terms.to_json()
    return {
        "id": found.seat.public_id if found.seat else None,
        "request": found.request.key,
        "annotator": names.get(found.annotator_id),
        "sealed_at": found.sealed_at,
        "sha256": found.sha256,
        "constraints": terms["constraints"],
        "ambiguity": terms["ambiguity"],
    }
