"""Finding dates, periods and their relation words in a text."""

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.dates import Period, Scope
from evaluation.scoring.preservation.times.day_spans import span_of_days
from evaluation.scoring.preservation.times.open_starts import open_start_at
from evaluation.scoring.preservation.times.period_words import (
    Atom,
    gap_at,
    integer,
    iso_month,
    month_number,
    read_period,
    word_at,
)

_RANGE_WORDS = ("to", "and", "until", "till", "through")
_ORDINALS = ("first", "second", "third", "fourth")
_SKIPPED = ("the", "year", "month", "of", "date")


@dataclass(frozen=True, slots=True)
class TimeMention:
    """Words `first` up to `end` of a text that name a time.

    `relation` is one of the contract's relations, "from" (which may mean "in" or "since"), or ""
    when no word gives one. `period` is None for a vague time: "recently", "early 2020", or a date
    that can be read in two ways.
    """

    first: int
    end: int
    period: Period | None
    relation: str = ""
    now: bool = False

    @property
    def scope(self) -> Scope | None:
        if self.period is None or self.relation == "from":
            return None
        return dates.scope(self.relation, self.period)


def find_times(text: Text, today: date | None = None) -> list[TimeMention]:
    """Return the time mentions of a text from left to right; they never overlap.

    `today` settles "last year"; without it such wording is vague.
    """
    return list(_find_times(text, today))


@lru_cache(maxsize=256)  # a request is read again for each arm, and a rewrite for each question
def _find_times(text: Text, today: date | None) -> tuple[TimeMention, ...]:
    mentions: list[TimeMention] = []
    at = 0
    while at < len(text):
        first = read_period(text, at)
        mention = (
            _range_at(text, at, first)
            or _single_at(text, at, first)
            or _relative_at(text, at, today)
        )
        if mention is None:
            at += 1
            continue
        mentions.append(mention)
        at = max(mention.end, at + 1)
    return tuple(mentions)


# ---------------------------------------------------------------- ranges and relations


def _range_at(text: Text, at: int, period: Atom | None) -> TimeMention | None:
    """A range that begins with the period at `at`, or with a day or month that has no year."""
    if days := span_of_days(text, at):
        begin, relation = _opening(text, at)
        opened = relation in ("from", "between", "on")
        return TimeMention(begin if opened else at, *days, "between")
    open_start = None if period else open_start_at(text, at)
    if period is None and open_start is None:
        return None
    end = period[0] if period else open_start.end if open_start else at
    joined = word_at(text, end) in _RANGE_WORDS
    place = end + joined
    place += joined and word_at(text, place) == "the"
    second = read_period(text, place)
    if second is None:
        return None
    opening = _opening(text, at)
    if second[1] is None and period and period[1] and period[1].grain == "month":
        second = iso_month(text, place) or second
    if joined:
        # "in 2011 and 2015" is no range; "between 2011 and 2015" is.
        if word_at(text, end) == "and" and opening[1] != "between":
            return None
    elif gap_at(text, end) not in ("-", "–", "—"):
        return None
    start = open_start.before(second[1]) if open_start else period and period[1]
    joint = dates.join(start, second[1]) if start and second[1] else None
    begin = opening[0] if opening[1] in ("from", "between", "on") else at
    return TimeMention(begin, second[0], joint, "between")


def _opening(text: Text, at: int) -> tuple[int, str]:
    """Where the relation words before a date begin, and the relation; (at, "") without any."""
    end = at
    while end and word_at(text, end - 1) in _SKIPPED and text.words[end].gap == "":
        found = lexicon.phrases("time_before").ending_at(text, end)
        if found and found.end - found.first > 1:
            break
        end -= 1
    for place in dict.fromkeys((end, min(end + 1, at), at)):
        found = lexicon.phrases("time_before").ending_at(text, place)
        if found and all(text.words[i].gap in ("", "-") for i in range(found.first + 1, place + 1)):
            return found.first, found.meaning
    return at, ""


def _closing(text: Text, end: int, relation: str) -> tuple[int, str]:
    found = lexicon.phrases("time_after").starting_at(text, end)
    # In "after 2014 and before 2018" the words belong to the date that follows.
    if found and read_period(text, found.end) is None:
        return found.end, found.meaning
    if relation == "from" and word_at(text, end) == "on":
        return end + 1, "since"
    return end, ""


def _single_at(text: Text, at: int, found: Atom | None) -> TimeMention | None:
    if found is None:
        return _yearless(text, at)
    first, before = _opening(text, at)
    end, after = _closing(text, found[0], before)
    relation = after or ("on" if before == "between" else before)
    return TimeMention(first, end, found[1], relation)


def _yearless(text: Text, at: int) -> TimeMention | None:
    """A month or quarter without its year, after a preposition: vague."""
    word = word_at(text, at)
    if word != "q" and word not in _ORDINALS and word not in lexicon.table("months"):
        return None  # nearly every word of a text, so this is looked at first
    if word in _ORDINALS and word_at(text, at + 1) == "quarter":
        first, relation = _opening(text, at)
        return TimeMention(first, at + 2, None, relation)
    named = month_number(text, at) and text.words[at].capital
    if not named and not (word == "q" and integer(text, at + 1, 1, 4)):
        return None
    first, relation = _opening(text, at)
    if not relation and len(word) < 6 and word != "q":
        return None  # "May", "March" and their like begin sentences and name people
    return TimeMention(first, at + 1 + (word == "q"), None, relation)


def _relative_at(text: Text, at: int, today: date | None) -> TimeMention | None:
    found = lexicon.phrases("relative_time").starting_at(text, at)
    if found is None:
        return None
    first, relation = _opening(text, at)
    if found.meaning == "now":
        period = Period(today, today) if today else None
        return TimeMention(found.first, found.end, period, "as_of", now=True)
    if found.meaning == "vague" or today is None:
        return TimeMention(first, found.end, None, relation)
    unit, distance = found.meaning.split()
    return TimeMention(first, found.end, dates.shifted(unit, int(distance), today), relation)
