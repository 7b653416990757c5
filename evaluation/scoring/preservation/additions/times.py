"""Times that the request does not name, where they are plain."""

from collections.abc import Iterator, Sequence
from datetime import date

from evaluation.records import Addition
from evaluation.scoring.preservation.additions.known import Known
from evaluation.scoring.preservation.additions.listed import hits
from evaluation.scoring.preservation.filters import FilterTerm
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.matchers.time import BOUNDED, asked_period, reference_day
from evaluation.scoring.preservation.text import read_text
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.dates import Period
from evaluation.scoring.preservation.times.time_filters import RELATION_OF_SIGN
from evaluation.scoring.preservation.times.time_mentions import TimeMention, find_times

WHY = "The request names no such time."
Asked = Sequence[tuple[str, Period]]


def is_new_filter(reading: Reading, term: FilterTerm, period: Period) -> bool:
    """Whether a filter on a time carries one that the request does not name."""
    relation = RELATION_OF_SIGN.get(term.operator, "on")
    return not _known(relation, period, _periods(reading, _mentions(reading)))


def in_queries(reading: Reading, known: Known) -> Iterator[Addition]:
    today, asked = reference_day(reading), _mentions(reading)
    periods = _periods(reading, asked)
    words = {root for text in (*reading.turns, reading.asked) for root in text.roots}
    if hits("relative_steps", reading.asked) or _lost(reading):
        return
    for text in reading.queries:
        mentions = find_times(text, today)
        for mention in mentions:
            # "1 January and 31 December 2021": the year comes later.
            if mention.period is None and any(0 <= m.first - mention.end < 3 for m in mentions):
                continue
            quote, period = text.quote(mention.first, mention.end), mention.period
            if mention.now or (period is not None and _known(mention.relation, period, periods)):
                continue
            # A time in words that the request has itself ("last year") is not new, whatever its
            # date.
            if set(read_text(quote).roots) <= words or any(m.period is None for m in asked):
                continue
            if not _in_a_name(reading, quote) and not _shortened(quote, known):
                yield Addition("time", quote, WHY)


def _mentions(reading: Reading) -> list[TimeMention]:
    today = reference_day(reading)
    return [
        mention for text in (*reading.turns, reading.asked) for mention in find_times(text, today)
    ]


def _periods(reading: Reading, asked: Sequence[TimeMention]) -> list[tuple[str, Period]]:
    found = [(mention.relation, mention.period) for mention in asked if mention.period]
    found += [
        (str(c.value.get("relation")), p)
        for c in reading.contract.constraints
        if c.kind == "time" and (p := asked_period(c))
    ]
    return found


def _known(relation: str, period: Period, known: Asked) -> bool:
    """Whether a time meets one of the request, or sets a bound on the same day in other words
    ("until 30 June" for "before 1 July", "after 2014" for "since 2015")."""
    edges = set(_edges(relation, period))
    found = dates.scope(relation, period)
    return any(
        period.touches(one)
        or relation in BOUNDED
        and asked in (*BOUNDED, "on", "during")
        and dates.within(dates.scope(asked, one), found)  # it takes nothing away
        or bool(edges & set(_edges(asked, one)))
        or any(one.first <= day <= one.last for day in edges)
        for asked, one in known
    )


def _edges(relation: str, period: Period) -> Iterator[date]:
    """The first and last day that a bound admits; none for a plain date."""
    if relation not in BOUNDED:
        return
    found = dates.scope(relation, period)
    yield from (day for day in (found.first, found.last) if day)


def _in_a_name(reading: Reading, quote: str) -> bool:
    names = (
        str(part)
        for constraint in reading.contract.constraints
        for value in constraint.value.values()
        for part in (value if isinstance(value, list | tuple) else (value,))
    )
    wanted = read_text(quote)
    return any(read_text(name).find(wanted) for name in names)


def _lost(reading: Reading) -> bool:
    """Whether the current text names a time that is nowhere in the rewrite: a new one may stand in
    its place."""
    today = reference_day(reading)
    said = [(m.relation, m.period) for t in reading.queries for m in find_times(t, today)]
    said += [
        (RELATION_OF_SIGN.get(term.operator, "on"), dates.parse(term.value))
        for term in reading.filters
    ]
    held = [(relation, period) for relation, period in said if period]
    asked = (m for m in find_times(reading.asked, today) if not m.now)
    return any(m.period and not _known(m.relation, m.period, held) for m in asked)


def _shortened(quote: str, known: Known) -> bool:
    """Whether the request has the last two digits of a year alone ("the 80s")."""
    return any(
        word.is_number and len(word.text) == 4 and word.text[2:] in known.stems
        for word in read_text(quote).words
    )
