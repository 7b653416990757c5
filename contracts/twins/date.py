"""Date: before or after, fiscal or calendar; another year, quarter or month: see `periods`."""

import re
from collections.abc import Iterator
from typing import Any

from contracts.twins.flips import Asked, Flip, Known
from contracts.twins.opposites import Row, turned
from contracts.twins.periods import propose_period
from contracts.twins.words import replaced

RELATIONS: tuple[Row, ...] = (
    ("before", "before", "after", "after"), ("before", "before", "since", "since"),
    ("until", "until", "since", "since"), ("until", "until", "after", "after"),
    ("prior to", "before", "subsequent to", "after"),
    ("earlier than", "before", "later than", "after"),
    ("no later than", "by", "no earlier than", "since"),
    ("not later than", "by", "not earlier than", "since"),
    ("on or before", "until", "on or after", "since"), ("vor", "before", "nach", "after"),
    ("vor", "before", "seit", "since"), ("bis", "until", "seit", "since"),
    ("avant", "before", "après", "after"), ("antes de", "before", "después de", "after"),
    ("antes del", "before", "después del", "after"), ("hasta", "until", "desde", "since"),
)  # fmt: skip
_BY_END = ("before", "until", "by")  # a relation of these has an end, "after" and "since" a start

CALENDARS: tuple[Row, ...] = (
    ("fiscal year", "fiscal", "calendar year", "calendar"),
    ("financial year", "fiscal", "calendar year", "calendar"),
    ("fiscal", "fiscal", "calendar", "calendar"),
)
# A plain year is one of the calendar: "in 2022" against "in fiscal year 2022".
_PLAIN = re.compile(
    r"(?i)(?:(?:in|of|for|during|before|after|since|until|by|as of|at)\s+)?"
    r"(?P<year>(?P<fiscal>fiscal\s+year\s+)?(?P<digits>\d{4}))"
)
_BELONGS = re.compile(r"(?i)(?:\w\W*\byear|\bthe|\bcalendar|\bfiscal|\bfinancial|[-–/])\s*$")


def propose_date(asked: Asked, known: Known) -> Iterator[Flip]:
    """The same time with another relation, calendar, year, quarter or month."""
    yield from _relations(asked)
    yield from _calendars(asked)
    yield from _plain_year(asked)
    yield from propose_period(asked)


def _relations(asked: Asked) -> Iterator[Flip]:
    value = asked.value
    for start, end, words, told in turned(RELATIONS, value["relation"], asked.text, asked.span):
        was, now = asked.text[start : asked.span.end], asked.text[end : asked.span.end]
        turn: dict[str, Any] = {"relation": told}
        old, new = ("end", "start") if value["relation"] in _BY_END else ("start", "end")
        if (value["relation"] in _BY_END) != (told in _BY_END):
            turn |= {new: value[old], old: None}
        edits = [asked.edit(start, end, words)]
        yield from asked.flip("date", edits, turn, carry=replaced(was, words + now))


def _calendars(asked: Asked) -> Iterator[Flip]:
    said = asked.value.get("calendar", "calendar")
    for start, end, words, told in turned(CALENDARS, said, asked.text, asked.span):
        carry = replaced(asked.text[start:end], words)
        edits = [asked.edit(start, end, words)]
        yield from asked.flip("date", edits, {"calendar": told}, carry=carry)


def _plain_year(asked: Asked) -> Iterator[Flip]:
    plain = _PLAIN.fullmatch(asked.words)
    said = asked.value.get("calendar", "calendar")
    if not plain or (said == "fiscal") != bool(plain["fiscal"]):
        return
    if not _is_year(asked.value, plain["digits"]) or _BELONGS.search(
        asked.text[: asked.span.start + plain.start("year")]
    ):
        return
    year = plain["digits"] if plain["fiscal"] else f"fiscal year {plain['digits']}"
    start, end = (asked.span.start + at for at in plain.span("year"))
    told = "calendar" if plain["fiscal"] else "fiscal"
    yield from asked.flip("date", [asked.edit(start, end, year)], {"calendar": told})


def _is_year(value: Any, year: str) -> bool:
    """Whether a time is bounded by one year and nothing finer."""
    return {value.get(name) for name in ("start", "end")} - {None} == {year}
