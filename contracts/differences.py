"""Where two sheets of one request agree and where they do not. Pure: values in, values out."""

from dataclasses import dataclass
from typing import Any

from annotation.canonical import content_hash
from contracts.alignment import align, overlap
from contracts.terms import ConstraintTerms, ContractTerms

AMBIGUITY = "ambiguity"


@dataclass(frozen=True)
class Difference:
    """One row of the bench. `item` is stable for the same two sheets; a missing side is None.

    For constraints, `a` and `b` are ConstraintTerms; for the ambiguity mark they are its JSON.
    """

    item: str
    kind: str
    a: Any
    b: Any
    # what differs: presence, words, value, materiality, admissible, unresolved, readings
    fields: tuple[str, ...]

    @property
    def agreed(self) -> bool:
        return not self.fields

    @property
    def sha256(self) -> str:
        """The hash of both sides, whatever the ids of their constraints: what a decision was
        made on.
        """
        return content_hash([_said(self.a), _said(self.b)])

    @property
    def critical(self) -> bool:
        if self.kind == AMBIGUITY:
            return not self.agreed
        return not self.agreed and any(
            side is not None and side.critical for side in (self.a, self.b)
        )


def _said(side: Any) -> Any:
    return {**side.to_json(), "id": ""} if isinstance(side, ConstraintTerms) else side


def differences(a: ContractTerms, b: ContractTerms) -> list[Difference]:
    """Return one row for each aligned or one-sided constraint, agreed ones included, then the
    ambiguity mark.
    """
    rows = []
    for x, y in align(a.constraints, b.constraints):
        item = f"{x.id if x else '-'}|{y.id if y else '-'}"
        side = x or y
        rows.append(Difference(item, side.kind if side else "", x, y, differing(x, y)))
    mark_a, mark_b = a.ambiguity.to_json(), b.ambiguity.to_json()
    fields = tuple(key for key in ("unresolved", "readings") if mark_a[key] != mark_b[key])
    rows.append(Difference(AMBIGUITY, AMBIGUITY, mark_a, mark_b, fields))
    return rows


def differing(x: ConstraintTerms | None, y: ConstraintTerms | None) -> tuple[str, ...]:
    """In what two constraints that are paired differ; nothing when they agree."""
    if x is None or y is None:
        return ("presence",)
    found = []
    if dict(x.value) != dict(y.value):  # by value: 5 equals 5.0
        found.append("value")
    if x.materiality != y.materiality:
        found.append("materiality")
    if sorted(x.admissible) != sorted(y.admissible):
        found.append("admissible")
    # Slightly other words around the same value are no disagreement; words apart from each other
    # are.
    if x.span and y.span and not overlap(x.span, y.span):
        found.append("words")
    return tuple(found)
