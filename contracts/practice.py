"""How much of a known contract a sheet has. Pure: values in, values out.

A known critical Constraint counts as *found* when the sheet has a critical Constraint of the same
kind with the same value, over words that overlap (or where one of the two marks no words). A value
is the same when the fields that decide it are, whatever their case and blanks; other admissible
names of a referent count too. That a request is unresolved counts like one critical Constraint.
Everything else is shown and not counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from contracts.alignment import align
from contracts.terms import ConstraintTerms, ContractTerms, Span
from contracts.values import complete_value

# The fields that decide whether two values say the same.
DECIDING: Mapping[str, tuple[str, ...]] = {
    "referent": ("name",),
    "time": ("relation", "start", "end", "calendar"),
    "quantity": ("operator", "value", "high", "unit", "currency", "aggregation"),
    "polarity": ("mode", "target"),
    "status": ("value",),
    "comparison": ("direction", "sets", "measure"),
    "evidence": ("source",),
}
FOUND, PARTLY, MISSED, ADDED = "found", "partly", "missed", "added"


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """One known Constraint beside what the sheet has, or one that only the sheet has. `differs`
    names what keeps a pair from being the same: value, materiality, words.
    """

    outcome: str
    known: ConstraintTerms | None
    given: ConstraintTerms | None
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Practice:
    """A sheet beside the known contract: `found` of `wanted` critical demands, `added` critical
    Constraints that the known contract does not have.
    """

    rows: tuple[PracticeRow, ...]
    known_unresolved: bool
    given_unresolved: bool
    found: int
    wanted: int
    added: int


def compare_with_known(known: ContractTerms, given: ContractTerms) -> Practice:
    """Pair the sheet's Constraints with the known ones and count; the order in which either was
    written changes nothing.
    """
    pairs = align(*(_by_deciding_fields(terms) for terms in (known, given)))
    originals = [{c.id: c for c in terms.constraints} for terms in (known, given)]
    rows = tuple(
        _row(*(of[side.id] if side else None for of, side in zip(originals, pair, strict=True)))
        for pair in pairs
    )
    critical = [row for row in rows if row.known and row.known.critical]
    unresolved = known.ambiguity.unresolved
    extra = sum(row.outcome == ADDED and bool(row.given and row.given.critical) for row in rows)
    return Practice(
        rows=rows,
        known_unresolved=unresolved,
        given_unresolved=given.ambiguity.unresolved,
        found=sum(row.outcome == FOUND for row in critical)
        + (unresolved and given.ambiguity.unresolved),
        wanted=len(critical) + unresolved,
        added=extra + (given.ambiguity.unresolved and not unresolved),
    )


def demands(known: ContractTerms) -> int:
    """How many critical demands a known contract has: what `found` is counted of."""
    return len(known.critical) + known.ambiguity.unresolved


def _row(known: ConstraintTerms | None, given: ConstraintTerms | None) -> PracticeRow:
    if known is None:
        return PracticeRow(ADDED, None, given)
    if given is None:
        return PracticeRow(MISSED, known, None)
    differs = []
    if not _same_value(known, given):
        differs.append("value")
    if known.materiality != given.materiality:
        differs.append("materiality")
    if known.span and given.span and not _overlap(known.span, given.span):
        differs.append("words")
    return PracticeRow(PARTLY if differs else FOUND, known, given, tuple(differs))


def _same_value(known: ConstraintTerms, given: ConstraintTerms) -> bool:
    if _deciding(known) == _deciding(given):
        return True
    if known.kind != "referent":
        return False
    names = (known.value.get("name"), *known.value.get("aliases", ()), *known.admissible)
    return _plain(given.value.get("name")) in {_plain(name) for name in names}


def _by_deciding_fields(terms: ContractTerms) -> tuple[ConstraintTerms, ...]:
    """Constraints whose values hold only what decides them, so that pairs are made by that."""
    return tuple(replace(c, value=_deciding(c)) for c in terms.constraints)


def _deciding(constraint: ConstraintTerms) -> dict[str, Any]:
    value = complete_value(constraint.kind, constraint.value)
    return {name: _plain(value.get(name)) for name in DECIDING[constraint.kind]}


def _plain(value: Any) -> Any:
    """A text without case and further blanks; the members of a set in one order."""
    if isinstance(value, str):
        return " ".join(value.split()).casefold()
    if isinstance(value, list | tuple):
        return sorted(_plain(one) for one in value)
    return value


def _overlap(x: Span, y: Span) -> bool:
    return x.turn == y.turn and x.start < y.end and y.start < x.end
