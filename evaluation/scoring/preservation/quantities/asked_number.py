"""Whether a number of a query is the one asked for: its value, its unit, and what it counts."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.quantities.counting import convertible
from evaluation.scoring.preservation.quantities.numbers import (
    QuantityMention,
    find_quantities,
    same_number,
    unit_noun,
)  # fmt: skip
from evaluation.scoring.preservation.quantities.shares import NEARLY, SAME
from evaluation.scoring.preservation.quantities.units import Measure, measure

# "same", "other" (in its place), "unclear", "apart" or "known" (another number); and why.
Verdict = tuple[str, str]


def numbers_agree(
    constraint: ConstraintTerms, reading: Reading, mention: QuantityMention
) -> bool | None:
    """Whether number and upper end are equal after conversion; None where a unit is missing."""
    value = constraint.value
    asked, high = float(value["value"]), value.get("high")
    unit = None if value.get("currency") else measure(value.get("unit"))
    if value.get("currency") and mention.currency is None and mention.unit:
        return False
    if mention.share and (agree := _shares_agree(asked, unit, mention)) is not False:
        return agree
    pairs = ((asked, mention.value), (high, mention.high))
    if unit is None or mention.unit is None:
        equal = all(same_number(_float(one), other) for one, other in pairs)
        known_unit = unit is not None and convertible(unit.dimension)
        if known_unit and mention.unit is None and equal and _unit_unsaid(constraint, reading):
            return True
        lone = mention.unit is None and not mention.noun and not mention.currency
        if known_unit and mention.unit is None:
            return None if equal or lone else False
        return equal
    if unit.dimension != mention.unit.dimension:
        if "vague" in unit.dimension + mention.unit.dimension:
            return None
        return False
    return all(
        same_number(
            None if one is None else unit.base(float(one)),
            None if other is None else mention.unit.base(other),
        )
        for one, other in pairs
    )


def _shares_agree(asked: float, unit: Measure | None, mention: QuantityMention) -> bool | None:
    """Whether a share in words is the one asked for, which a contract may round ("66.7 %") or give
    as a part of one; None where it is nearly that."""
    if mention.high is not None or unit and mention.unit and unit.dimension != "percent":
        return False
    wanted = 100 * asked if unit is None and asked <= 1 else asked
    apart = abs(wanted - mention.value)
    return True if apart <= SAME else None if apart <= NEARLY else False


def _unit_unsaid(constraint: ConstraintTerms, reading: Reading) -> bool:
    """Whether the request itself has the number without its unit ("the drinking age of 21")."""
    span, texts = constraint.span, (*reading.turns, reading.asked)
    if span is None or not 0 <= span.turn < len(texts):
        return False
    own = [
        found
        for found in find_quantities(texts[span.turn])
        if span.start <= texts[span.turn].words[found.at].start < span.end
    ]
    return bool(own) and all(found.unit is None for found in own)


def rounded_off(constraint: ConstraintTerms, mention: QuantityMention) -> bool:
    """Whether a number in another unit is the one asked for but for rounding: 98 ft for 30 m."""
    value = constraint.value
    unit = None if value.get("currency") else measure(value.get("unit"))
    if unit is None or mention.unit is None or unit == mention.unit:
        return False
    if unit.dimension != mention.unit.dimension or not convertible(unit.dimension):
        return False
    asked, found = unit.base(float(value["value"])), mention.unit.base(mention.value)
    return abs(asked - found) <= 0.02 * abs(asked)


def other_unit(constraint: ConstraintTerms, reading: Reading, mention: QuantityMention) -> Verdict:
    """The same number with a unit of another dimension, where the request has one quantity only,
    stands in its place; any other number is apart."""
    unit = measure(constraint.value.get("unit"))
    measured = unit and mention.unit and convertible(unit.dimension)
    same = same_number(_float(constraint.value["value"]), mention.value)
    both = {unit.dimension if unit else "", mention.unit.dimension if mention.unit else ""}
    vague = any(one.startswith("vague") for one in both) or both == {"percent", "point"}
    if measured and same and not vague and next(reading.others(constraint), None) is None:
        return "other", "The number has another unit."
    return "apart", ""


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def same_place(constraint: ConstraintTerms, mention: QuantityMention) -> bool | None:
    """Whether a number counts the same kind of thing: True, False, or None for "cannot tell"."""
    value = constraint.value
    if value.get("currency"):
        return True if mention.currency else (False if mention.unit else None)
    unit = measure(value.get("unit"))
    if unit is None:
        return None if mention.unit is None and mention.currency is None else False
    if mention.currency:
        return False
    if mention.unit:
        return unit.dimension == mention.unit.dimension
    if convertible(unit.dimension):
        return None
    noun = unit_noun(value.get("unit"))
    before = bool(noun) and mention.noun_before == noun and not mention.noun.isalpha()
    return True if mention.noun == noun or before else None


def known_number(constraint: ConstraintTerms, reading: Reading, mention: QuantityMention) -> bool:
    """Whether another constraint, or the rest of the request, has this number."""
    for other in reading.others(constraint):
        if isinstance(other.value.get("value"), int | float) and numbers_agree(
            other, reading, mention
        ):
            return True
    span = constraint.span
    for turn, text in enumerate((*reading.turns, reading.asked)):
        for found in find_quantities(text):
            start = text.words[found.at].start
            inside = span and span.turn == turn and span.start <= start < span.end
            if not inside and same_number(found.value, mention.value):
                return True
    return False
