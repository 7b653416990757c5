"""The words of a rewrite that decided each constraint, marked in its difference to the request.
Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from contracts.marking import Mark, segments
from contracts.terms import Span
from contracts.word_diff import DELETED, SAME, Piece


@dataclass(frozen=True, slots=True)
class Quote:
    """The words that decided constraint `number` of the contract; `outcome` is what it became."""

    number: int
    kind: str
    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Part:
    """Words under one set of marks: the `kind` of the shortest, the numbers that end here, and
    "altered" where they are said in place of what was asked; all empty outside marks.
    """

    text: str
    kind: str = ""
    ends: tuple[int, ...] = ()
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """One piece of a difference (`state` as in `contracts.word_diff`) with the marks in it."""

    state: str
    parts: tuple[Part, ...]


def marked_pieces(pieces: Sequence[Piece], quotes: Sequence[Quote]) -> tuple[MarkedPiece, ...]:
    """Return the pieces with the first place of every quote marked. What the rewrite does not have
    is never marked; a quote that does not stand in it marks nothing.
    """
    kept = " ".join(piece.text for piece in pieces if piece.state != DELETED)
    marks = [
        Mark(quote.number, quote.kind, Span(0, *place))
        for quote in quotes
        if (place := _place(kept, quote.text))
    ]
    altered = {quote.number for quote in quotes if quote.outcome == "altered"}
    cut = _cut(kept, marks, altered)
    found, at = [], 0
    for piece in pieces:
        if piece.state == DELETED:
            found.append(MarkedPiece(piece.state, (Part(piece.text),)))
            continue
        end = at + len(piece.text)
        found.append(MarkedPiece(piece.state, _within(cut, at, end)))
        at = end + 1  # the blank between two pieces
    return tuple(found)


def marked_text(text: str, quotes: Sequence[Quote]) -> tuple[MarkedPiece, ...]:
    """The same for a text that is compared with nothing, such as a filter."""
    return marked_pieces((Piece(SAME, text),), quotes)


def _place(text: str, quote: str) -> tuple[int, int] | None:
    """Where the quote stands first as whole words, else wherever it stands."""
    words = r"\s+".join(re.escape(word) for word in quote.split())
    if not words:
        return None
    found = re.search(rf"(?<!\w){words}(?!\w)", text) or re.search(words, text)
    return found.span() if found else None


def _cut(text: str, marks: Sequence[Mark], altered: set[int]) -> list[tuple[int, int, Part]]:
    found, at = [], 0
    for one in segments(text, 0, marks):
        outcome = "altered" if altered & set(one.numbers) else ""
        end = at + len(one.text)
        found.append((at, end, Part(one.text, one.kind, one.ends, outcome)))
        at = end
    return found


def _within(cut: Sequence[tuple[int, int, Part]], start: int, end: int) -> tuple[Part, ...]:
    """The parts between two places; a mark that goes on behind them does not end here."""
    found = []
    for first, last, part in cut:
        a, b = max(first, start), min(last, end)
        if a < b:
            text = part.text[a - first : b - first]
            found.append(Part(text, part.kind, part.ends if b == last else (), part.outcome))
    return tuple(found)
