"""Two days of one month written together: `3-9 June 2019`, `June 3-9, 2019`."""

from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.dates import Period
from evaluation.scoring.preservation.times.period_words import (
    gap_at,
    integer,
    month_number,
    read_period,
    word_at,
)

_JOINING = ("to", "and", "until", "till", "through")
_SUFFIXES = ("st", "nd", "rd", "th")


def span_of_days(text: Text, at: int) -> tuple[int, Period] | None:
    """Return where the span that begins at word `at` ends and its days; None where none begins."""
    month_first = month_number(text, at)
    low = integer(text, at + bool(month_first), 1, 31)
    if low is None:
        return None
    second = _after_day(text, at + bool(month_first))
    if word_at(text, second) in _JOINING:
        # "3 and 9 June" are two days; "between 3 and 9 June" is a span.
        if word_at(text, second) == "and" and word_at(text, at - 1) not in ("between", "the"):
            return None
        second += 1 + (word_at(text, second + 1) == "the")
    elif gap_at(text, second) not in ("-", "–", "—"):
        return None
    high = integer(text, second, 1, 31)
    if high is None or high <= low:
        return None
    end, month, year = _dated(text, second, month_first)
    first = dates.day(low, month, year) if month else None
    last = dates.day(high, month, year) if month else None
    days = dates.join(first, last) if first and last else None
    return (end, days) if days else None


def _after_day(text: Text, at: int) -> int:
    return at + 1 + (word_at(text, at + 1) in _SUFFIXES)


def _dated(text: Text, second: int, month_first: int | None) -> tuple[int, int, int]:
    """Where the second day's date ends, its month and year; zeros where there is none."""
    start = _after_day(text, second) if month_first else second
    found = read_period(text, start)
    period = found[1] if found else None
    if found is None or period is None or period.grain != ("year" if month_first else "day"):
        return 0, 0, 0
    return found[0], month_first or period.first.month, period.first.year
