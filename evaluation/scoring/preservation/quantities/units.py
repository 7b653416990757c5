"""Units of measurement: which wording names which unit, and exact conversion within a dimension.

Factors come from pint, as exact fractions, worked out once for each unit and only when a text has
one. Percent, basis points, months and the like are no units of pint's; the list gives their factor.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.text import Text, read_text

if TYPE_CHECKING:
    from pint import UnitRegistry


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit as a dimension, a factor to its base unit and an offset (for temperatures); an unknown
    unit is its own dimension."""

    dimension: str
    factor: float
    offset: float = 0.0

    def base(self, number: float) -> float:
        """Return a number of this unit in the base unit of its dimension."""
        return number * self.factor + self.offset


@lru_cache(maxsize=1_000)
def measure(name: str | None) -> Measure | None:
    """Return the dimension and factor of a unit's name, or None for no name.

    >>> measure("km")
    Measure(dimension='length', factor=1000.0, offset=0.0)
    """
    if not name:
        return None
    text = read_text(name)
    found = unit_at(text, 0)
    if found and found[0] == len(text):
        return found[1]
    return Measure(f"count of {' '.join(text.stems)}", 1.0)


def unit_at(text: Text, at: int) -> tuple[int, Measure] | None:
    """The longest unit at a place, tried as written and in the singular: its end and measure."""
    if at >= len(text):
        return None
    if text.words[at].gap.endswith("°") and text.words[at].text in ("c", "f"):
        return at + 1, _measure("temperature", {"c": "degC", "f": "degF"}[text.words[at].text])
    if not {text.words[at].text, text.words[at].stem} & _openings():
        return None  # nearly every word of a text, so this is looked at first
    for size in (4, 3, 2, 1):
        run = text.words[at : at + size]
        if len(run) < size:
            continue
        for form in (" ".join(w.text for w in run), " ".join(w.stem for w in run)):
            meaning = _wordings().get(form)
            if meaning:
                return at + size, _measure(*meaning)
    return None


# Dimensions whose units say themselves what they count by ("km/h").
_COMPOUND = ("speed", "flow")


def is_compound(name: str | None) -> bool:
    """Whether a unit of that name says itself what it counts by."""
    found = measure(name)
    return found is not None and found.dimension in _COMPOUND


def in_compound(text: Text, at: int) -> bool:
    """Whether the word at a place ends a unit such as "m³/s" or "miles per hour"."""
    for first in range(max(0, at - 3), at):
        found = unit_at(text, first)
        if found and found[0] > at and found[1].dimension in _COMPOUND:
            return True
    return False


@cache
def dimensions() -> frozenset[str]:
    """Return every dimension within which units are converted."""
    return frozenset(dimension for dimension, _ in _wordings().values())


@cache
def _openings() -> frozenset[str]:
    return frozenset(form.split()[0] for form in _wordings())


@cache
def _wordings() -> dict[str, tuple[str, str]]:
    return {
        " ".join(words): (meaning.split()[0], meaning.split()[1])
        for words, meaning in lexicon.phrases("units").entries
    }


@cache
def _measure(dimension: str, unit: str) -> Measure:
    if unit.replace(".", "").isdecimal():
        return Measure(dimension, float(unit))
    zero, one = (
        _registry().Quantity(Fraction(number), unit).to_base_units().magnitude for number in (0, 1)
    )
    return Measure(dimension, float(one - zero), float(zero))


@cache
def _registry() -> "UnitRegistry[Fraction]":
    from pint import UnitRegistry  # takes half a second, so only for the first unit of a text

    return UnitRegistry(non_int_type=Fraction)
