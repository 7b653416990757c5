"""Whether the only time of a rewrite is certainly another one: its bound or its precision gone."""

from dataclasses import replace
from datetime import date
from functools import cache

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.dates import Period
from evaluation.scoring.preservation.times.time_doubts import labels_a_thing, other_calendar
from evaluation.scoring.preservation.times.time_mentions import TimeMention, find_times
from evaluation.scoring.preservation.wording import content_roots, denies, novel_words, occurrences

_BOUNDED = ("before", "after", "since", "until", "by")
# Words that set no bound, though a list of wordings of time has them.
_PLAIN = frozenset(
    "in on of at for over during within throughout dated the and or to as not no".split()
)
# Words that may set a bound from afar ("weirs 2014, earlier ones").
_BOUNDING = frozenset(
    "earlier later prior older newer past beyond up latest last first end start early mid late "
    "least most ending opening closing > < >= <= = ~".split()
)


@cache
def _bounding() -> frozenset[str]:
    listed = (*lexicon.phrases("time_before").entries, *lexicon.phrases("time_after").entries)
    return _BOUNDING | {word for words, _ in listed for word in words} - _PLAIN


def lone_other(
    constraint: ConstraintTerms, wanted: Period, mention: TimeMention, text: Text, reading: Reading
) -> bool:
    """Whether a rewrite whose one time is `mention` lost the asked time: "weirs 2014" for "before
    2014", "since 2014" for "since June 2014", "sales March 2023" for "in Q1 2023"."""
    period, relation = mention.period, str(constraint.value.get("relation"))
    if period is None or wanted.fiscal or period.fiscal:
        return False
    if mention.relation not in ("", "on", relation):
        return False
    same = period.same_days(wanted)
    if _in_doubt(constraint, mention, text, reading, exact=same):
        return False
    if same:
        return relation in _BOUNDED and not mention.relation
    return _holds(period, wanted) or _holds(wanted, period) or _ends_given(constraint, reading)


def _ends_given(constraint: ConstraintTerms, reading: Reading) -> bool:
    """Whether a request gives both ends of its span, which a year that meets it only in part loses
    ("1899" for "from 1 April 1899 to 31 March 1900")."""
    found = find_times(read_text(reading.span_text(constraint)))
    return len(found) == 1 and found[0].relation == "between"


def _holds(outer: Period, inner: Period) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last


def _in_doubt(
    constraint: ConstraintTerms, mention: TimeMention, text: Text, reading: Reading, *, exact: bool
) -> bool:
    """Whether another word or number of the rewrite may belong to its time; a word that the request
    lacks may make an inexact one exact."""
    if labels_a_thing(text, mention, reading) or other_calendar(text, mention, reading):
        return True
    if denies(reading, text, mention.first, mention.end):
        return True
    asked = read_text(reading.span_text(constraint))
    own = set(content_roots(asked)) - {word.text for word in asked.words if word.is_number}
    numbers = {word.text for one in (*reading.turns, reading.asked) for word in one.words}
    near = set(range(mention.first - 2, mention.end + 2)) - set(range(mention.first, mention.end))
    novel = set(novel_words(reading))
    for one in reading.queries:
        for at, word in enumerate(one.words):
            if one is text and mention.first <= at < mention.end:
                continue
            if word.text in _bounding() or (not exact and one.roots[at] in own):
                return True
            if word.is_number and word.text not in numbers:
                return True
            if one is text and not exact and at in near and word.raw in novel:
                return True
    return False


def no_bound_meant(relation: str, wanted: Period, mention: TimeMention) -> list[TimeMention] | None:
    """The two readings of "from 1848", "in" and "since", where neither is the one asked for."""
    if mention.relation != "from" or mention.period is None:
        return None
    readings = [replace(mention, relation=one) for one in ("on", "since")]
    asked = dates.scope(relation, wanted)
    return None if any(one.scope == asked for one in readings) else readings


def dated(words: str) -> bool:
    """Whether a request's words give a date of their own, and not "today"."""
    found = find_times(read_text(words))
    return bool(found) and all(one.period is not None and not one.now for one in found)


def loose_word(text: Text, at: int, asked: str) -> bool:
    """Whether a loose time word may stand for the time asked for. "Per year" and "over the years"
    are no time, and "the latest" is none that was asked for by a date."""
    word = text.words[at].text
    before = text.words[at - 1].text if at else ""
    if word in ("year", "years") and (
        before in ("per", "each", "every", "by", "a")
        or before == "the"
        and at > 1
        and text.words[at - 2].text in ("over", "through")
    ):
        return False
    after = text.words[at + 1].stem if at + 1 < len(text) else ""
    if word in ("latest", "recent", "recently", "historical"):
        return not dated(asked) or after in lexicon.words("periods")
    return True


def seasonal(asked: str, relation: str, mention: TimeMention, text: Text) -> str:
    """For "in spring 1899": "same" or "other" where a season stands right before the same year,
    else ""."""
    seasons, own = lexicon.table("seasons"), read_text(asked)
    wanted = next((seasons[word.text] for word in own.words if word.text in seasons), None)
    at = season_place(text, mention)
    found = seasons.get(text.words[at].text) if at >= 0 else None
    years = {word.text for word in own.words if word.is_number}
    said = {word.text for word in text.words[mention.first : mention.end] if word.is_number}
    if wanted is None or found is None or years != said:
        return ""
    before = lexicon.phrases("time_before").ending_at(text, at)
    bound = before.meaning if before and before.meaning in (*_BOUNDED, "from") else ""
    if relation in _BOUNDED:
        return _bounded_alike(relation, bound) if found == wanted else ""
    if bound:
        return ""
    return "same" if found == wanted else "other"


def _bounded_alike(relation: str, bound: str) -> str:
    """Compare two bounds of one season; "" where they are neither one nor opposite ones."""
    ends = {"before": 0, "until": 0, "by": 0, "after": 1, "since": 1}
    if bound == relation:
        return "same"
    apart = bound in ends and relation in ends and ends[bound] != ends[relation]
    return "other" if apart else ""


def season_place(text: Text, mention: TimeMention) -> int:
    """The word in front of a mention in which its season would stand; -1 at a text's beginning."""
    at = mention.first - 1 + (text.words[mention.first].text == "of")
    return at - (at >= 0 and text.words[at].text == "of")


def in_own_words(asked: str, relation: str, reading: Reading) -> tuple[Text, int, int] | None:
    """Where a query says the time in the request's own words, a year among them: text, first word
    and end. A bound must be there too, and no other one."""
    own = read_text(asked)
    skip = 0
    if relation not in _BOUNDED and own.words and own.words[0].text in ("in", "on", "during", "of"):
        skip = 1
    rest = own.words[skip:]
    if len(rest) < 2 or not any(len(word.raw) == 4 and word.is_number for word in rest):
        return None
    form = asked[rest[0].start :]
    for text, first, end in occurrences(reading.queries, (form,)):
        before = lexicon.phrases("time_before").ending_at(text, first)
        after = lexicon.phrases("time_after").starting_at(text, end)
        bound = before and before.meaning in (*_BOUNDED, "from", "between")
        dates_there = [m for m in find_times(text) if m.first < end and first < m.end]
        # What the dates alone say is compared as dates: "12 April 1848" is not "April 1848".
        inside = all(first < m.first and m.end <= end for m in dates_there)
        if inside and not (bound or after or denies(reading, text, first, end)):
            return text, first, end
    return None


def of_another_turn(reading: Reading, wanted: Period, today: date | None) -> tuple[Text, int, int]:
    """Where a query names a time of an earlier turn that the current text does not: text, first
    word and end; the end is 0 where none does."""
    asked = [one.period for one in find_times(reading.asked, today) if one.period]
    turns = [one.period for turn in reading.turns for one in find_times(turn, today) if one.period]
    for text in reading.queries:
        for one in find_times(text, today):
            period = one.period
            if period is None or period.touches(wanted) or any(map(period.same_days, asked)):
                continue
            if any(map(period.same_days, turns)):
                return text, one.first, one.end
    return reading.asked, 0, 0
