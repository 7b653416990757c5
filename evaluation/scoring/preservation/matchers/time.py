"""Time: a date or period with its relation word ("before 2021", "in Q1 2023")."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import accumulate, pairwise

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    dropped,
    filtered,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.dates import Period, Scope
from evaluation.scoring.preservation.times.lone_times import (
    dated,
    in_own_words,
    lone_other,
    loose_word,
    no_bound_meant,
    of_another_turn,
    season_place,
    seasonal,
)  # fmt: skip
from evaluation.scoring.preservation.times.time_doubts import (
    labels_a_thing,
    other_calendar,
    spoken_year,
)
from evaluation.scoring.preservation.times.time_filters import (
    filter_hint,
    filter_scope,
    is_time_term,
)
from evaluation.scoring.preservation.times.time_mentions import TimeMention, find_times
from evaluation.scoring.preservation.wording import denies, occurrences

LOOSE_WORDS = {
    "recent", "recently", "latest", "historical", "year", "years", "decade", "century", "wartime",
    "period", "era",
}  # fmt: skip
BOUNDED = ("before", "after", "since", "until", "by")


@matcher("time")
def match_time(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Compare the days that the constraint admits with those that each mention of a time admits."""
    wanted = asked_period(constraint)
    if wanted is None:
        return unsure("", "The contract's dates cannot be read as a date, month, quarter or year.")
    free = list(free_times(constraint, reading))
    for text, first, end in occurrences(reading.queries, constraint.admissible):
        if not denies(reading, text, first, end):
            return stated(text.quote(first, end), "An admissible form of the time is there.")
    carried = _from_filters(constraint, wanted, reading)
    verdicts = [_verdict(constraint, wanted, mention, text, reading) for text, mention in free]
    listed = _listed(wanted, free)
    for (text, mention), verdict in zip(free, verdicts, strict=True):
        if verdict == "same":
            quote = text.quote(mention.first, mention.end)
            if id(text) in listed:
                continue
            if carried and carried.judgement == "altered":
                return unsure(quote, "A query states the time, but a filter carries another one.")
            return stated(quote, "The time and its relation are those of the contract.")
    hint = filter_hint(wanted, reading.filters, reference_day(reading))
    own = in_own_words(
        reading.span_text(constraint), str(constraint.value.get("relation")), reading
    )
    if own and not carried and not constraint.value.get("calendar") == "fiscal":
        return stated(own[0].quote(*own[1:]), "The time is there in the request's own words.")
    if verdicts:
        found = _otherwise(constraint, free, verdicts, carried, wanted, reading)
        if hint and found.judgement == "altered":
            return unsure(hint, "A filter on a field of unclear meaning has the time.")
        return found
    if carried:
        return carried
    if hint:
        return unsure(hint, "A filter has a time in a field or notation of unclear meaning.")
    text, first, end = of_another_turn(reading, wanted, reference_day(reading))
    if end:
        return altered(text.quote(first, end), "The time of an earlier turn stands in its place.")
    return _without_mention(constraint, reading)


def asked_period(constraint: ConstraintTerms) -> Period | None:
    """Return the period that the relation is about: `start` to `end`, whichever are given."""
    value = constraint.value
    fiscal = True if value.get("calendar") == "fiscal" else None
    start, end = dates.parse(value.get("start"), fiscal), dates.parse(value.get("end"), fiscal)
    if start and end:
        return dates.join(start, end)
    return start or end


def reference_day(reading: Reading) -> date | None:
    found = dates.parse(reading.request.reference_date)
    return found.first if found and found.grain == "day" else None


def free_times(constraint: ConstraintTerms, reading: Reading) -> Iterator[tuple[Text, TimeMention]]:
    """Yield the times of the queries that nothing else accounts for: no other time constraint, no
    name of the contract, and no other date of the request."""
    today = reference_day(reading)
    wanted = asked_period(constraint)
    taken = [period for other in reading.others(constraint) if (period := asked_period(other))]
    taken += _elsewhere(constraint, reading, today)
    names = list(_names(reading))
    for text in reading.queries:
        named = sorted((first, end) for _, first, end in occurrences((text,), names))
        firsts, ends = [first for first, _ in named], list(accumulate((e for _, e in named), max))
        for mention in find_times(text, today):
            before = bisect_right(firsts, mention.first)
            inside = before > 0 and mention.end <= ends[before - 1]
            period = mention.period
            known = period is not None and any(period.same_days(one) for one in taken)
            ours = period is not None and wanted is not None and period.same_days(wanted)
            weak = mention.now and constraint.value.get("relation") != "as_of"
            if not (inside or weak or (known and not ours)):
                if period and wanted and period.same_century(wanted):
                    mention = replace(mention, period=wanted)
                yield text, mention


def _names(reading: Reading) -> Iterator[str]:
    for constraint in reading.contract.constraints:
        value = constraint.value
        yield from (str(name) for name in (value.get("name"), value.get("source")) if name)
        yield from (str(name) for name in value.get("aliases") or ())
        yield from (str(name) for name in value.get("sets") or ())


def _elsewhere(constraint: ConstraintTerms, reading: Reading, today: date | None) -> list[Period]:
    """The times that the request itself names outside the constraint's words."""
    found: list[Period] = []
    for turn, text in enumerate((*reading.turns, reading.asked)):
        for mention in find_times(text, today):
            start, end = text.words[mention.first].start, text.words[mention.end - 1].end
            span = constraint.span
            ours = span is not None and span.turn == turn and start < span.end and span.start < end
            if mention.period and not ours:
                found.append(mention.period)
    return found


def _verdict(
    constraint: ConstraintTerms, wanted: Period, mention: TimeMention, text: Text, reading: Reading
) -> str:
    """`_compare`, made "unclear" where the digits may be a name's or another calendar's."""
    found = _compare(constraint, wanted, mention, text, reading)
    if found == "same" and not wanted.fiscal and other_calendar(text, mention, reading):
        return "unclear"
    return "unclear" if labels_a_thing(text, mention, reading) else found


def _listed(wanted: Period, free: list[tuple[Text, TimeMention]]) -> set[int]:
    """The `id()` of each text in which another period stands right beside one: "2019 and 2020"."""
    stop = lexicon.words("stopwords")
    found: set[int] = set()
    for (text, one), (other_text, other) in pairwise(free):
        periods = one.period, other.period
        if text is not other_text or any(m.relation in BOUNDED for m in (one, other)):
            continue
        if not any(period and not period.touches(wanted) for period in periods):
            continue
        between = [text.words[i].text for i in range(one.end, min(other.first, one.end + 5))]
        if len(between) <= 4 and sum(word not in stop for word in between) <= 1:
            found.add(id(text))
    return found


def _compare(
    constraint: ConstraintTerms, wanted: Period, mention: TimeMention, text: Text, reading: Reading
) -> str:
    """Return "same", "other" or "unclear"."""
    relation = str(constraint.value.get("relation"))
    found, period = mention.scope, mention.period
    if mention.now and relation == "as_of" and constraint.value.get("reference_date"):
        return "same" if period is None or period.same_days(wanted) else "unclear"
    if mention.now and period is None and dated(reading.span_text(constraint)):
        return "other"  # whoever gives the day does not mean whatever day it is
    if readings := no_bound_meant(relation, wanted, mention):
        asked = dates.scope(relation, wanted)
        sure = (_differs(relation, wanted, m, asked, m.scope) for m in readings if m.scope)
        return "other" if all(sure) else "unclear"
    if period is None or found is None:
        return "unclear"
    if denies(reading, text, mention.first, mention.end):
        return "unclear"
    if season := seasonal(reading.span_text(constraint), relation, mention, text):
        return season
    asked = dates.scope(relation, wanted)
    bare = not mention.relation and relation in BOUNDED
    # A year within "before 2014" may be one of several that a query lists.
    if bare and (period.touches(wanted) or dates.within(found, asked)):
        return "unclear"
    if found == asked:
        return _calendars(wanted, period)
    return "other" if _differs(relation, wanted, mention, asked, found) else "unclear"


def _calendars(wanted: Period, period: Period) -> str:
    if wanted.fiscal and period.fiscal is None and wanted.grain in ("year", "quarter", "span"):
        return "unclear"
    if wanted.fiscal and period.fiscal is False or not wanted.fiscal and period.fiscal:
        return "other"
    return "same"


def _differs(
    relation: str, wanted: Period, mention: TimeMention, asked: Scope, found: Scope
) -> bool:
    """Whether another scope is certainly another time, and no coarser, finer or partial wording."""
    period = mention.period
    if period is None:
        return False
    if wanted.fiscal and period.fiscal is None:
        return not period.touches(wanted)
    if not period.touches(wanted) or _opposite(found, asked):
        return True
    if period.same_days(wanted):
        one = (asked.first is None, asked.last is None)
        # "until 2021" may mean "before 2021": a person decides. Other bounds are what they say.
        either = {relation, mention.relation} == {"until", "before"}
        return one != (found.first is None, found.last is None) or not either
    same_grain = period.grain == wanted.grain == "span"
    edge = period.first == wanted.first or period.last == wanted.last
    if relation not in BOUNDED and mention.relation in BOUNDED:
        return edge
    return same_grain and mention.relation == "between" and edge


def _otherwise(
    constraint: ConstraintTerms,
    free: list[tuple[Text, TimeMention]],
    verdicts: list[str],
    carried: Finding | None,
    wanted: Period,
    reading: Reading,
) -> Finding:
    text, mention = free[0]
    season = seasonal(
        reading.span_text(constraint), str(constraint.value.get("relation")), mention, text
    )
    first = season_place(text, mention) if season else mention.first
    quote = text.quote(first, mention.end)
    if carried and carried.judgement == "filtered":
        return unsure(quote, "A filter carries the time, but a query names another one.")
    if len(free) == 1 and not carried and lone_other(constraint, wanted, mention, text, reading):
        return altered(quote, "Of the time asked for, the bound or the precision is gone.")
    both_ends = len(free) > 1 and not _apart(free, wanted)
    if "unclear" in verdicts or both_ends:
        return unsure(quote, "A time is named that may or may not be the one of the contract.")
    return altered(quote, "Another time or another relation stands in its place.")


def _apart(free: list[tuple[Text, TimeMention]], wanted: Period) -> bool:
    """Whether none, or each, of several mentions meets the wanted period: they are no list of
    parts."""
    meets = [m.period is not None and m.period.touches(wanted) for _, m in free]
    return not any(meets) or len({m.scope for _, m in free}) == 1


def _without_mention(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Nothing else names a time; loose time words forbid certainty."""
    for text in reading.queries:
        if spoken := spoken_year(text):
            return unsure(spoken, "A year may be written in words.")
        for at, word in enumerate(text.words):
            if word.text in LOOSE_WORDS:
                known = text.roots[at] in reading.known_roots
                if not known and loose_word(text, at, reading.span_text(constraint)):
                    return unsure(text.quote(at, at + 1), "A loose time word stands alone.")
        if (loose := _loose_number(constraint, reading, text)) is not None:
            return unsure(text.quote(loose, loose + 1), "A number is there that may be a date.")
        if str(constraint.value.get("end") or constraint.value.get("start"))[:4] in text.raw:
            return unsure("", "The year is written in the rewrite, but not read as a time.")
    return dropped("No query and no filter names a time.")


def _loose_number(constraint: ConstraintTerms, reading: Reading, text: Text) -> int | None:
    """A numeral that the request lacks, with the last two digits of an asked year ("1Q23")."""
    years = {str(constraint.value.get(name))[2:4] for name in ("start", "end")}
    numbers = {word.text for turn in (*reading.turns, reading.asked) for word in turn.words}
    for at, word in enumerate(text.words):
        if word.is_number and word.text not in numbers and word.text[-2:] in years:
            return at
    return None


# ---------------------------------------------------------------- filters


def _from_filters(constraint: ConstraintTerms, wanted: Period, reading: Reading) -> Finding | None:
    terms = [term for term in reading.filters if is_time_term(term)]
    if not terms:
        return None
    quote = terms[0].shown
    fields = {term.field for term in terms}
    vague = any(term.optional or term.operator == "!=" for term in terms)
    found = filter_scope(terms)
    if len(fields) > 1 or vague or found is None:
        return unsure(quote, "The filters carry a time in a way that has more than one reading.")
    fiscal = any(word.text in ("fiscal", "fy") for word in terms[0].name.words)
    asked = dates.scope(str(constraint.value.get("relation")), wanted)
    if found == asked:
        if bool(wanted.fiscal) == fiscal:
            return filtered(quote, f"The filter on {terms[0].field} admits the same days.")
        return unsure(quote, "The filter has the same days, but perhaps of another calendar.")
    others = [dates.scope(str(o.value.get("relation")), p)
              for o in reading.others(constraint) if (p := asked_period(o))]  # fmt: skip
    if found in others:
        return None
    if (
        others
        or wanted.fiscal
        and not fiscal
        or dates.within(found, asked)
        or dates.within(asked, found)
    ):
        if not _opposite(found, asked):
            return unsure(quote, f"The filter on {terms[0].field} admits other days.")
    return altered(quote, f"The filter on {terms[0].field} admits other days.")


def _opposite(one: Scope, other: Scope) -> bool:
    return bool(
        (one.last and other.first and one.last < other.first)
        or (other.last and one.first and other.last < one.first)
    )
