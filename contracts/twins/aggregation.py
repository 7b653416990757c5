"""Aggregation: annual or cumulative, per unit or in total, average or total."""

import re
from collections.abc import Iterator

from contracts.twins.flips import Asked, Flip, Known
from contracts.twins.opposites import Row, turned
from contracts.twins.words import latin, places, replaced

ROWS: tuple[Row, ...] = (
    ("annual", "annual", "cumulative", "cumulative"), ("annual", "annual", "monthly", "monthly"),
    ("annual", "annual", "quarterly", "quarterly"), ("annual", "annual", "total", "total"),
    ("quarterly", "quarterly", "monthly", "monthly"),
    ("quarterly", "quarterly", "cumulative", "cumulative"),
    ("monthly", "monthly", "cumulative", "cumulative"),
    ("yearly", "annual", "accumulated", "cumulative"),
    ("annually", "annual", "cumulatively", "cumulative"),
    ("annually", "annual", "monthly", "monthly"),
    ("a year", "annual", "a month", "monthly"), ("a year", "annual", "a quarter", "quarterly"),
    ("a year", "annual", "in total", "total"),
    ("per year", "annual", "per month", "monthly"),
    ("per year", "annual", "per quarter", "quarterly"), ("per year", "annual", "in total", "total"),
    ("each year", "annual", "each month", "monthly"),
    ("every year", "annual", "every month", "monthly"), ("average", "average", "total", "total"),
    ("average", "average", "median", "median"), ("mean", "average", "median", "median"),
    ("on average", "average", "in total", "total"),
    ("on average", "average", "in the median", "median"),
    ("jährlich", "annual", "kumuliert", "cumulative"),
    ("durchschnittlich", "average", "insgesamt", "total"),
)  # fmt: skip
# Names of a thing, no aggregation: "the annual report".
_NAMES = re.compile(r"(?i)\s+(?:reports?|accounts?|meetings?|leave|general)\b")
_PER = re.compile(r"(?i)\bper\s+(?P<one>[a-z]{3,}(?<![sxy]))\b(?!-)")
_FOR_ALL = re.compile(r"(?i)\bfor\s+all\s+(?P<one>[a-z]{3,}(?<![sxy]))s\s+together\b")
_PERIODS = frozenset("year quarter month week hour minute second cent annum capita unit".split())


def propose_aggregation(asked: Asked, known: Known) -> Iterator[Flip]:
    """The same quantity added up in another way, where the words say how it is."""
    said = asked.value.get("aggregation")
    if not isinstance(said, str) or not latin(asked.text):
        return
    for start, end, words, told in turned(ROWS, said, asked.text, asked.span):
        if _NAMES.match(asked.text[end:]):
            continue
        carry = replaced(asked.text[start:end], words)
        edits, turn = [asked.edit(start, end, words)], {"aggregation": told}
        yield from asked.flip("aggregation", edits, turn, carry=carry)
    yield from _each_or_all(asked, said)


def _each_or_all(asked: Asked, said: str) -> Iterator[Flip]:
    """ "Per household" for "for all households together"."""
    forms = {"per_unit": (_PER, "for all {}s together", "total"),
             "total": (_FOR_ALL, "per {}", "per_unit")}  # fmt: skip
    if said not in forms:
        return
    pattern, form, told = forms[said]
    found = [m for m in pattern.finditer(asked.words) if m["one"].lower() not in _PERIODS]
    if len(found) != 1 or not places(found[0].group(), asked.words):
        return
    start, end = (asked.span.start + at for at in found[0].span())
    words = form.format(found[0]["one"])
    carry = replaced(found[0].group(), words)
    edits, turn = [asked.edit(start, end, words)], {"aggregation": told}
    yield from asked.flip("aggregation", edits, turn, carry=carry)
