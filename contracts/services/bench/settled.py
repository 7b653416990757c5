"""Mine and the final: what became of a reviewer's own sheet, once the contract is approved.

Nothing of another reviewer's sheet is told but what the contract itself says.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext_noop

from annotation.models import Person, Project
from annotation.services.exposure import expose
from annotation.services.projects import lock
from contracts.differences import AMBIGUITY, Difference, differences, differing
from contracts.models import Contract, Decision, Sheet
from contracts.services.bench.rows import rows_of
from contracts.terms import ConstraintTerms

SAME, CHANGED, DROPPED, ADDED = (
    gettext_noop("same"),
    gettext_noop("changed"),
    gettext_noop("dropped"),
    gettext_noop("added"),
)
# Words that speak of a reviewer: such a note would tell of the other one.
_PLACE = re.compile(r"\b[AB]\b")
_ROLE = re.compile(r"review|annotat|prüfer|prüfend", re.IGNORECASE)


@dataclass(frozen=True)
class SettledRow:
    """One row: mine beside the final, constraints (or the ambiguity mark's JSON), a missing side
    None. `withheld` is true where the note speaks of a reviewer.
    """

    state: str
    kind: str
    mine: Any
    final: Any
    reason: str = ""
    note: str = ""
    withheld: bool = False


def settled_sheets(person: Person, project: Project) -> QuerySet[Sheet]:
    """The person's own sheets of requests whose contract is approved, the newest contract first.
    They can no longer be retracted: a contract stands on them.
    """
    contracted = Contract.objects.filter(request__project=project).values("request")
    return (
        Sheet.objects.standing()
        .filter(annotator=person, request__in=contracted, seat__isnull=False)
        .exclude(request__gold__isnull=False)
        .select_related("request__request_class", "request__project", "seat")
        .annotate(settled_at=Max("request__contracts__approved_at"))
        .order_by("-settled_at", "-pk")
    )


@transaction.atomic
def read_settled(*, actor: Person, sheet: Sheet) -> tuple[Contract, list[SettledRow]]:
    """The contract in force and the person's sheet beside it, row by row; that they were shown it
    is recorded before it happens.
    """
    project = sheet.request.project
    lock(project)
    expose(person=actor, project=project, subject=sheet.request.key, what="contract")
    contract = Contract.objects.current(project).get(request=sheet.request)
    return contract, mine_and_final(sheet, contract)


def mine_and_final(sheet: Sheet, contract: Contract) -> list[SettledRow]:
    adjudication = getattr(contract, "adjudication", None)
    if adjudication is None or sheet.pk not in (adjudication.sheet_a_id, adjudication.sheet_b_id):
        found = differences(sheet.terms, contract.terms)
        return [row for d in found if (row := _row(d, d.a, d.b))]
    names = _names(sheet.request.project)
    rows = []
    for difference, decision in rows_of(adjudication):
        mine = difference.a if sheet.pk == adjudication.sheet_a_id else difference.b
        row = _row(difference, mine, _final(difference, decision), decision, names)
        if row:
            rows.append(row)
    return rows


def speaks_of_reviewers(note: str, names: Iterable[str] = ()) -> bool:
    """Whether a note names a reviewer: by place, by word, or by a member's name."""
    if _PLACE.search(note) or _ROLE.search(note):
        return True
    folded = note.casefold()
    return any(
        re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", folded) for name in names if name
    )


def _final(difference: Difference, decision: Decision | None) -> Any:
    if difference.agreed:
        return difference.a
    if decision is None or decision.result is None:
        return None
    if difference.kind == AMBIGUITY:
        return decision.result
    return ConstraintTerms.from_json(decision.result)


def _row(
    difference: Difference,
    mine: Any,
    final: Any,
    decision: Decision | None = None,
    names: Iterable[str] = (),
) -> SettledRow | None:
    """None where neither has anything: what only the other reviewer said stays unseen."""
    if mine is None and final is None:
        return None
    if mine is None or final is None:
        state = ADDED if mine is None else DROPPED
    elif difference.kind == AMBIGUITY:
        state = SAME if mine == final else CHANGED
    else:
        state = CHANGED if differing(mine, final) else SAME
    if decision is None or state == SAME:
        return SettledRow(state, difference.kind, mine, final)
    withheld = speaks_of_reviewers(decision.note, names)
    note = "" if withheld else decision.note
    return SettledRow(state, difference.kind, mine, final, decision.reason, note, withheld)


def _names(project: Project) -> list[str]:
    people = Person.objects.filter(memberships__project=project)
    return [name for person in people for name in (person.username, person.shown_name)]
