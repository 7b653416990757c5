"""What a rewrite restricts that the request does not: times and statuses, where they are plain.

Such restrictions count as alterations beside the ratio of kept constraints (acceptance protocol,
R25). The text of an
expansion or of a hypothetical passage adds vocabulary and details, and is not searched; its
filters are.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice

from evaluation.records import Addition, ConstraintJudgement
from evaluation.scoring.preservation import dates, lexicon
from evaluation.scoring.preservation.dates import Period
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.matchers.time import BOUNDED, asked_period, reference_day
from evaluation.scoring.preservation.text import read_text
from evaluation.scoring.preservation.time_filters import RELATION_OF_SIGN, is_time_term
from evaluation.scoring.preservation.time_mentions import find_times
from evaluation.scoring.preservation.wording import denied

_LOOSE_KINDS = ("expansion", "hypothetical")


def find_additions(
    reading: Reading, judgements: Sequence[ConstraintJudgement]
) -> tuple[Addition, ...]:
    """Return at most one addition of each kind. What stands in a constraint's place is no
    addition, so a kind with
    an altered or undecided constraint is left alone."""
    kinds = {c.id: c.kind for c in reading.contract.constraints}
    open_kinds = {kinds[j.constraint] for j in judgements if j.judgement in ("altered", "unsure")}
    found: list[Addition] = []
    if "time" not in open_kinds:
        found += islice(_times(reading), 1)
    if "status" not in open_kinds:
        found += islice(_statuses(reading), 1)
    return tuple(found)


def _times(reading: Reading) -> Iterator[Addition]:
    today = reference_day(reading)
    asked = [
        mention for text in (*reading.turns, reading.asked) for mention in find_times(text, today)
    ]
    known = [(mention.relation, mention.period) for mention in asked if mention.period]
    known += [
        (str(c.value.get("relation")), p)
        for c in reading.contract.constraints
        if c.kind == "time" and (p := asked_period(c))
    ]
    why = "The request names no such time."
    for term in reading.filters:
        period = dates.parse(term.value)
        relation = RELATION_OF_SIGN.get(term.operator, "on")
        if period and is_time_term(term) and not _known(relation, period, known):
            yield Addition("time", term.shown, why)
    if reading.rewrite.kind in _LOOSE_KINDS:
        return
    words = {root for text in (*reading.turns, reading.asked) for root in text.roots}
    for text in reading.queries:
        for mention in find_times(text, today):
            quote, period = text.quote(mention.first, mention.end), mention.period
            if mention.now or (period is not None and _known(mention.relation, period, known)):
                continue
            # A time in words that the request has itself ("last year") is not new, whatever its
            # date.
            if set(read_text(quote).roots) <= words or any(m.period is None for m in asked):
                continue
            if not _in_a_name(reading, quote):
                yield Addition("time", quote, why)


def _known(relation: str, period: Period, known: Sequence[tuple[str, Period]]) -> bool:
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


def _statuses(reading: Reading) -> Iterator[Addition]:
    known = set(reading.known_roots)
    for constraint in reading.contract.constraints:
        parts = [*constraint.admissible]
        for value in constraint.value.values():
            parts += map(str, value) if isinstance(value, list | tuple) else [str(value)]
        known.update(root for part in parts for root in read_text(part).roots)
    why = "The request asks for no such status."
    for term in reading.filters:
        named = {word.text for word in term.name.words} & {"status", "state", "stage"}
        if named and term.operator == "=" and not set(term.text.roots) & known:
            yield Addition("status", term.shown, why)
    if reading.rewrite.kind in _LOOSE_KINDS:
        return
    for text in reading.queries:
        for hit in lexicon.phrases("statuses").all_in(text):
            # In "audited accounts" the word belongs to a source.
            source = lexicon.phrases("sources").starting_at(text, hit.end)
            if (
                source is None
                and text.roots[hit.first] not in known
                and not denied(text, hit.first, hit.end)
            ):
                yield Addition("status", text.quote(hit.first, hit.end), why)
