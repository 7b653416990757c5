"""Words of a request that may be constraints, found in the request's own turns and in nothing
else. Pure: the same texts give the same suggestions, in the order of the text, without scores.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from contracts import language as languages
from contracts.finding import found_in_any_language, found_in_english
from contracts.terms import KINDS, ConstraintTerms, Span

ANALYSED = 5_000  # characters of a turn that are looked at, from its start
MOST = 100  # suggestions of one request
LONGEST = 160  # characters of one suggestion


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Words of a turn that may be a constraint of a kind; `words` is the text at the span."""

    kind: str
    span: Span
    words: str


def suggest(texts: Sequence[str], asked: Sequence[int]) -> tuple[Suggestion, ...]:
    """Return what may be marked in the turns `asked` (numbers as a span's `turn` counts), at most
    MOST, of each turn the first ANALYSED characters.

    Any text may come: spans lie inside the text and never raise. The English model reads English
    only; of other languages years, dates and amounts are found. Waits until the model is loaded.
    """
    return _suggest(tuple(texts), tuple(sorted(set(asked))))


@lru_cache(maxsize=128)
def _suggest(texts: tuple[str, ...], asked: tuple[int, ...]) -> tuple[Suggestion, ...]:
    found = [
        Suggestion(kind, Span(turn, start, end), texts[turn][start:end])
        for turn in asked
        if 0 <= turn < len(texts)
        for kind, start, end in _in_turn(texts[turn], current=turn == len(texts) - 1)
    ]
    return tuple(found[:MOST])


def is_cut(texts: Sequence[str], asked: Sequence[int]) -> bool:
    """Whether a turn is too long to be looked at as a whole."""
    return any(len(texts[turn]) > ANALYSED for turn in asked)


def not_yet_marked(
    suggestions: Sequence[Suggestion], constraints: Sequence[ConstraintTerms]
) -> list[Suggestion]:
    """Return the suggestions without those whose words the draft has marked: by a constraint of
    the same kind that overlaps, or of any kind on the same words.
    """
    marked = [(c.kind, c.span) for c in constraints if c.span is not None]
    return [
        one
        for one in suggestions
        if not any(
            span == one.span or (kind == one.kind and _overlap(span, one.span))
            for kind, span in marked
        )
    ]


def _overlap(one: Span, other: Span) -> bool:
    return one.turn == other.turn and one.start < other.end and other.start < one.end


Found = tuple[str, int, int]  # kind, start, end


def _in_turn(text: str, *, current: bool) -> list[Found]:
    head = _head(text)
    found = list(found_in_any_language(head))
    if languages.reads_as_english(head):
        parsed = languages.parsed_english(head)
        if parsed is not None:
            found += found_in_english(head, parsed, current=current)
    clean = (one for one in (_trimmed(head, *one) for one in found) if one)
    order = {kind: place for place, kind in enumerate(KINDS)}
    return sorted(_without_doubles(clean), key=lambda one: (one[1], one[2], order[one[0]]))


def _head(text: str) -> str:
    """The part that is looked at; it ends between two words."""
    if len(text) <= ANALYSED:
        return text
    blank = max(text.rfind(" ", 0, ANALYSED), text.rfind("\n", 0, ANALYSED))
    return text[: blank if blank > 0 else ANALYSED]


def _trimmed(text: str, kind: str, start: int, end: int) -> Found | None:
    """The place without blanks and marks of punctuation at its ends; None if nothing is left or it
    runs over the end of a line.
    """
    start, end = max(0, start), min(len(text), end)
    while start < end and (text[start].isspace() or text[start] in ",.;:?!\"“”'’(["):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ",.;:?!\"“”'’)]"):
        end -= 1
    words = text[start:end]
    if not words or len(words) > LONGEST or re.search(r"[\r\n\x00\u2028\u2029]", words):
        return None
    return kind, start, end


# Of two kinds over the same words, a date is no amount, and neither is a name.
_STRONGER = {"quantity": ("time",), "referent": ("time", "quantity", "evidence")}


def _without_doubles(found: Iterator[Found]) -> list[Found]:
    """Of what overlaps, the longest of each kind, and the kind that is the plainer."""
    kept: list[Found] = []
    for one in sorted(set(found), key=lambda one: (one[1] - one[2], one[1], one[0])):
        if not any(_meet(one, other) and other[0] == one[0] for other in kept):
            kept.append(one)
    return [
        one
        for one in kept
        if not any(_meet(one, other) and other[0] in _STRONGER.get(one[0], ()) for other in kept)
    ]


def _meet(one: Found, other: Found) -> bool:
    return one[1] < other[2] and other[1] < one[2]
