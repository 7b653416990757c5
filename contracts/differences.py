"""Where two sheets of one request agree and where they do not. Pure: values in, values out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from annotation.canonical import canonical_json
from contracts.terms import ConstraintTerms, ContractTerms, Span

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
    def critical(self) -> bool:
        if self.kind == AMBIGUITY:
            return not self.agreed
        return not self.agreed and any(
            side is not None and side.critical for side in (self.a, self.b)
        )


def align(
    a: tuple[ConstraintTerms, ...], b: tuple[ConstraintTerms, ...]
) -> list[tuple[ConstraintTerms | None, ConstraintTerms | None]]:
    """Pair the constraints of two sheets one to one, by kind first, then overlap of words and
    equal value.

    The pairing has the greatest total likeness (optimal assignment), does not depend on the order
    in which
    constraints were made, and leaves one-sided constraints as (x, None) or (None, y).
    """
    left = sorted(a, key=_order)
    right = sorted(b, key=_order)
    pairs: list[tuple[ConstraintTerms | None, ConstraintTerms | None]] = []
    used_left, used_right = set(), set()
    if left and right:
        likeness = np.array([[_likeness(x, y) for y in right] for x in left])
        for i, j in zip(*linear_sum_assignment(-likeness), strict=True):
            if likeness[i, j] > 0:
                pairs.append((left[i], right[j]))
                used_left.add(i)
                used_right.add(j)
    pairs += [(x, None) for i, x in enumerate(left) if i not in used_left]
    pairs += [(None, y) for j, y in enumerate(right) if j not in used_right]
    return sorted(pairs, key=lambda pair: _order(next(side for side in pair if side is not None)))


def differences(a: ContractTerms, b: ContractTerms) -> list[Difference]:
    """Return one row for each aligned or one-sided constraint, agreed ones included, then the
    ambiguity mark.
    """
    rows = []
    for x, y in align(a.constraints, b.constraints):
        item = f"{x.id if x else '-'}|{y.id if y else '-'}"
        side = x or y
        rows.append(Difference(item, side.kind if side else "", x, y, _differing(x, y)))
    mark_a, mark_b = a.ambiguity.to_json(), b.ambiguity.to_json()
    fields = tuple(key for key in ("unresolved", "readings") if mark_a[key] != mark_b[key])
    rows.append(Difference(AMBIGUITY, AMBIGUITY, mark_a, mark_b, fields))
    return rows


def _differing(x: ConstraintTerms | None, y: ConstraintTerms | None) -> tuple[str, ...]:
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
    if x.span and y.span and not _overlap(x.span, y.span):
        found.append("words")
    return tuple(found)


def _likeness(x: ConstraintTerms, y: ConstraintTerms) -> float:
    if x.kind != y.kind:
        return 0.0
    same_value = dict(x.value) == dict(y.value)
    overlap = _overlap(x.span, y.span) if x.span and y.span else 0.0
    return 2.0 * overlap + (1.0 if same_value else 0.0)


def _overlap(x: Span, y: Span) -> float:
    """Intersection over union of the words in code points, 0 on different turns."""
    if x.turn != y.turn:
        return 0.0
    common = min(x.end, y.end) - max(x.start, y.start)
    return max(0, common) / (max(x.end, y.end) - min(x.start, y.start))


def _order(c: ConstraintTerms) -> tuple[Any, ...]:
    span = c.span or Span(10**6, 0, 0)
    return (span.turn, span.start, span.end, c.kind, canonical_json(dict(c.value)), c.id)
