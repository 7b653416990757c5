"""Filters with a value that the request does not have: each is a restriction, whatever its field.

The kind is the one that the field's name and the value suggest. Fields of the search machinery
("limit", "language") and of topics, whose values are vocabulary, say nothing.
"""

from collections.abc import Iterator

from evaluation.records import Addition
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.additions import (
    amounts,
    contrasts,
    exclusions,
    names,
    sources,
    statuses,
    times,
)  # fmt: skip
from evaluation.scoring.preservation.additions.known import Known
from evaluation.scoring.preservation.additions.listed import hits
from evaluation.scoring.preservation.filters import FilterTerm
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.time_filters import FIELD_WORDS as TIME_FIELDS
from evaluation.scoring.preservation.times.time_filters import is_time_term
from evaluation.scoring.preservation.wording import content

_WHY = {
    "time": times.WHY,
    "quantity": amounts.WHY,
    "comparison": contrasts.WHY,
    "polarity": exclusions.WHY,
    "evidence": sources.WHY,
    "status": statuses.WHY,
    "referent": names.WHY,
}


def in_filters(reading: Reading, known: Known) -> Iterator[Addition]:
    for term in reading.filters:
        if not len(term.text) or _is_machinery(term):
            continue
        kind = _kind(reading, term, known)
        # One of several alternatives restricts only where all of them are new.
        if kind and (not term.optional or _all_new(reading, term, known)):
            yield Addition(kind, term.shown, _WHY[kind])


def _all_new(reading: Reading, term: FilterTerm, known: Known) -> bool:
    others = [one for one in reading.filters if one.optional]
    return all(one.field == term.field and _kind(reading, one, known) for one in others)


def _is_machinery(term: FilterTerm) -> bool:
    return any(word.text in lexicon.words("search_fields") for word in term.name.words)


def _kind(reading: Reading, term: FilterTerm, known: Known) -> str:
    """The kind of restriction that a filter adds, or "" where it may be one of the request."""
    if isinstance(term.value, bool):
        return _flag(term, known)
    period = dates.parse(term.value)
    if period is not None and is_time_term(term):
        return "time" if times.is_new_filter(reading, term, period) else ""
    if term.number is not None:
        return _number(reading, term, known)
    named = {word.text for word in term.name.words}
    if named & TIME_FIELDS or not _is_new(term, known):
        return ""
    if term.operator == "!=":
        return "" if exclusions.denies(known) else "polarity"
    return _by_value(term, named, known) if term.operator == "=" else ""


def _flag(term: FilterTerm, known: Known) -> str:
    """`{"approved": true}` asks for a status, `{"revoked": false}` leaves something out."""
    words = [term.name.words[at] for at in content(term.name)]
    if not words or any(known.says(word.stem) for word in words):
        return ""
    if (term.operator == "!=") == bool(term.value):
        return "" if exclusions.denies(known) else "polarity"
    return "status"


def _number(reading: Reading, term: FilterTerm, known: Known) -> str:
    number = float(term.shown)
    if amounts.is_known_number(number, known):
        return ""
    year = number.is_integer() and 1900 <= number <= 2100
    if year and (period := dates.parse(int(number))) is not None:
        # {"vintage": 2019}: a year under a name that no list knows.
        return "time" if times.is_new_filter(reading, term, period) else ""
    identifies = any(word.text in ("id", "no", "number", "code", "key") for word in term.name.words)
    return "" if identifies else "quantity"


def _is_new(term: FilterTerm, known: Known) -> bool:
    return names.new_name(term.text, known) and not all(
        word.text in lexicon.words("stopwords") for word in term.text.words
    )


def _by_value(term: FilterTerm, named: set[str], known: Known) -> str:
    if named & lexicon.words("source_fields"):
        return "evidence"
    if any(lexicon.phrases(n).starting_at(term.text, 0) for n in ("statuses", "states")):
        return "status"
    if named & {"status", "state", "stage", "phase"} and not _is_place(term):
        return "status"
    if any(hits(n, term.text) for n in ("source_documents",)):
        return "evidence"
    if named & lexicon.words("topic_fields"):
        return "referent" if _is_name(term) else ""
    return "referent"


def _is_place(term: FilterTerm) -> bool:
    return lexicon.phrases("places").starting_at(term.text, 0) is not None


def _is_name(term: FilterTerm) -> bool:
    return _is_place(term) or (len(term.text) > 0 and term.text.words[0].capital)
