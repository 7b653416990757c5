"""Which aggregation ("a year", "in total", "per hectare") a text says."""

import re
from functools import lru_cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.quantities.units import in_compound, measure
from evaluation.scoring.preservation.text import Text

_PERIODS = {"year": "annual", "yr": "annual", "annum": "annual", "quarter": "quarterly",
            "month": "monthly", "capita": "per_unit"}  # fmt: skip
_SPANS = ("second", "minute", "hour", "day", "night", "week", "weekend", "fortnight", "month",
          "quarter", "season", "year", "decade", "century", "shift", "trip")  # fmt: skip
_ADVERBS = {"hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week",
            "fortnightly": "fortnight", "monthly": "month", "quarterly": "quarter",
            "yearly": "year", "annually": "year", "annual": "year"}  # fmt: skip
# Spans as units have them: "m³/s", and "mph" in one word.
_SHORT = {"s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour",
          "yr": "year"}  # fmt: skip
_HOURLY = frozenset(("kph", "kmh", "mph"))
SAME = {"cumulative": "total"}


@lru_cache(maxsize=256)  # asked again for each number of a text
def aggregations(text: Text) -> dict[str, str]:
    """Return every aggregation of a text with the words that say it. `cumulative` counts as
    `total`.

    "per X" and "/X" are annual, quarterly or monthly for such an X, and per unit for any other.
    """
    found = {hit.meaning: text.quote(hit.first, hit.end)
             for hit in lexicon.phrases("aggregations").all_in(text)}  # fmt: skip
    for at in range(1, len(text)):
        word = text.words[at]
        slash = word.gap == "/" and text.words[at - 1].text not in ("and",) and not word.is_number
        per = text.words[at - 1].text == "per" and word.text != "cent"
        if (per or slash and _number_or_currency(text, at - 1)) and not in_compound(text, at):
            meaning = _PERIODS.get(word.stem, "per_unit")
            found.setdefault(meaning, text.quote(at - 1, at + 1))
    return found


@lru_cache(maxsize=256)
def rates(text: Text) -> frozenset[str]:
    """Return the spans of time that a text counts by: "a day", "per week", "hourly"."""
    found = {_ADVERBS[word.text] for word in text.words if word.text in _ADVERBS}
    if not text.vocabulary.isdisjoint(_HOURLY):
        found.add("hour")
    for at in range(1, len(text)):
        opens = text.words[at - 1].text in ("a", "an", "per", "each", "every")
        slash = text.words[at].gap == "/"
        if text.words[at].stem in _SPANS and (opens or slash):
            found.add(text.words[at].stem)
        elif slash and text.words[at].text in _SHORT:
            found.add(_SHORT[text.words[at].text])
    return frozenset(found)


def end_of_rate(text: Text, end: int) -> int:
    """Where the words right after a number, and its noun, end that may tell what it counts by."""
    place = end
    while place < min(len(text), end + 3) and text.words[place].gap in ("", "-", "/"):
        place += 1
    return place


def _number_or_currency(text: Text, at: int) -> bool:
    word = text.words[at]
    return (
        word.is_number
        or bool(lexicon.phrases("currencies").ending_at(text, at + 1))
        or bool(measure(word.raw) and re.match("[a-z%]{1,3}$", word.text))
    )
