"""Marked words: a turn's text cut into the pieces that a page shows, each with the marks over it.
Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.terms import Span


@dataclass(frozen=True, slots=True)
class Mark:
    """A numbered mark of one kind over words of a request."""

    number: int
    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a turn: its text as stored, the marks over it, and the numbers whose words end
    with it.
    """

    text: str
    kind: str = ""  # of the shortest mark over it; empty outside marks
    numbers: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()


def segments(text: str, turn: int, marks: Sequence[Mark]) -> list[Segment]:
    """Cut one turn's text at every border of its marks; the texts of the segments joined give the
    text again.

    Offsets are code points. Marks may overlap; words outside the text are cut off rather than
    refused, so that
    a page can always be shown. An empty text gives no segments.
    """
    placed = [
        (mark, max(0, mark.span.start), min(len(text), mark.span.end))
        for mark in marks
        if mark.span.turn == turn
    ]
    placed = [(mark, start, end) for mark, start, end in placed if start < end]
    borders = sorted({0, len(text), *(s for _, s, _ in placed), *(e for _, _, e in placed)})
    found = []
    for start, end in zip(borders, borders[1:], strict=False):
        over = [(e - s, m) for m, s, e in placed if s <= start and end <= e]
        found.append(
            Segment(
                text=text[start:end],
                kind=min(over, key=lambda pair: (pair[0], pair[1].number))[1].kind if over else "",
                numbers=tuple(sorted(m.number for _, m in over)),
                ends=tuple(sorted(m.number for m, _, e in placed if e == end)),
            )
        )
    return found
