"""Quantity: a number with operator, unit, currency and aggregation."""

from collections.abc import Iterator
from dataclasses import replace

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    dropped,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.matchers.time import reference_day
from evaluation.scoring.preservation.quantities.aggregations import (
    SAME,
    aggregations,
    end_of_rate,
    rates,
)
from evaluation.scoring.preservation.quantities.asked_number import (
    Verdict,
    known_number,
    numbers_agree,
    other_unit,
    rounded_off,
    same_place,
)  # fmt: skip
from evaluation.scoring.preservation.quantities.counting import (
    counted,
    counts_the_same,
    neighbours,
    rate_lost,
)  # fmt: skip
from evaluation.scoring.preservation.quantities.currencies import currencies_agree
from evaluation.scoring.preservation.quantities.numbers import (
    QuantityMention,
    find_quantities,
)  # fmt: skip
from evaluation.scoring.preservation.quantities.quantity_filters import SILENT, carried_quantity
from evaluation.scoring.preservation.quantities.units import is_compound
from evaluation.scoring.preservation.standings.statuses import is_slip
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.times.time_mentions import find_times
from evaluation.scoring.preservation.wording import denies, occurrences

# Words that are an amount by themselves.
_AMOUNTS = ("half", "third", "quarter", "both", "pair", "couple", "double", "twice", "single")
_EXCLUSIVE = {"annual", "quarterly", "monthly", "total", "average", "median", "per_unit"}


@matcher("quantity")
def match_quantity(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Compare every free number of the queries, then the filters, with the contract's quantity."""
    if not isinstance(constraint.value.get("value"), int | float):
        return unsure("", "The contract gives no number.")
    carried = carried_quantity(constraint, reading)
    free = _both_ends(constraint, list(free_quantities(constraint, reading)))
    compared = [_compare(constraint, reading, text, mention) for text, mention in free]
    order = {"same": 0, "unclear": 1, "other": 2, "apart": 3, "known": 4}
    ranked = sorted(compared, key=lambda one: order[one[0]])
    for verdict, why, quote in ranked:
        if verdict == "same":
            if carried and carried.judgement == "altered":
                return unsure(quote, "A query states the quantity, but a filter carries another.")
            return stated(quote, why)
        if verdict == "other" and not (carried and carried.judgement == "filtered"):
            return altered(quote, why)
        if verdict not in ("apart", "known"):
            return unsure(quote, why)
    if carried:
        return carried
    for verdict, _why, quote in ranked:
        if verdict == "apart":
            return unsure(quote, "This number may stand in the place of the one asked for.")
    known = {(id(text), at) for text, mention in free for at in range(mention.first, mention.end)}
    return _absent(reading, known, read_text(reading.span_text(constraint)).vocabulary)


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


def _both_ends(
    constraint: ConstraintTerms, free: list[tuple[Text, QuantityMention]]
) -> list[tuple[Text, QuantityMention]]:
    """Where a range is asked for, "at least 200 and at most 500" is one mention of it."""
    if constraint.value.get("operator") != "between":
        return free
    found: list[tuple[Text, QuantityMention]] = []
    for text, mention in free:
        text_before, one = found[-1] if found else (None, None)
        if one and text is text_before and (one.operator, mention.operator) == (">=", "<="):
            joined = replace(
                one, end=mention.end, operator="between", high=mention.value,
                unit=one.unit or mention.unit, currency=one.currency or mention.currency,
                noun=mention.noun,
            )  # fmt: skip
            found[-1] = text, joined
        else:
            found.append((text, mention))
    return found


def _names(reading: Reading) -> Iterator[str]:
    for constraint in reading.contract.constraints:
        value = constraint.value
        yield from (str(one) for one in (value.get("name"), value.get("source")) if one)
        yield from map(str, (*(value.get("aliases") or ()), *(value.get("sets") or ())))


_SAME: Verdict = ("same", "The number, its unit and its bound are those of the contract.")


def _compare(
    constraint: ConstraintTerms, reading: Reading, text: Text, mention: QuantityMention
) -> tuple[str, str, str]:
    """Return "same", "other" (in its place), "unclear", "apart" (another number) or "known"
    (another that the request has too), why, and the words that say so."""
    quote = text.quote(mention.first, mention.end)
    verdict, why = _compare_number(constraint, reading, text, mention)
    if verdict != "same":
        return verdict, why, quote
    around = _around(constraint, reading, text, mention)
    verdict, why, other = _aggregated(constraint, reading, around)
    if verdict != "same":
        return verdict, why, other or quote
    end = end_of_rate(text, mention.end)
    right_after = rates(read_text(text.quote(mention.end - 1, end)))
    verdict, why = _rated(constraint, reading, around, right_after)
    return verdict, why, text.quote(mention.first, end) if verdict == "other" else quote


def _compare_number(
    constraint: ConstraintTerms, reading: Reading, text: Text, mention: QuantityMention
) -> Verdict:
    """`_compare` by the number, its unit, currency and bound alone."""
    value = constraint.value
    numbers = numbers_agree(constraint, reading, mention)
    place = same_place(constraint, mention)
    neighbour = numbers is False and neighbours(constraint, mention)
    if neighbour and not (place and counted(constraint)):
        return "unclear", "A neighbouring number with the neighbouring bound is there."
    numbers = numbers or neighbour
    if numbers is None or mention.ambiguous:
        return "unclear", "The number can be read in two ways, or its unit is missing."
    if not numbers:
        if known_number(constraint, reading, mention):
            return "known", ""
        if rounded_off(constraint, mention):
            return "unclear", "The number is nearly the one asked for, as if converted and rounded."
        if place:
            return "other", "Another number of the same unit stands in its place."
        return other_unit(constraint, reading, mention)
    if place is False:
        return "unclear", "The number is there with something else counted."
    if not counts_the_same(constraint, reading, text, mention):
        if rate_lost(constraint, reading, text, mention):
            return "other", "A count stands in the place of the rate."
        return "unclear", "The number stands before another noun than the one counted."
    if value.get("currency"):
        agree = currencies_agree(str(value["currency"]), mention.currency)
        if agree is None:
            return "unclear", "The number is there, but its currency is not said clearly."
        if not agree:
            return "other", "The number has another currency."
    operator = _SAME if neighbour else _operators(constraint, reading, text, mention)
    if operator[0] != "same":
        return operator
    if _described_otherwise(constraint, reading, text, mention):
        return "unclear", "The number has the words of another quantity of the request."
    if denies(reading, text, mention.first, mention.end):
        return "unclear", "The number is near a negation."
    return _SAME


def _rated(
    constraint: ConstraintTerms, reading: Reading, text: Text, right_after: frozenset[str]
) -> Verdict:
    """Compare the span of time that a query counts by ("a day") with those of the request."""
    known: set[str] = set()
    for turn in (*reading.turns, reading.asked):
        known |= rates(turn)
    known |= {rate for form in constraint.admissible for rate in rates(read_text(form))}
    known |= rates(read_text(str(constraint.value.get("aggregation") or "")))
    known |= rates(read_text(f"a {constraint.value.get('unit') or ''}"))
    asked = constraint.value.get("aggregation") == "rate" and bool(known)
    said = rates(text)
    if constraint.value.get("aggregation") == "per_unit" and not known and said & right_after:
        return "other", "The number is there for a span of time, and not for each unit."
    if asked and not said & known and said & right_after:
        return "other", "The number is there for another span of time."
    if said - known or asked and not said:
        return "unclear", "The number is there, but perhaps for another span of time."
    return _SAME


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


def _operators(
    constraint: ConstraintTerms, reading: Reading, text: Text, mention: QuantityMention
) -> Verdict:
    asked, found = str(constraint.value.get("operator")), mention.operator
    if found == "?" and _own_adjective(constraint, reading, text.words[mention.first].text):
        found = asked
    if found == asked or asked == "=" and not found:
        return _SAME
    if not found or found == "?":
        return "unclear", "The number is there, but its bound is not said."
    counted = not constraint.value.get("unit") or constraint.value.get("aggregation") == "count"
    if "about" in (found, asked) or found == "=" and counted:
        return "unclear", "The number is there with a looser or tighter bound."
    return "other", "The number has another bound."


def _own_adjective(constraint: ConstraintTerms, reading: Reading, word: str) -> bool:
    """Whether a comparative that no list has is the request's own, perhaps misspelt."""
    own = read_text(reading.span_text(constraint))
    return any(word == one.text or is_slip(word, one.text) for one in own.words)


def _around(
    constraint: ConstraintTerms, reading: Reading, text: Text, mention: QuantityMention
) -> Text:
    """The words from the number before a mention to the one after it, where the contract has
    several quantities: what they say in total or a year is theirs."""
    if next(reading.others(constraint), None) is None:
        return text
    mentions = list(find_quantities(text))
    first = max((one.end for one in mentions if one.end <= mention.first), default=0)
    end = min((one.first for one in mentions if one.first >= mention.end), default=len(text))
    return read_text(text.quote(first, end)) if first < end else text


def _aggregated(constraint: ConstraintTerms, reading: Reading, text: Text) -> tuple[str, str, str]:
    """Return the verdict, why, and where it is "other" the words of the other aggregation."""
    asked = constraint.value.get("aggregation")
    found = aggregations(text)
    if asked in SILENT or asked == "per_unit" and is_compound(constraint.value.get("unit")):
        return *_SAME, ""
    wanted = SAME.get(str(asked), asked)
    known = {one for turn in (*reading.turns, reading.asked) for one in aggregations(turn)}
    if wanted is None:
        if (set(found) & _EXCLUSIVE) - known:
            return "unclear", "An aggregation is there that the contract lacks.", ""
        return *_SAME, ""
    if wanted in found:
        return *_SAME, ""
    other = [one for one in found if one in _EXCLUSIVE and one not in known - {wanted}]
    if other:
        return "other", "The number is there with another aggregation.", found[other[0]]
    return "unclear", "The number is there without its aggregation.", ""


def _absent(reading: Reading, known: set[tuple[int, int]], own: frozenset[str]) -> Finding:
    """No number is left: `known` are the words of those that the request has for something
    else, `own` the words of this quantity."""
    for text in reading.queries:
        accounted = _accounted(reading, text)
        for at, word in enumerate(text.words):
            asking = at > 0 and text.words[at - 1].text == "how"  # "how many" carries none
            number_like = word.text in lexicon.words("number_like") and not asking
            carries = word.text in _AMOUNTS and word.text in own
            known_word = text.roots[at] in reading.known_roots and not carries
            if number_like and not known_word:
                return unsure(text.quote(at, at + 1), "A word that may carry the number is there.")
            if word.is_number and at not in accounted and (id(text), at) not in known:
                return unsure(
                    text.quote(at, at + 1), "A numeral is there that may carry the number."
                )
    return dropped("No number is left that could be the quantity.")


def _accounted(reading: Reading, text: Text) -> set[int]:
    """The words that belong to a date or to a name of the contract."""
    found: set[int] = set()
    for time in find_times(text, reference_day(reading)):
        found.update(range(time.first, time.end))
    for _, first, end in occurrences((text,), list(_names(reading))):
        found.update(range(first, end))
    return found
