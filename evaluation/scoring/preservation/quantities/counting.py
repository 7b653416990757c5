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
from evaluation.scoring.preservation.text import Text, near, read_text

# Dimensions whose numbers may be counted in whole: "fewer than 6 months", "at most 5 months".
_COUNTABLE = ("time", "month")
# Words of which a rate has one.
_OF_RATES = {"rate", "rates", "per", "each", "every", "share", "ratio", "proportion", "incidence",
             "density", "frequency", "for", "in", "among", "a", "an"}  # fmt: skip


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
    if noun == unit_noun(constraint.value.get("unit")):
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


def rate_lost(
    constraint: ConstraintTerms, reading: Reading, text: Text, mention: QuantityMention
) -> bool:
    """Whether a rate ("20 per 1,000 people") became a bare count of the request's things ("20
    crimes"): no word of a rate and no other number is left."""
    unit = read_text(str(constraint.value.get("unit") or ""))
    if constraint.value.get("aggregation") != "rate" or not {"per", "in"} & unit.vocabulary:
        return False
    at = next((i for i in range(mention.at, len(text)) if text.stems[i] == mention.noun), None)
    if at is None or text.roots[at] not in reading.known_roots or mention.unit is not None:
        return False
    if text.roots[at] in unit.roots or text.vocabulary & _OF_RATES or "/" in text.raw:
        return False
    return sum(word.is_number for word in text.words) == 1


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
