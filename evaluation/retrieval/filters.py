"""Metadata filters: which documents may be ranked at all.

A filter maps a metadata field to what it must be; all fields must hold. What a field must be is a
scalar (equal; texts without regard to case; a date lies in the named period), a list (any of), or
an object with `lt`, `lte`, `gt`, `gte`. Dates may be partial: "2021", "2021-03" and "2021-Q1" are
periods, so `lt 2021` leaves the whole year out. A document without the field is out.
"""

import calendar
import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

OPERATORS = ("lt", "lte", "gt", "gte")
Predicate = Callable[[Mapping[str, Any]], bool]
Period = tuple[date, date]

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_QUARTER = re.compile(r"(\d{4})-?[Qq]([1-4])")
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?")


class FilterError(ValueError):
    """A filter cannot be understood. The text says which field and what is allowed."""


def compile_filters(filters: Mapping[str, Any] | None) -> Predicate | None:
    """Return a test of one document's metadata, or None when there is nothing to filter by.

    Raises FilterError on an unknown operator, an empty condition, or a bound that is neither a
    number nor a date.
    """
    if not filters:
        return None
    tests = [(field, _condition(field, wanted)) for field, wanted in filters.items()]
    return lambda metadata: all(
        metadata.get(field) is not None and _any(metadata[field], test) for field, test in tests
    )


def period(value: object) -> Period | None:
    """Return the first and last day that a (partial) ISO date, quarter or year names, or None."""
    text = str(value).strip() if isinstance(value, str | int) else ""
    try:
        if match := _QUARTER.fullmatch(text):
            last = int(match[2]) * 3
            return _months(int(match[1]), last - 2, last)
        if match := _DATE.fullmatch(text):
            year = int(match[1])
            if match[3]:
                day = date(year, int(match[2]), int(match[3]))
                return day, day
            return _months(year, int(match[2] or 1), int(match[2] or 12))
    except ValueError:
        return None
    return None


def _months(year: int, first: int, last: int) -> Period:
    return date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1])


def _any(value: object, test: Callable[[Any], bool]) -> bool:
    """A field that holds a list passes when one of its values does."""
    return any(map(test, value)) if isinstance(value, list | tuple) else test(value)


def _condition(field: str, wanted: object) -> Callable[[Any], bool]:
    if isinstance(wanted, Mapping):
        return _range(field, wanted)
    choices = list(wanted) if isinstance(wanted, list | tuple) else [wanted]
    for choice in choices:
        if not isinstance(choice, str | int | float):
            raise FilterError(
                f'The filter on "{field}" asks for {choice!r}; '
                "it must be a text, a number, true or false, or a list of these."
            )
    if not choices:
        raise FilterError(f'The filter on "{field}" is an empty list, which no document can match.')
    return lambda value: any(_equal(value, choice) for choice in choices)


def _range(field: str, wanted: Mapping[str, Any]) -> Callable[[Any], bool]:
    if not wanted:
        raise FilterError(f'The filter on "{field}" is empty. Known operators: {_known()}.')
    for operator, bound in wanted.items():
        if operator not in OPERATORS:
            raise FilterError(
                f'The filter on "{field}" has the unknown operator "{operator}". '
                f"Known operators: {_known()}."
            )
        if _number(bound) is None and period(bound) is None:
            raise FilterError(
                f'The filter on "{field}" compares with {bound!r}; '
                "it must be a number or a date such as 2021, 2021-03, 2021-Q1 or 2021-03-31."
            )
    bounds = dict(wanted)
    return lambda value: all(_holds(value, op, bound) for op, bound in bounds.items())


def _known() -> str:
    return ", ".join(OPERATORS)


def _holds(value: object, operator: str, bound: object) -> bool:
    ends = _comparable(value, bound)
    if ends is None:
        return False
    (low, high), (bound_low, bound_high) = ends
    if operator == "lt":
        return bool(high < bound_low)
    if operator == "lte":
        return bool(high <= bound_high)
    if operator == "gt":
        return bool(low > bound_high)
    return bool(low >= bound_low)


def _comparable(value: object, bound: object) -> tuple[tuple[Any, Any], tuple[Any, Any]] | None:
    """Return both as (low, high): numbers when both are numbers, else periods, else None."""
    numbers = _number(value), _number(bound)
    if numbers[0] is not None and numbers[1] is not None:
        return (numbers[0], numbers[0]), (numbers[1], numbers[1])
    periods = period(value), period(bound)
    if periods[0] is not None and periods[1] is not None:
        return periods[0], periods[1]
    return None


def _equal(value: object, wanted: object) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    ends = _comparable(value, wanted)
    if ends is not None:
        (low, high), (wanted_low, wanted_high) = ends
        return bool(wanted_low <= low and high <= wanted_high)
    if isinstance(value, str) and isinstance(wanted, str):
        return _fold(value) == _fold(wanted)
    return False


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        return float(value)
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value)
    return None


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()
