"""Everybody's annotations as one long table: a row for each person × request × constraint, and a
row for a person who marked nothing or could not judge, because absence is a value.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import ExportKind, Wanted, register
from annotation.exporting.names import moment
from annotation.models import Project, Request, Seat
from annotation.services import exposure
from contracts.exporting.terms import (
    current_contracts,
    in_order,
    standing_sheets,
    value_written,
    with_contract,
    with_given_up,
    with_sheets,
)
from contracts.models import Constraint, Contract, Sheet
from contracts.terms import ConstraintTerms, ContractTerms


@register
class AnnotationsExport(ExportKind):
    """annotations.jsonl or .csv: the long table."""

    name = "annotations"
    order = 80
    label = _("Annotations, long table")
    purpose = _(
        "One row for each person, request and constraint; one row too for a person who marked "
        "nothing or could not judge, and the adjudicated constraints as the adjudicator's rows."
    )
    columns = (
        "request", "class", "person", "role", "outcome", "reason", "blind", "sealed_at",
        "active_seconds", "unresolved", "readings", "constraint", "position", "kind",
        "materiality", "turn", "start", "end", "words", "value", "admissible",
    )  # fmt: skip
    group = "table"
    forms = ("csv", "jsonl")
    work = "sheet"
    of_people = True

    def count(self, wanted: Wanted) -> int:
        sheets = standing_sheets(wanted)
        contracts = current_contracts(wanted)
        marks = Constraint.objects.filter(
            Q(sheet__in=sheets.order_by()) | Q(contract__in=contracts)
        )
        nothing = [
            sheets.filter(constraints=None).count(),
            contracts.filter(constraints=None).count(),
        ]
        return marks.count() + sum(nothing) + _given_up(wanted.project)

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        shown = exposure.first_shown(wanted.project)
        sheets = standing_sheets(wanted).filter(wanted.handed_out())
        requests = with_sheets(wanted.project.requests.with_words(), sheets)
        requests = with_given_up(with_contract(requests, wanted))
        for request in in_order(requests.filter(_touched())):
            common = {name: None for name in self.columns} | {
                "request": request.key,
                "class": request.request_class.name,
            }
            for row in of_request(request, wanted, shown):
                yield common | row


def of_request(
    request: Any, wanted: Wanted, shown: dict[tuple[int | None, str], datetime]
) -> Iterator[dict[str, Any]]:
    """The rows of one request: reviewers by pseudonym, then the adjudicator."""
    work = [*request.shown_sheets, *request.given_up]
    for item in sorted(work, key=lambda item: (wanted.names.place(_person(item)), item.pk)):
        if isinstance(item, Seat):
            yield _could_not(item, wanted)
        else:
            yield from _of_sheet(request, item, wanted, shown)
    for contract in request.shown_contracts:
        yield from _of_contract(request, contract, wanted)


def outcome_of(terms: ContractTerms) -> str:
    return "marked" if terms.constraints else "nothing_marked"


def _of_sheet(
    request: Request, sheet: Sheet, wanted: Wanted, shown: dict[tuple[int | None, str], datetime]
) -> Iterator[dict[str, Any]]:
    seen = shown.get((sheet.annotator_id, request.key))
    terms = sheet.terms
    common = {
        "person": wanted.names.of(sheet.annotator_id),
        "role": "reviewer",
        "outcome": outcome_of(terms),
        "blind": seen is None or seen >= sheet.sealed_at,
        "sealed_at": moment(sheet.sealed_at),
        "active_seconds": sheet.seat.active_seconds if sheet.seat else 0,
    }
    yield from _marks(request, terms, common)


def _of_contract(request: Request, contract: Contract, wanted: Wanted) -> Iterator[dict[str, Any]]:
    terms = contract.terms
    common = {
        "person": wanted.names.of(contract.adjudicator_id),
        "role": "adjudicator",
        "outcome": outcome_of(terms),
        "sealed_at": moment(contract.approved_at),
    }
    yield from _marks(request, terms, common)


def _could_not(seat: Seat, wanted: Wanted) -> dict[str, Any]:
    return {
        "person": wanted.names.of(seat.holder_id),
        "role": "reviewer",
        "outcome": "cannot_judge",
        "reason": seat.reason,
        "active_seconds": seat.active_seconds,
    }


def _marks(
    request: Request, terms: ContractTerms, common: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    common = common | {
        "unresolved": terms.ambiguity.unresolved,
        "readings": list(terms.ambiguity.readings),
    }
    if not terms.constraints:
        yield common
    texts = request.texts
    for position, constraint in enumerate(terms.constraints, start=1):
        yield common | _mark(constraint, position, texts)


def _mark(constraint: ConstraintTerms, position: int, texts: list[str]) -> dict[str, Any]:
    span = constraint.span
    return {
        "constraint": constraint.id,
        "position": position,
        "kind": constraint.kind,
        "materiality": constraint.materiality,
        "turn": span.turn if span else None,
        "start": span.start if span else None,
        "end": span.end if span else None,
        "words": texts[span.turn][span.start : span.end] if span else None,
        "value": value_written(constraint.kind, constraint.value),
        "admissible": list(constraint.admissible),
    }


def _person(item: Sheet | Seat) -> int:
    return item.holder_id if isinstance(item, Seat) else item.annotator_id


def _given_up(project: Project) -> int:
    done = Seat.objects.done().filter(project=project, kind="sheet")
    return done.filter(state=Seat.State.CANNOT_JUDGE).count()


def _touched() -> Any:
    """Requests on which somebody's work is done, or that have a contract."""
    seats = Seat.objects.done().filter(kind="sheet", request=OuterRef("pk"))
    sheets = Sheet.objects.standing().filter(request=OuterRef("pk"))
    contracts = Contract.objects.filter(request=OuterRef("pk"))
    return Exists(seats) | Exists(sheets) | Exists(contracts)
