"""How much of a known contract a sheet has. Pure: values in, values out.

A known critical Constraint counts as *found* when the sheet has a critical Constraint of the same
kind with the same value, over words that overlap (or where one of the two marks no words). What the
same value is, `contracts.comparing` says for agreement too; other admissible names of a referent
count here besides. That a request is unresolved counts like one critical Constraint.
Everything else is shown and not counted.
"""

from dataclasses import dataclass

from contracts.alignment import align, overlap
from contracts.comparing import comparable, folded
from contracts.terms import ConstraintTerms, ContractTerms

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
    rows = tuple(_row(*pair) for pair in align(known.constraints, given.constraints))
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
    if known.span and given.span and not overlap(known.span, given.span):
        differs.append("words")
    return PracticeRow(PARTLY if differs else FOUND, known, given, tuple(differs))


def _same_value(known: ConstraintTerms, given: ConstraintTerms) -> bool:
    """Whether both say the same; another admissible name of a referent does too."""
    if comparable(known.kind, known.value) == comparable(given.kind, given.value):
        return True
    if known.kind != "referent":
        return False
    names = (*known.value.get("aliases", ()), *known.admissible)
    return folded(given.value.get("name")) in map(folded, names)
