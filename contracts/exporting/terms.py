"""What the exports of this app write alike: constraints with their parts in the documented order,
and the requests in the study's order with what hangs on them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Prefetch, QuerySet

from annotation.exporting.kinds import CHUNK, Wanted
from annotation.exporting.writing import settled
from annotation.models import Request, Seat
from contracts.models import Contract, Sheet
from contracts.terms import ConstraintTerms, ContractTerms
from contracts.values import FIELDS

# What no file shows of a seat, and would be read and parsed for every sheet.
_UNREAD = ("seat__draft", "seat__public_id", "seat__reason")


def terms_written(terms: ContractTerms) -> dict[str, Any]:
    """The terms as in contracts.jsonl, each part's fields in the order of its table."""
    return {
        "constraints": [constraint_written(constraint) for constraint in terms.constraints],
        "ambiguity": terms.ambiguity.to_json(),
        "admissible_rewrites": list(terms.admissible_rewrites),
    }


def constraint_written(constraint: ConstraintTerms) -> dict[str, Any]:
    return {**constraint.to_json(), "value": value_written(constraint.kind, constraint.value)}


def value_written(kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
    known = [name for name in FIELDS.get(kind, ()) if name in value]
    others = sorted(value.keys() - set(known))
    return {name: settled(value[name]) for name in (*known, *others)}


def standing_sheets(wanted: Wanted) -> QuerySet[Sheet]:
    found = Sheet.objects.standing().filter(wanted.by("annotator"), request__project=wanted.project)
    return found.order_by("pk")


def current_contracts(wanted: Wanted) -> QuerySet[Contract]:
    return Contract.objects.current(wanted.project)


def with_sheets(requests: QuerySet[Request], sheets: QuerySet[Sheet]) -> QuerySet[Request]:
    """Load the sheets of each request as `shown_sheets`."""
    loaded = sheets.select_related("seat").defer(*_UNREAD).prefetch_related("constraints")
    return requests.prefetch_related(Prefetch("sheets", loaded, to_attr="shown_sheets"))


def with_contract(requests: QuerySet[Request], wanted: Wanted) -> QuerySet[Request]:
    """Load the contract in force of each request as `shown_contracts`, a list of one or none."""
    loaded = current_contracts(wanted).prefetch_related("annotators")
    return requests.prefetch_related(Prefetch("contracts", loaded, to_attr="shown_contracts"))


def with_given_up(requests: QuerySet[Request]) -> QuerySet[Request]:
    """Load the seats of sheets that could not be judged as `given_up`."""
    seats = Seat.objects.filter(kind="sheet", state=Seat.State.CANNOT_JUDGE).order_by("pk")
    return requests.prefetch_related(Prefetch("seats", seats, to_attr="given_up"))


def in_order(requests: QuerySet[Request]) -> Iterator[Any]:
    """The requests in the study's order, a chunk at a time. What was loaded to attributes is on
    them, which no type knows.
    """
    return requests.order_by("position", "pk").iterator(chunk_size=CHUNK)
