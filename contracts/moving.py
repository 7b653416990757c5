"""Spans that follow their words when somebody edits a text. Pure."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace

from contracts.terms import ContractTerms, Span

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def moved_terms(terms: ContractTerms, before: Sequence[str], after: Sequence[str]) -> ContractTerms:
    """Return the terms with each span where its words now stand; offsets are code points. A span
    none of whose words is left is dropped, and the constraint stays.
    """
    return replace(
        terms,
        constraints=tuple(
            replace(c, span=moved_span(c.span, before, after)) if c.span else c
            for c in terms.constraints
        ),
    )


def moved_span(span: Span, before: Sequence[str], after: Sequence[str]) -> Span | None:
    """Return the span over the words that stand in `after` for those that it had in `before`; None
    when they are gone or the span was outside the text.

    >>> moved_span(Span(0, 8, 19), ["revenue before 2021?"], ["the revenue after 2021?"])
    Span(turn=0, start=12, end=22)
    """
    if not (0 <= span.turn < len(before) and span.turn < len(after)):
        return None
    old, new = before[span.turn], after[span.turn]
    if not 0 <= span.start < span.end <= len(old):
        return None
    if old == new:
        return span
    start, end = _moved(span, old, new)
    while start < end and new[start].isspace():
        start += 1
    while start < end and new[end - 1].isspace():
        end -= 1
    return Span(span.turn, start, end) if start < end else None


def _moved(span: Span, old: str, new: str) -> tuple[int, int]:
    """The offsets in `new`: what replaced a part of the words belongs to them."""
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    at_left, at_right = _offsets(left), _offsets(right)
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    start, end = len(new), 0
    for tag, i, j, k, m in matcher.get_opcodes():
        low, high = at_left[i], at_left[j]
        if not (low < span.end and span.start < high):
            continue  # an insertion has no width: between two words of the span it lies inside
        if tag == "equal":
            shift = at_right[k] - low
            first, last = max(low, span.start) + shift, min(high, span.end) + shift
        else:
            first, last = at_right[k], at_right[m]
        start, end = min(start, first), max(end, last)
    return start, end


def _offsets(tokens: Sequence[str]) -> list[int]:
    found = [0]
    for token in tokens:
        found.append(found[-1] + len(token))
    return found
