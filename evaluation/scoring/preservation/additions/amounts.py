"""Amounts with a bound that the request lacks: "longer than 100 m", "over 5 million"."""

from collections.abc import Iterator
from functools import lru_cache
from math import isclose

from evaluation.records import Addition
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.additions.known import Known
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.matchers.quantity import free_quantities
from evaluation.scoring.preservation.quantities.numbers import QuantityMention, find_quantities
from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.times.time_mentions import find_times

WHY = "The request sets no such bound."
# Thousands, millions and billions, and cents or per cent, either way.
_SCALES = (-9, -6, -3, -2, 0, 2, 3, 6, 9)
_BOUNDS = ("<", "<=", ">", ">=", "between")


def in_queries(reading: Reading, known: Known) -> Iterator[Addition]:
    for text, mention in free_quantities(None, reading):
        if not _narrows(text, mention) or _rivals(text, mention, known):
            continue
        if not _is_known(mention, known):
            yield Addition("quantity", text.quote(mention.first, mention.end), WHY)


def _is_known(mention: QuantityMention, known: Known) -> bool:
    """Whether the request has the number as it stands, or in another unit ("90 seconds")."""
    factor = mention.unit.factor if mention.unit else 1
    return any(is_known_number(mention.value * one, known) for one in {1, factor})


def _narrows(text: Text, mention: QuantityMention) -> bool:
    """Whether a number surely bounds: with an operator, or as a measure ("weighing 30 kg")."""
    measured = mention.unit is not None or mention.currency is not None
    if mention.operator in _BOUNDS:
        return measured or mention.value > 2
    before = text.words[mention.first - 1].text if mention.first else ""
    return measured and mention.operator == "" and before in lexicon.words("measuring")


def _rivals(text: Text, mention: QuantityMention, known: Known) -> bool:
    """Whether the request bounds something of the same kind that the query does not, so that the
    number may stand in the place of that."""
    said = [one for one in _numbers(text) if one not in (mention.value, mention.high)]
    return any(
        _kind(mention) == _kind(other)
        and (other.operator or other.unit or other.currency)
        and not any(_same(other.value, one) for one in said)
        for asked in known.asked
        for other in _quantities(asked)
    )


def _kind(mention: QuantityMention) -> str:
    if mention.currency:
        return "money"
    return mention.unit.dimension if mention.unit else ""


@lru_cache(maxsize=256)
def _quantities(text: Text) -> tuple[QuantityMention, ...]:
    times = {at for time in find_times(text) for at in range(time.first, time.end)}
    return tuple(find_quantities(text, times))


def is_known_number(value: float, known: Known) -> bool:
    """Whether the request or the contract has the number, in whatever power of ten or unit, or its
    neighbour (with which "more than 5" becomes "at least 6")."""
    return any(_same(value, one) for text in known.texts for one in _numbers(text))


@lru_cache(maxsize=1_000)
def _numbers(text: Text) -> tuple[float, ...]:
    found: list[float] = [float(w.text) for w in text.words if _plain(w.text)]
    for mention in _quantities(text):
        for number in (mention.value, mention.high):
            if number is not None:
                found += [number, number * (mention.unit.factor if mention.unit else 1)]
    return tuple(found)


def _plain(word: str) -> bool:
    return word.isascii() and word.replace(".", "", 1).isdecimal() and len(word) < 16


def _same(one: float, other: float) -> bool:
    if other == 0 or one == 0:
        return one == other
    if abs(one - other) <= 1 and float(one).is_integer() and float(other).is_integer():
        return True
    return any(isclose(one, other * 10.0**power, rel_tol=1e-6) for power in _SCALES)
