"""The annotations as one wide table: a row for each request, and always the same columns, however
many people annotated.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.desk import WORK_KINDS
from annotation.exporting.kinds import ExportKind, Wanted, register
from annotation.models import Request, Seat
from annotation.needs import with_wanted
from contracts.exporting.annotations import outcome_of
from contracts.exporting.terms import (
    constraint_written,
    in_order,
    standing_sheets,
    terms_written,
    with_contract,
    with_given_up,
    with_sheets,
)
from contracts.models import Contract, Sheet

SLOTS = 5  # reviewers with columns of their own; whoever comes after them is in the list
_OF_REVIEWER = ("", "_outcome", "_reason", "_unresolved", "_readings", "_constraints")


@register
class WideAnnotationsExport(ExportKind):
    """annotations-wide.jsonl or .csv: the wide table."""

    name = "annotations-wide"
    order = 90
    label = _("Annotations, wide table")
    purpose = _(
        "One row for each request: five reviewers side by side in the order of their pseudonyms, "
        "further ones as a list, then the contract and its adjudicator."
    )
    columns = (
        "request", "class", "turns", "text", "reviewers_wanted", "reviewers_done",
        "cannot_judge",
        *(f"reviewer_{n}{part}" for n in range(1, SLOTS + 1) for part in _OF_REVIEWER),
        "further_reviewers", "adjudicator", "contract_version", "contract_sha256",
        "contract_unresolved", "contract",
    )  # fmt: skip
    group = "table"
    forms = ("csv", "jsonl")
    work = "sheet"
    of_people = True

    def count(self, wanted: Wanted) -> int:
        return wanted.project.requests.count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        sheets = standing_sheets(wanted).filter(wanted.handed_out())
        requests = with_wanted(
            wanted.project.requests.with_words(), WORK_KINDS["sheet"], wanted.project
        )
        requests = with_given_up(with_contract(with_sheets(requests, sheets), wanted))
        for request in in_order(requests):
            yield self._row(request, wanted)

    def _row(self, request: Any, wanted: Wanted) -> dict[str, Any]:
        reviewers = _reviewers(request, wanted)
        row: dict[str, Any] = dict.fromkeys(self.columns)
        row |= _asked(request) | {
            "reviewers_wanted": request.wanted,
            "reviewers_done": len(reviewers),
            "cannot_judge": len(request.given_up),
            "further_reviewers": [_further(reviewer) for reviewer in reviewers[SLOTS:]],
        }
        for n, reviewer in enumerate(reviewers[:SLOTS], start=1):
            row |= {f"reviewer_{n}{part}": value for part, value in reviewer.items()}
        for contract in request.shown_contracts:
            row |= _contracted(contract, wanted)
        return row


def _asked(request: Request) -> dict[str, Any]:
    return {
        "request": request.key,
        "class": request.request_class.name,
        "turns": [{"role": turn.role, "text": turn.text} for turn in request.turns.all()],
        "text": request.text,
    }


def _reviewers(request: Any, wanted: Wanted) -> list[dict[str, Any]]:
    """Whose work is done, in the order of their pseudonyms, also where names are shown."""
    names = wanted.names
    found = [(names.place(s.annotator_id), _sheet(s, wanted)) for s in request.shown_sheets]
    found += [(names.place(s.holder_id), _could_not(s, wanted)) for s in request.given_up]
    return [reviewer for _place, reviewer in sorted(found, key=lambda pair: pair[0])]


def _sheet(sheet: Sheet, wanted: Wanted) -> dict[str, Any]:
    terms = sheet.terms
    constraints = [constraint_written(constraint) for constraint in terms.constraints]
    ambiguity = terms.ambiguity
    values = (
        wanted.names.of(sheet.annotator_id), outcome_of(terms), None, ambiguity.unresolved,
        list(ambiguity.readings), constraints,
    )  # fmt: skip
    return dict(zip(_OF_REVIEWER, values, strict=True))


def _could_not(seat: Seat, wanted: Wanted) -> dict[str, Any]:
    values = (wanted.names.of(seat.holder_id), "cannot_judge", seat.reason, None, None, None)
    return dict(zip(_OF_REVIEWER, values, strict=True))


def _further(reviewer: dict[str, Any]) -> dict[str, Any]:
    return {part.removeprefix("_") or "reviewer": value for part, value in reviewer.items()}


def _contracted(contract: Contract, wanted: Wanted) -> dict[str, Any]:
    return {
        "adjudicator": wanted.names.of(contract.adjudicator_id),
        "contract_version": contract.version,
        "contract_sha256": contract.sha256,
        "contract_unresolved": contract.unresolved,
        "contract": terms_written(contract.terms),
    }
