"""Which constraints of different reviewers are the same one. Pure: values in, values out.

The pairing is one to one, by kind first, then by overlap of words and equal value, of the greatest
total likeness (optimal assignment), and does not depend on the order in which constraints were made
or sheets were sealed. What has no counterpart stays, one-sided; nothing is dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from contracts.comparing import Form, comparable
from contracts.terms import ConstraintTerms, Span

Side = ConstraintTerms | None


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that a request may demand, and each reviewer's constraint for it, or None; `says`
    has the comparable form of each one's value.
    """

    kind: str
    sides: tuple[Side, ...]
    says: tuple[Form | None, ...]

    @property
    def seen_by(self) -> int:
        return sum(side is not None for side in self.sides)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A constraint with what it is compared and ordered by, worked out once."""

    terms: ConstraintTerms
    says: Form
    place: tuple[Any, ...]
    key: tuple[Any, ...]  # what twins have in common


def align(a: Sequence[ConstraintTerms], b: Sequence[ConstraintTerms]) -> list[tuple[Side, Side]]:
    """Pair the constraints of two sheets; what only one has is (x, None) or (None, y)."""
    return [(unit.sides[0], unit.sides[1]) for unit in align_all([a, b])]


def align_all(sheets: Sequence[Sequence[ConstraintTerms]]) -> list[Unit]:
    """Align the constraints of all reviewers of one request, in the order of the words; the sides
    of a unit stand in the order of `sheets`.

    More than two are aligned one after the other, in an order that only their content decides, each
    with the units found so far.
    """
    placed = [sorted(map(_placed, sheet), key=lambda one: one.place) for sheet in sheets]
    turns = sorted(range(len(placed)), key=lambda n: [one.place[:-1] for one in placed[n]])
    units: list[dict[int, _Placed]] = []
    for turn in turns:
        matched = _matched(units, placed[turn])
        for row, constraint in enumerate(placed[turn]):
            if row in matched:
                units[matched[row]][turn] = constraint
            else:
                units.append({turn: constraint})
    units.sort(key=lambda unit: min(one.place for one in unit.values()))
    return [
        Unit(
            next(iter(unit.values())).terms.kind,
            tuple(unit[n].terms if n in unit else None for n in range(len(sheets))),
            tuple(unit[n].says if n in unit else None for n in range(len(sheets))),
        )
        for unit in units
    ]


def overlap(x: Span, y: Span) -> float:
    """Intersection over union of the words in code points, 0 on different turns."""
    if x.turn != y.turn:
        return 0.0
    common = min(x.end, y.end) - max(x.start, y.start)
    return max(0, common) / (max(x.end, y.end) - min(x.start, y.start))


def _matched(units: list[dict[int, _Placed]], constraints: list[_Placed]) -> dict[int, int]:
    """For each constraint that has one, the unit to which it belongs."""
    if not units or not constraints:
        return {}
    found = _all_alike(units, constraints)
    if found is not None:
        return found
    likeness = _likenesses(units, constraints)
    rows, columns = [i for i, _j in likeness], [j for _i, j in likeness]
    if len(set(rows)) == len(rows) and len(set(columns)) == len(columns):
        return {row: column for row, column in likeness}  # nobody competes
    table = np.zeros((len(constraints), len(units)))
    for place, value in likeness.items():
        table[place] = value
    taken = linear_sum_assignment(-table)
    return {int(i): int(j) for i, j in zip(*taken, strict=True) if table[i, j] > 0}


def _likenesses(
    units: list[dict[int, _Placed]], constraints: list[_Placed]
) -> dict[tuple[int, int], float]:
    """How alike each constraint and each unit are, where they are at all."""
    found = {}
    of_kind: dict[str, list[int]] = {}
    for number, unit in enumerate(units):
        of_kind.setdefault(next(iter(unit.values())).terms.kind, []).append(number)
    for row, constraint in enumerate(constraints):
        for column in of_kind.get(constraint.terms.kind, ()):
            value = max([_likeness(side, constraint) for side in units[column].values()])
            if value > 0:
                found[row, column] = value
    return found


def _all_alike(
    units: list[dict[int, _Placed]], constraints: list[_Placed]
) -> dict[int, int] | None:
    """The pairing where every constraint has a twin with the same words and value: no assignment
    has a greater likeness. None where some have none.
    """
    free: dict[tuple[Any, ...], list[int]] = {}
    for number, unit in enumerate(units):
        sides = iter(unit.values())
        key = next(sides).key
        for side in sides:
            if side.key != key:
                return None
        free.setdefault(key, []).append(number)
    found = {}
    for row, constraint in enumerate(constraints):
        twins = free.get(constraint.key)
        if not twins or constraint.terms.span is None:
            return None
        found[row] = twins.pop(0)
    return found


def _likeness(x: _Placed, y: _Placed) -> float:
    """How alike two constraints of one kind are: their words, then their value."""
    words = overlap(x.terms.span, y.terms.span) if x.terms.span and y.terms.span else 0.0
    return 2.0 * words + (1.0 if x.says == y.says else 0.0)


def _placed(c: ConstraintTerms) -> _Placed:
    span, says = c.span or Span(10**6, 0, 0), comparable(c.kind, c.value)
    place = (span.turn, span.start, span.end, c.kind, repr(says), c.materiality, c.id)
    return _Placed(c, says, place, (place[:3] if c.span else None, says))
