"""Filters that carry a time: which terms do, and the days that they admit together."""

from collections.abc import Iterable
from datetime import date

from evaluation.scoring.preservation.filters import FilterTerm
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.dates import Period, Scope
from evaluation.scoring.preservation.times.time_mentions import find_times

FIELD_WORDS = {
    "date", "dated", "year", "month", "quarter", "period", "season", "time", "day", "on", "of",
    "fiscal", "fy", "valid", "published", "created", "updated", "effective", "timestamp",
}  # fmt: skip
RELATION_OF_SIGN = {">": "after", ">=": "since", "<": "before", "<=": "until", "=": "on"}


def is_time_term(term: FilterTerm) -> bool:
    """Whether a filter is about time: by its field's name, or by a full date as its value."""
    period = dates.parse(term.value)
    if period is None:
        return False
    named = bool(FIELD_WORDS & {word.text for word in term.name.words})
    return named or (isinstance(term.value, str) and period.grain == "day")


def filter_scope(terms: list[FilterTerm]) -> Scope | None:
    """Return the days that conditions on one field admit together, or None if they admit none."""
    first: date | None = None
    last: date | None = None
    for term in terms:
        period = dates.parse(term.value)
        if period is None or term.operator not in RELATION_OF_SIGN:
            return None
        one = dates.scope(RELATION_OF_SIGN[term.operator], period)
        first = max(filter(None, (first, one.first)), default=None)
        last = min(filter(None, (last, one.last)), default=None)
    return None if first and last and first > last else Scope(first, last)


def filter_hint(wanted: Period, terms: Iterable[FilterTerm], today: date | None) -> str:
    """The value of a filter that may carry a time although its field or notation is not known as
    one: `{"vintage": 2019}`, `{"date": "2021-03-01..2021-03-31"}`; else ""."""
    for term in terms:
        if is_time_term(term) or isinstance(term.value, bool) or not len(term.text):
            continue
        named = bool(FIELD_WORDS & {word.text for word in term.name.words})
        period = dates.parse(term.value)
        if named or period is not None and period.touches(wanted):
            return term.shown
        times = find_times(term.text, today)
        if any(one.period is None or one.period.touches(wanted) for one in times):
            return term.shown
        if str(wanted.first.year) in term.shown or str(wanted.last.year) in term.shown:
            return term.shown
    return ""
