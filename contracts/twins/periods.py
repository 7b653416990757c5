"""The part of the family date that flips to the next or the last year, quarter or month. Pure."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from contracts.twins.flips import Asked, Flip
from contracts.twins.words import Carry, cased, only_place, places, replaced

# Periods that are said from the day on which one asks, with their distance from the current one.
RELATIVE: tuple[tuple[str, str, str], ...] = (
    ("last year", "this year", "year"), ("last quarter", "this quarter", "quarter"),
    ("last month", "this month", "month"), ("the previous year", "the current year", "year"),
    ("letztes Jahr", "dieses Jahr", "year"), ("l'année dernière", "cette année", "year"),
)  # fmt: skip
QUARTERS = (
    ("Q1", "Q2", "Q3", "Q4"),
    ("first quarter", "second quarter", "third quarter", "fourth quarter"),
)
MONTHS = (
    ("January", "February", "March", "April", "May", "June", "July", "August", "September",
     "October", "November", "December"),
    ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)  # fmt: skip
_BOUNDS = ("start", "end")
_WEEKDAY = re.compile(r"(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b")
# Four digits of a year, and the two after FY. A unit, a decimal or a decade makes it another thing.
_YEAR = re.compile(
    r"(?<![\d.,])(?:(?<![^\W\d_])|(?<=FY)|(?<=CY))(?P<long>\d{4})(?![^\W年년])(?![.,]\d)"
    r"|(?<!\w)(?:FY|CY)\s?['’]?(?P<short>\d\d)(?!\d)"
)
_SPLIT_YEAR = re.compile(r"\d{4}\s?[/–-]\s?\d\d(?!\d)")


def propose_period(asked: Asked) -> Iterator[Flip]:
    """The year before and after; the quarter and the month before and after, of the same year."""
    if _WEEKDAY.search(asked.words):
        return
    yield from _relative(asked)
    yield from _years(asked)
    yield from _parts(asked, QUARTERS, re.compile(r"(\d{4}-Q)(\d)()"), "{}")
    yield from _parts(asked, MONTHS, re.compile(r"(\d{4}-)(\d\d)(|-\d\d)"), "{:02}")


def _bounds(value: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value[name]) for name in _BOUNDS if value.get(name)}


# ---------------------------------------------------------------- years


def _years(asked: Asked) -> Iterator[Flip]:
    bounds = _bounds(asked.value)
    years = {int(bound[:4]) for bound in bounds.values()}
    seen = _years_in(asked.words)
    plain = any(len(bound) == 4 or "Q" in bound for bound in bounds.values())
    if not seen or {year for _, year in seen} != years or plain and _SPLIT_YEAR.search(asked.words):
        return
    for step in (-1, 1):
        edits = [
            asked.edit(asked.span.start + start, asked.span.start + end, _shifted(digits, step))
            for (start, end), _ in seen
            for digits in [asked.words[start:end]]
        ]
        turn = {name: _shifted(bound[:4], step) + bound[4:] for name, bound in bounds.items()}
        yield from asked.flip(
            "date", edits, turn, carry=_carry(years, step), carry_whole=_carry(years, step, 0)
        )


def _years_in(text: str) -> list[tuple[tuple[int, int], int]]:
    """Where years stand in a text, and which."""
    found = []
    for match in _YEAR.finditer(text):
        part = "long" if match["long"] else "short"
        year = int(match[part]) + (0 if part == "long" else 2000)
        found.append((match.span(part), year))
    return found


def _shifted(digits: str, step: int) -> str:
    return f"{int(digits) + step:0{len(digits)}}"


def _carry(years: set[int], step: int, slack: int = 1) -> Carry:
    """Carry over wordings whose years are those that are asked: of a whole request exactly these,
    once each; in a short one the year beside them too: "up to the end of 2020" of "before 2021".
    """

    def carry(wording: str) -> str | None:
        seen = _years_in(wording)
        said = [year for _, year in seen]
        near = all(any(abs(year - one) <= slack for one in years) for year in said)
        if not seen or not near or slack == 0 and sorted(said) != sorted(years):
            return None
        for (start, end), _ in reversed(seen):
            wording = wording[:start] + _shifted(wording[start:end], step) + wording[end:]
        return wording

    return carry


# ---------------------------------------------------------------- quarters and months


def _parts(
    asked: Asked, tables: tuple[tuple[str, ...], ...], form: re.Pattern[str], written: str
) -> Iterator[Flip]:
    """The quarter or month in the words for its neighbours of the same year."""
    bounds = _bounds(asked.value)
    match = form.fullmatch(next(iter(bounds.values()), ""))
    if not match or len(set(bounds.values())) != 1:
        return
    for table in tables:
        at = int(match[2]) - 1
        place = only_place(table[at], asked.text, asked.span) if at < len(table) else None
        several = sum(len(places(name, asked.words)) for name in table) > 1
        for new in (at - 1, at + 1) if place and not several else ():
            if not place or not 0 <= new < len(table):
                continue
            words = cased(table[new], asked.text[place[0] : place[1]])
            bound = match[1] + written.format(new + 1) + match[3]
            edits, turn = [asked.edit(*place, words)], dict.fromkeys(bounds, bound)
            yield from asked.flip("date", edits, turn, carry=replaced(table[at], words))


# ---------------------------------------------------------------- last year and this year


def _relative(asked: Asked) -> Iterator[Flip]:
    """ "Last year" for "this year", where the reference date bears the value out."""
    bounds, today = _bounds(asked.value), str(asked.value.get("reference_date") or "")
    if len(today) != 10 or asked.value.get("calendar", "calendar") != "calendar":
        return
    day = date.fromisoformat(today)
    for last, this, unit in RELATIVE:
        for words, other, back in ((last, this, 1), (this, last, 0)):
            at = only_place(words, asked.text, asked.span)
            if not at or set(bounds.values()) != {_period(day, unit, -back)}:
                continue
            turn = dict.fromkeys(bounds, _period(day, unit, back - 1))
            edits = [asked.edit(*at, cased(other, asked.text[slice(*at)]))]
            yield from asked.flip("date", edits, turn, carry=replaced(words, other))


def _period(day: date, unit: str, step: int) -> str:
    """The year, quarter or month of a day, moved by `step` of them."""
    if unit == "year":
        return f"{day.year + step:04}"
    size = 3 if unit == "quarter" else 1
    whole = (day.year * 12 + day.month - 1) // size + step
    year, part = divmod(whole, 12 // size)
    return f"{year:04}-Q{part + 1}" if unit == "quarter" else f"{year:04}-{part + 1:02}"
