"""Quantity: a number with operator, unit, currency and aggregation."""

from collections.abc import Iterator

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.aggregations import SAME, aggregations, rates
from evaluation.scoring.preservation.counting import (
    convertible,
    counted,
    counts_the_same,
    in_whole_bounds,
    neighbours,
)  # fmt: skip
from evaluation.scoring.preservation.currencies import currencies_agree
from evaluation.scoring.preservation.filters import FilterTerm
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    dropped,
    filtered,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.matchers.time import reference_day
from evaluation.scoring.preservation.numbers import (
    QuantityMention,
    find_quantities,
    measure,
    same_number,
    unit_noun,
)  # fmt: skip
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.time_filters import is_time_term
from evaluation.scoring.preservation.time_mentions import find_times
from evaluation.scoring.preservation.wording import denied, occurrences

# Aggregations that count what the noun already says, and need no word of their own.
_SILENT = ("count", "rate")
_EXCLUSIVE = {"annual", "quarterly", "monthly", "total", "average", "median", "per_unit"}


@matcher("quantity")
def match_quantity(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Compare every free number of the queries, then the filters, with the contract's quantity."""
    if not isinstance(constraint.value.get("value"), int | float):
        return unsure("", "The contract gives no number.")
    carried = _from_filters(constraint, reading)
    free = list(free_quantities(constraint, reading))
    verdicts = [_compare(constraint, reading, text, mention) for text, mention in free]
    order = {"same": 0, "unclear": 1, "other": 2, "apart": 3}
    ranked = sorted(zip(free, verdicts, strict=True), key=lambda pair: order[pair[1][0]])
    for (text, mention), (verdict, why) in ranked:
        quote = text.quote(mention.first, mention.end)
        if verdict == "same":
            if carried and carried.judgement == "altered":
                return unsure(quote, "A query states the quantity, but a filter carries another.")
            return stated(quote, why)
        if verdict == "other" and not (carried and carried.judgement == "filtered"):
            return altered(quote, why)
        if verdict != "apart":
            return unsure(quote, why)
    if carried:
        return carried
    if free:
        text, mention = free[0]
        return unsure(text.quote(mention.first, mention.end), "A number of unclear role is there.")
    return _absent(reading)


def free_quantities(
    constraint: ConstraintTerms | None, reading: Reading
) -> Iterator[tuple[Text, QuantityMention]]:
    """Yield the quantities of the queries that belong to no date and no name of the contract."""
    for text in reading.queries:
        taken = _accounted(reading, text)
        for mention in find_quantities(text, taken):
            # "one" is a pronoun more often than a number.
            previous = text.words[mention.at - 1].text if mention.at else ""
            if text.words[mention.at].text == "one" and not mention.operator and previous != "than":
                continue
            yield text, mention


def _names(reading: Reading) -> Iterator[str]:
    for constraint in reading.contract.constraints:
        value = constraint.value
        yield from (str(one) for one in (value.get("name"), value.get("source")) if one)
        yield from map(str, (*(value.get("aliases") or ()), *(value.get("sets") or ())))


Verdict = tuple[str, str]
_SAME: Verdict = ("same", "The number, its unit and its bound are those of the contract.")


def _compare(
    constraint: ConstraintTerms, reading: Reading, text: Text, mention: QuantityMention
) -> Verdict:
    """Return "same", "other" (in its place), "unclear", or "apart" (another number), and why."""
    value = constraint.value
    numbers = _numbers_agree(constraint, mention)
    place = _same_place(constraint, mention)
    neighbour = numbers is False and neighbours(constraint, mention)
    if neighbour and not (place and counted(constraint)):
        return "unclear", "A neighbouring number with the neighbouring bound is there."
    numbers = numbers or neighbour
    if numbers is None or mention.ambiguous:
        return "unclear", "The number can be read in two ways, or its unit is missing."
    if not numbers:
        if not place or _known(constraint, reading, mention):
            return "apart", ""
        return "other", "Another number of the same unit stands in its place."
    if place is False:
        return "unclear", "The number is there with something else counted."
    if not counts_the_same(constraint, reading, text, mention):
        return "unclear", "The number stands before another noun than the one counted."
    if value.get("currency"):
        agree = currencies_agree(str(value["currency"]), mention.currency)
        if agree is None:
            return "unclear", "The number is there, but its currency is not said clearly."
        if not agree:
            return "other", "The number has another currency."
    operator = _SAME if neighbour else _operators(constraint, mention)
    if operator[0] != "same":
        return operator
    if _described_otherwise(constraint, reading, text, mention):
        return "unclear", "The number has the words of another quantity of the request."
    if _denied(text, mention):
        return "unclear", "The number is near a negation."
    found = _aggregated(constraint, reading, text)
    if found[0] == "same" and _other_rate(constraint, reading, text):
        return "unclear", "The number is there, but perhaps for another span of time."
    return found


def _other_rate(constraint: ConstraintTerms, reading: Reading, text: Text) -> bool:
    """Whether a query counts by a span of time that the request does not: "a day"."""
    known: set[str] = set()
    for turn in (*reading.turns, reading.asked):
        known |= rates(turn)
    known |= {rate for form in constraint.admissible for rate in rates(read_text(form))}
    known |= rates(read_text(str(constraint.value.get("aggregation") or "")))
    known |= rates(read_text(f"a {constraint.value.get('unit') or ''}"))
    bare = constraint.value.get("aggregation") == "rate" and bool(known) and not rates(text)
    return bare or bool(rates(text) - known)


def _described_otherwise(
    constraint: ConstraintTerms, reading: Reading, text: Text, mention: QuantityMention
) -> bool:
    """Whether a mention borrows another quantity's words: "longer than 2 m" for "wider than"."""
    own = set(read_text(reading.span_text(constraint)).stems)
    said = {s for s in text.stems[mention.first : mention.end] if s.isalpha()} - {"than"}
    theirs: set[str] = set()
    for other in reading.others(constraint):
        theirs.update(read_text(reading.span_text(other)).stems)
    return bool(own and said & (theirs - own))


def _denied(text: Text, mention: QuantityMention) -> bool:
    return bool(denied(text, mention.first, mention.end))


def _numbers_agree(constraint: ConstraintTerms, mention: QuantityMention) -> bool | None:
    """Whether number and upper end are equal after conversion; None where a unit is missing."""
    value = constraint.value
    asked, high = float(value["value"]), value.get("high")
    unit = None if value.get("currency") else measure(value.get("unit"))
    if value.get("currency") and mention.currency is None and mention.unit:
        return False
    pairs = ((asked, mention.value), (high, mention.high))
    if unit is None or mention.unit is None:
        equal = all(same_number(_float(one), other) for one, other in pairs)
        known_unit = unit is not None and convertible(unit.dimension)
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
            None if one is None else float(one) * unit.factor,
            None if other is None else other * mention.unit.factor,
        )
        for one, other in pairs
    )


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _same_place(constraint: ConstraintTerms, mention: QuantityMention) -> bool | None:
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
    return True if mention.noun == unit_noun(value.get("unit")) else None


def _known(constraint: ConstraintTerms, reading: Reading, mention: QuantityMention) -> bool:
    """Whether another constraint, or the rest of the request, has this number."""
    for other in reading.others(constraint):
        if isinstance(other.value.get("value"), int | float) and _numbers_agree(other, mention):
            return True
    span = constraint.span
    for turn, text in enumerate((*reading.turns, reading.asked)):
        for found in find_quantities(text):
            start = text.words[found.at].start
            inside = span and span.turn == turn and span.start <= start < span.end
            if not inside and same_number(found.value, mention.value):
                return True
    return False


def _operators(constraint: ConstraintTerms, mention: QuantityMention) -> Verdict:
    asked, found = str(constraint.value.get("operator")), mention.operator
    if found == asked or asked == "=" and not found:
        return "same", "The number, its unit and its bound are those of the contract."
    if not found or found == "?":
        return "unclear", "The number is there, but its bound is not said."
    counted = not constraint.value.get("unit") or constraint.value.get("aggregation") == "count"
    if "about" in (found, asked) or found == "=" and counted:
        return "unclear", "The number is there with a looser or tighter bound."
    return "other", "The number has another bound."


def _aggregated(constraint: ConstraintTerms, reading: Reading, text: Text) -> Verdict:
    asked = constraint.value.get("aggregation")
    found = aggregations(text)
    same = "same", "The number, its unit and its bound are those of the contract."
    if asked in _SILENT:
        return same
    wanted = SAME.get(str(asked), asked)
    known = {one for turn in (*reading.turns, reading.asked) for one in aggregations(turn)}
    if wanted is None:
        extra = (set(found) & _EXCLUSIVE) - known
        return ("unclear", "An aggregation is there that the contract lacks.") if extra else same
    if wanted in found:
        return same
    other = (set(found) & _EXCLUSIVE) - (known - {wanted})
    if other:
        return "other", "The number is there with another aggregation."
    return "unclear", "The number is there without its aggregation."


# ---------------------------------------------------------------- filters


def _from_filters(constraint: ConstraintTerms, reading: Reading) -> Finding | None:
    groups: dict[str, list[FilterTerm]] = {}
    for term in reading.filters:
        if term.number is not None and not is_time_term(term):
            groups.setdefault(term.field, []).append(term)
    for terms in groups.values():
        found = _one_field(constraint, reading, terms)
        if found:
            return found
    return None


def _one_field(
    constraint: ConstraintTerms, reading: Reading, terms: list[FilterTerm]
) -> Finding | None:
    """Judge the conditions on one field; None when they are about something else."""
    value, quote = constraint.value, terms[0].shown
    unit = None if value.get("currency") else measure(value.get("unit"))
    named = _unit_of_field(terms[0], unit.dimension if unit else "")
    if unit and named is None and not convertible(unit.dimension):
        noun = unit_noun(value.get("unit"))
        named = 1.0 if noun in terms[0].name.stems else None
    sure = not any(term.optional or term.operator == "!=" for term in terms)
    factor = (named / unit.factor) if unit and named else 1.0
    bounds = {term.operator: (term.number or 0.0) * factor for term in terms}
    wanted = _wanted_bounds(constraint)
    whole = bool(unit) and counted(constraint) and len(bounds) == 1
    whole = whole and in_whole_bounds(wanted) == in_whole_bounds(bounds)
    if wanted == _rounded(bounds) or whole:
        if not sure or (unit and convertible(unit.dimension) and named is None):
            return unsure(quote, "A filter has the number, but not certainly the unit or bound.")
        if value.get("aggregation") not in (None, *_SILENT):
            return unsure(
                quote, "A filter has the number; whether it has the aggregation is unsaid."
            )
        return filtered(quote, f"The filter on {terms[0].field} carries the quantity.")
    if next(reading.others(constraint), None) is None and named is not None and sure:
        return altered(quote, f"The filter on {terms[0].field} carries another quantity.")
    return unsure(quote, f"The filter on {terms[0].field} may be about this quantity.")


def _rounded(bounds: dict[str, float]) -> dict[str, float]:
    return {sign: round(number, 9) for sign, number in bounds.items()}


def _wanted_bounds(constraint: ConstraintTerms) -> dict[str, float]:
    value = constraint.value
    if value.get("operator") == "between" and isinstance(value.get("high"), int | float):
        return _rounded({">=": float(value["value"]), "<=": float(value["high"])})
    return _rounded({str(value.get("operator")): float(value["value"])})


def _unit_of_field(term: FilterTerm, dimension: str) -> float | None:
    """The factor of the unit that a field's name ends with (`duration_months`), or None."""
    last = read_text(term.name.words[-1].raw) if len(term.name) else None
    found = measure(last.raw) if last else None
    return found.factor if found and found.dimension == dimension else None


def _absent(reading: Reading) -> Finding:
    for text in reading.queries:
        accounted = _accounted(reading, text)
        for at, word in enumerate(text.words):
            number_like = word.text in lexicon.words("number_like")
            if number_like and text.roots[at] not in reading.known_roots:
                return unsure(text.quote(at, at + 1), "A word that may carry the number is there.")
            if word.is_number and at not in accounted:
                return unsure(text.quote(at, at + 1), "A number of unclear role is there.")
    return dropped("No number is left that could be the quantity.")


def _accounted(reading: Reading, text: Text) -> set[int]:
    """The words that belong to a date or to a name of the contract."""
    found: set[int] = set()
    for time in find_times(text, reference_day(reading)):
        found.update(range(time.first, time.end))
    for _, first, end in occurrences((text,), list(_names(reading))):
        found.update(range(first, end))
    return found
