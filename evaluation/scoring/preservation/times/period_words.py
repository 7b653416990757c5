"""Reading one period at a place in a text: year, date, month, quarter, decade or fiscal year."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.dates import Period

_DAY_FIRST = re.compile(r"\bdd?\W?mm?\b|day first", re.IGNORECASE)
_MONTH_FIRST = re.compile(r"\bmm?\W?dd?\b|month first", re.IGNORECASE)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4,
             "1": 1, "2": 2, "3": 3, "4": 4}  # fmt: skip
_FIRST = {"q", "h", "fy", "fiscal", "financial", "calendar", *_ORDINALS}
_CENTURIES = {"sixteen": 1600, "seventeen": 1700, "eighteen": 1800, "nineteen": 1900}
_ORDINAL_CENTURIES = {"fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
                      "nineteenth": 19, "twentieth": 20}  # fmt: skip
_SUFFIXES = ("st", "nd", "rd", "th")

# Where the words of a period end, and the period; None for one that cannot be read one way only.
Atom = tuple[int, Period | None]


def integer(text: Text, at: int, low: int, high: int) -> int | None:
    # No date has more digits than four; a longer numeral may exceed what int() reads.
    if at >= len(text.words):
        return None
    raw = text.words[at].raw
    if len(raw) > 4 or not raw.isdecimal():
        return None
    number = int(raw)
    return number if low <= number <= high else None


def _year_number(text: Text, at: int) -> int | None:
    four = at < len(text.words) and len(text.words[at].raw) == 4
    return integer(text, at, 1000, 2199) if four else None


def _any_year(text: Text, at: int) -> int | None:
    """A year of four digits, or of two after an apostrophe ("Q3 '16")."""
    short = short_year(text, at) if gap_at(text, at) in ("'", "’", "‘") else None
    return short or _year_number(text, at)


def short_year(text: Text, at: int) -> int | None:
    """The year from 1970 to 2069 that two digits name, as in "FY23" and "1Q98"."""
    short = integer(text, at, 0, 99) if len(word_at(text, at)) == 2 else None
    if short is None:
        return None
    return 2000 + short if short < 70 else 1900 + short


def word_at(text: Text, at: int) -> str:
    return text.words[at].text if 0 <= at < len(text.words) else ""


def gap_at(text: Text, at: int) -> str:
    return text.words[at].gap if at < len(text.words) else "?"


def _iso(text: Text, at: int) -> Atom | None:
    number = _year_number(text, at)
    if number is None or gap_at(text, at + 1) not in ("-", "/") or word_at(text, at + 1) == "":
        return None
    if word_at(text, at + 1) == "q" and (part := integer(text, at + 2, 1, 4)):
        return at + 3, dates.quarter(part, number)
    second = integer(text, at + 1, 1, 12)
    if second is None or len(text.words[at + 1].raw) != 2:
        return None
    third = integer(text, at + 2, 1, 31)
    if third is not None and gap_at(text, at + 2) == gap_at(text, at + 1):
        return at + 3, dates.day(third, second, number)
    # "2011-12" is a month or two years; the text does not say which.
    return at + 2, None if second == number % 100 + 1 else dates.month(second, number)


def iso_month(text: Text, at: int) -> Atom | None:
    """`2011-12` where only a month can stand, as at the end of a range of months."""
    number, part = _year_number(text, at), integer(text, at + 1, 1, 12)
    if number is None or part is None or gap_at(text, at + 1) != "-":
        return None
    return at + 2, dates.month(part, number)


def _numeric(text: Text, at: int) -> Atom | None:
    """`31/03/2022`, `31.03.2022`, `07/2013`. Day and month are told apart by size or by a format
    note."""
    first = integer(text, at, 1, 31)
    sign = gap_at(text, at + 1)
    if first is None or sign not in ("/", ".", "-"):
        return None
    number = _year_number(text, at + 1)
    if number is not None and sign == "/" and first <= 12:
        return at + 2, dates.month(first, number)
    second, number = integer(text, at + 1, 1, 31), _year_number(text, at + 2)
    if second is None or number is None or gap_at(text, at + 2) != sign:
        return None
    if first == second:
        return at + 3, dates.day(first, second, number)
    day_first = first > 12 or sign == "." or bool(_DAY_FIRST.search(text.raw))
    month_first = second > 12 or bool(_MONTH_FIRST.search(text.raw))
    if day_first == month_first:
        return at + 3, None
    return at + 3, dates.day(*((first, second) if day_first else (second, first)), number)


def month_number(text: Text, at: int) -> int | None:
    meaning = lexicon.table("months").get(word_at(text, at))
    return int(meaning) if meaning else None


def _named_day(text: Text, at: int) -> Atom | None:
    """`31 March 2022`, `31st of March, 2022`, `March 31, 2022`."""
    number = integer(text, at, 1, 31)
    if number is not None:
        next_ = at + 1 + (word_at(text, at + 1) in _SUFFIXES)
        next_ += word_at(text, next_) == "of"
        of_month, of_year = month_number(text, next_), _any_year(text, next_ + 1)
        if of_month and of_year:
            return next_ + 2, dates.day(number, of_month, of_year)
        return None
    of_month, number = month_number(text, at), integer(text, at + 1, 1, 31)
    if of_month and number:
        next_ = at + 2 + (word_at(text, at + 2) in _SUFFIXES)
        if of_year := _any_year(text, next_):
            return next_ + 1, dates.day(number, of_month, of_year)
    return None


def _named_month(text: Text, at: int) -> Atom | None:
    of_month = month_number(text, at)
    if of_month is None:
        return None
    next_ = at + 1 + (word_at(text, at + 1) == "of")
    of_year = _any_year(text, next_)
    return (next_ + 1, dates.month(of_month, of_year)) if of_year else None


def _fiscal_year(text: Text, at: int) -> Atom | None:
    """`FY23`, `FY2020/21`, `fiscal 2023`, `financial year 2020/21`: named after the year in which
    it ends."""
    word = word_at(text, at)
    if word in ("fy", "fiscal", "financial"):
        part = _quarter_or_half(text, at + 1, nested=True)
        if part:
            return part[0], part[1] and replace(part[1], fiscal=True)
        next_ = at + 1 + (word_at(text, at + 1) in ("year", "years"))
        if word == "financial" and next_ == at + 1:
            return None
    else:
        return None
    number = _year_number(text, next_) or short_year(text, next_)
    if number is None:
        return None
    second = _second_year(text, next_ + 1, number)
    return next_ + 1 + bool(second), dates.year(second or number, fiscal=True)


def _second_year(text: Text, at: int, number: int) -> int | None:
    """The "21" of "2020/21", or None."""
    if at >= len(text) or gap_at(text, at) not in ("/", "-", "–"):
        return None
    ok = integer(text, at, 0, 9999) in ((number + 1) % 100, number + 1)
    return number + 1 if ok else None


def _quarter_or_half(text: Text, at: int, *, nested: bool = False) -> Atom | None:
    """`Q1 2023`, `2023 Q1`, `first quarter of 2019`, `H2 2020`, `second half of 2019`, `Q3
    FY21`."""
    word, next_word = word_at(text, at), word_at(text, at + 1)
    year_first = _year_number(text, at)
    if year_first and next_word in ("q", "h") and (part := integer(text, at + 2, 1, 4)):
        return at + 3, _part(next_word, part, dates.year(year_first))
    if year_first and next_word in _ORDINALS and (named := _part_name(text, at + 1)):
        return named[0], _part(named[1], named[2], dates.year(year_first))
    if next_word in ("q", "h") and (part := integer(text, at, 1, 4)):
        return _digit_first(text, at, next_word, part)
    if word in ("q", "h") and (part := integer(text, at + 1, 1, 4)):
        kind = word
        next_ = at + 2
    elif word in _ORDINALS and (named := _part_name(text, at)):
        next_, kind, part = named
    else:
        return None
    next_ += word_at(text, next_) in ("of", "in")
    next_ += word_at(text, next_) == "the"
    if not nested and (found := _fiscal_year(text, next_)):
        return found[0], _part(kind, part, found[1])
    of_year = _any_year(text, next_)
    return (next_ + 1, _part(kind, part, dates.year(of_year))) if of_year else None


def _part_name(text: Text, at: int) -> tuple[int, str, int] | None:
    """ "second quarter", "2nd half", "second half-year": its end, "q" or "h", and which one."""
    word = word_at(text, at)
    next_ = at + 1 + (word_at(text, at + 1) in _SUFFIXES)
    kind = {"quarter": "q", "half": "h"}.get(word_at(text, next_), "")
    if not kind:
        return None
    part = 2 if word == "last" and kind == "h" else _ORDINALS[word]
    half_year = kind == "h" and word_at(text, next_ + 1) == "year"
    return next_ + 1 + half_year, kind, part


def _digit_first(text: Text, at: int, kind: str, part: int) -> Atom | None:
    """`1Q23`, `2H 2020`."""
    number = _year_number(text, at + 2) or short_year(text, at + 2)
    glued = at + 1 < len(text.words) and text.words[at + 1].adjacent
    return (at + 3, _part(kind, part, dates.year(number))) if number and glued else None


def _part(kind: str, part: int, of: Period | None) -> Period | None:
    if of is None or kind == "h" and part > 2:
        return None
    number = of.last.year
    if kind == "q":
        return dates.quarter(part, number, of.fiscal)
    half = dates.join(dates.quarter(2 * part - 1, number), dates.quarter(2 * part, number))
    return half and replace(half, fiscal=of.fiscal)


def _decade(text: Text, at: int) -> Atom | None:
    number = _year_number(text, at)
    if number is not None and number % 10 == 0 and word_at(text, at + 1) == "s":
        if text.words[at + 1].adjacent or text.words[at + 1].gap in ("'", "’"):
            return at + 2, dates.join(dates.year(number), dates.year(number + 9))
    meaning = lexicon.table("decades").get(word_at(text, at))
    spoken = _CENTURIES.get(word_at(text, at))
    if spoken and (tens := lexicon.table("decades").get(word_at(text, at + 1))):
        start = spoken + int(tens) % 100
        return at + 2, dates.join(dates.year(start), dates.year(start + 9))
    if meaning is None:
        return None
    # "the noughties (2000s)" names one decade twice.
    again = _decade(text, at + 1) if _year_number(text, at + 1) == int(meaning) else None
    first = int(meaning)
    return again or (at + 1, dates.join(dates.year(first), dates.year(first + 9)))


def _century(text: Text, at: int) -> Atom | None:
    """`19th century` or `nineteenth century`: 1801 to 1900 (`Period.same_century`)."""
    number = _ORDINAL_CENTURIES.get(word_at(text, at)) or integer(text, at, 11, 21)
    end = at + 1 + (word_at(text, at + 1) in _SUFFIXES)
    spoken = not word_at(text, at)[:1].isdecimal()
    if number is None or word_at(text, end) not in ("century", "c"):
        return None
    if spoken != (end == at + 1):
        return None
    return end + 1, dates.join(dates.year(100 * (number - 1) + 1), dates.year(100 * number))


def _calendar_year(text: Text, at: int) -> Atom | None:
    if (word_at(text, at), word_at(text, at + 1)) != ("calendar", "year"):
        return None
    number = _year_number(text, at + 2)
    return (at + 3, dates.year(number, fiscal=False)) if number else None


def _plain_year(text: Text, at: int) -> Atom | None:
    number = _year_number(text, at)
    if number is None or _counts_things(text, at, number):
        return None
    if last := _last_year(text, at + 1, number):
        return at + 2, dates.join(dates.year(number), dates.year(last))
    if second := _second_year(text, at + 1, number):
        # "2020/21" is a season or a fiscal year; which days it has is unsaid.
        return (
            (at + 2, None)
            if second % 100 == integer(text, at + 1, 0, 99)
            else (at + 1, dates.year(number))
        )
    return at + 1, dates.year(number)


def _last_year(text: Text, at: int, number: int) -> int | None:
    """The "79" of "1870-79": no month, and not the next year, which makes a season."""
    if gap_at(text, at) not in ("-", "–") or len(word_at(text, at)) != 2:
        return None
    short = integer(text, at, 13, 99)
    return number - number % 100 + short if short and short > number % 100 + 1 else None


def _counts_things(text: Text, at: int, number: int) -> bool:
    """Whether four digits are a quantity: beside a currency, a unit, a scale or an operator
    word."""
    for name in ("currencies", "units", "scales"):
        if lexicon.phrases(name).starting_at(text, at + 1) and not _is_name(text, at + 1):
            return True
    if lexicon.phrases("currencies").ending_at(text, at):
        return True
    stems = text.stems[at + 1 : at + 2]
    if stems and stems[0] in lexicon.words("units") and len(stems[0]) > 1:
        return True
    operator = lexicon.phrases("operators_before").ending_at(text, at)
    relation = lexicon.phrases("time_before").ending_at(text, at)
    if operator and (relation is None or relation.first > operator.first):
        return True
    return relation is None and not 1700 <= number <= 2099


def _is_name(text: Text, at: int) -> bool:
    return text.words[at].capital and len(text.words[at].raw) > 2


_ATOMS: tuple[Callable[[Text, int], Atom | None], ...] = (
    _iso, _numeric, _named_day, _named_month, _quarter_or_half, _fiscal_year, _calendar_year,
    _century, _decade,
    _plain_year,
)  # fmt: skip


def read_period(text: Text, at: int) -> Atom | None:
    return _named(text, at) or _edge(text, at)


def _named(text: Text, at: int) -> Atom | None:
    if at >= len(text.words) or not _may_begin(text.words[at].text):
        return None  # nearly every word of a text, so this is looked at first
    return next((atom for read in _ATOMS if (atom := read(text, at))), None)


def _may_begin(word: str) -> bool:
    return word[:1].isdecimal() or word in _beginnings()


@cache
def _beginnings() -> frozenset[str]:
    lists = (_FIRST, lexicon.table("months"), _CENTURIES, _ORDINAL_CENTURIES,
             lexicon.table("decades"))  # fmt: skip
    return frozenset(word for words in lists for word in words)


def _edge(text: Text, at: int) -> Atom | None:
    """`the end of 2018` is its last day, `the start of 2018` its first; `early 2018` is vague."""
    word = word_at(text, at)
    if word in ("early", "mid", "late") and (found := _named(text, at + 1)):
        return found[0], None
    if word not in ("end", "close", "start", "beginning"):
        return None
    next_ = at + 1 + (word_at(text, at + 1) == "of")
    next_ += word_at(text, next_) == "the"
    found = _named(text, next_) if next_ > at + 1 else None
    if found is None or found[1] is None:
        return found
    edge = found[1].last if word in ("end", "close") else found[1].first
    return found[0], Period(edge, edge, found[1].fiscal)
