"""Periods of time, and the bounds that a relation word sets with them.

Whatever is written ("before 2021", "FY20/21", "{'lt': '2021'}") becomes one `Scope`: the first and
the last day
that it admits. Two wordings say the same when their scopes are equal.
"""

import calendar as months
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from contracts.values import time_bounds

_CLOCK = re.compile(r"(?<=\d{4}-\d{2}-\d{2})[T ].*$")


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days from `first` to `last`, both in it. `fiscal` is None where nothing says which
    calendar; a fiscal year is written as the calendar year in which it ends."""

    first: date
    last: date
    fiscal: bool | None = None

    def touches(self, other: "Period") -> bool:
        return self.first <= other.last and other.first <= self.last

    def same_days(self, other: "Period") -> bool:
        return (self.first, self.last) == (other.first, other.last)

    def same_century(self, other: "Period") -> bool:
        """Whether both are one century, which people count from 1800 or 1801, to 1899 or 1900."""
        return self._century is not None and self._century == other._century

    @property
    def _century(self) -> int | None:
        """The hundreds of a whole century, 18 for the nineteenth; None for another span."""
        hundreds, start = divmod(self.first.year, 100)
        whole = start in (0, 1) and self.last.year - 100 * hundreds in (99, 100)
        return hundreds if whole else None

    @property
    def grain(self) -> str:
        """ "day", "month", "quarter", "year" or, for anything else, "span"."""
        length = (self.last - self.first).days
        if length == 0:
            return "day"
        for name, low, high in (("month", 27, 30), ("quarter", 89, 91), ("year", 364, 365)):
            if low <= length <= high:
                return name
        return "span"


@dataclass(frozen=True, slots=True)
class Scope:
    """The first and last admitted day; None is "no bound on this side"."""

    first: date | None
    last: date | None


def year(number: int, fiscal: bool | None = None) -> Period:
    return Period(date(number, 1, 1), date(number, 12, 31), fiscal)


def month(number: int, of_year: int) -> Period:
    return Period(
        date(of_year, number, 1), date(of_year, number, months.monthrange(of_year, number)[1])
    )


def quarter(number: int, of_year: int, fiscal: bool | None = None) -> Period:
    start = month(3 * number - 2, of_year)
    return Period(start.first, month(3 * number, of_year).last, fiscal)


def day(number: int, of_month: int, of_year: int) -> Period | None:
    """Return one day, or None where the calendar has no such day."""
    try:
        found = date(of_year, of_month, number)
    except ValueError:
        return None
    return Period(found, found)


def join(first: Period, last: Period) -> Period | None:
    """Return the period from the start of one to the end of the other, or None if it runs
    backwards."""
    if first.first > last.last:
        return None
    return Period(first.first, last.last, first.fiscal if first.fiscal == last.fiscal else None)


def parse(value: Any, fiscal: bool | None = None) -> Period | None:
    """Read an ISO date, `2023-04`, `2023-Q1` or a year; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int) and abs(value) > 9999:
        return None
    bounds = time_bounds(_CLOCK.sub("", str(value).strip()).upper())
    # The day before year 1 and the day after 9999 do not exist; a bound may need them.
    if bounds is None or not 1 < bounds[0].year < 9999:
        return None
    return Period(*bounds, fiscal=fiscal)


def scope(relation: str, period: Period) -> Scope:
    """Return the days that a relation word admits. "By" and "until" admit the named period itself,
    "before" and "after" do not; "since" admits its first day."""
    one = timedelta(days=1)
    if relation == "before":
        return Scope(None, period.first - one)
    if relation in ("until", "by"):
        return Scope(None, period.last)
    if relation == "after":
        return Scope(period.last + one, None)
    if relation == "since":
        return Scope(period.first, None)
    return Scope(period.first, period.last)


def within(inner: Scope, outer: Scope) -> bool:
    """Whether the outer scope admits every day of the inner one."""
    after = outer.first is None or (inner.first is not None and inner.first >= outer.first)
    until = outer.last is None or (inner.last is not None and inner.last <= outer.last)
    return after and until


def shifted(unit: str, distance: int, today: date) -> Period | None:
    """Return the calendar year, quarter, month or day that lies `distance` units from today's."""
    if unit == "year":
        return year(today.year + distance)
    if unit == "month":
        index = today.year * 12 + today.month - 1 + distance
        return month(index % 12 + 1, index // 12)
    if unit == "quarter":
        index = today.year * 4 + (today.month - 1) // 3 + distance
        return quarter(index % 4 + 1, index // 4)
    if unit == "day":
        moved = today + timedelta(days=distance)
        return Period(moved, moved)
    return None
