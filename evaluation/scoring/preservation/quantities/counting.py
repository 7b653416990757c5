"""Counted things: neighbouring whole numbers, and whether the same noun is counted."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.quantities.numbers import (
    QuantityMention,
    find_quantities,
    same_number,
    unit_noun,
)  # fmt: skip
from evaluation.scoring.preservation.quantities.units import dimensions, measure
from evaluation.scoring.preservation.text import Text, near

# Dimensions whose numbers may be counted in whole: "fewer than 6 months", "at most 5 months".
_COUNTABLE = ("time", "month")


def convertible(dimension: str) -> bool:
    return dimension in dimensions()


def counted(constraint: ConstraintTerms) -> bool:
    """Whether a quantity counts whole things: no currency, no unit of measurement, no mean."""
    value = constraint.value
    unit = measure(value.get("unit"))
    plain = value.get("aggregation") in (None, "count", "total", "cumulative")
    return plain and not value.get("currency") and not (unit and convertible(unit.dimension))


def _in_whole_numbers(operator: str, number: float) -> tuple[str, float]:
    """ "< 12" of whole things is "<= 11", and "> 11" is ">= 12"."""
    if not float(number).is_integer():
        return operator, number
    return {"<": ("<=", number - 1), ">": (">=", number + 1)}.get(operator, (operator, number))


def neighbours(constraint: ConstraintTerms, mention: QuantityMention) -> bool:
    """Whether two bounds admit the same whole numbers, read in one unit."""
    value = constraint.value
    unit = None if value.get("currency") else measure(value.get("unit"))
    if value.get("high") is not None or mention.high is not None or value.get("currency"):
        return False
    if mention.currency or (mention.unit and mention.unit != unit):
        return False
    if unit and convertible(unit.dimension) and unit.dimension not in _COUNTABLE:
        return False
    asked = _in_whole_numbers(str(value.get("operator")), float(value["value"]))
    return asked == _in_whole_numbers(mention.operator, mention.value)


def counts_the_same(
    constraint: ConstraintTerms, reading: Reading, text: Text, mention: QuantityMention
) -> bool:
    """Whether the noun after a bare number may be the counted one: "12 managers" are no
    employees."""
    unit = measure(constraint.value.get("unit"))
    if mention.unit or mention.currency or (unit and convertible(unit.dimension)):
        return True
    noun = mention.noun
    if not noun.isalpha() or noun in lexicon.words("stopwords"):
        return True
    at = next((i for i in range(mention.at, len(text)) if text.stems[i] == noun), mention.at)
    if text.words[at].gap not in ("", "-"):
        return True
    if unit is None:
        return text.roots[at] in reading.known_roots or not _noun_asked(constraint, reading)
    wanted = unit_noun(constraint.value.get("unit"))
    for place in range(at, min(at + 4, len(text))):
        if place > at and text.words[place].gap not in ("", "-"):
            break
        if text.words[place].text in lexicon.words("stopwords"):
            break
        if text.stems[place] == wanted or near(text.stems[place], wanted):
            return True
    return False


def _noun_asked(constraint: ConstraintTerms, reading: Reading) -> bool:
    """Whether the request itself has a noun after the number."""
    return any(
        mention.noun.isalpha() and mention.noun not in lexicon.words("stopwords")
        for text in (*reading.turns, reading.asked)
        for mention in find_quantities(text)
        if same_number(mention.value, float(constraint.value["value"]))
    )


def in_whole_bounds(bounds: dict[str, float]) -> dict[str, float]:
    """Return bounds (sign: number) of whole things without "<" and ">"."""
    return dict(_in_whole_numbers(sign, number) for sign, number in bounds.items())
