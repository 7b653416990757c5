"""Words that stand against each other, as tables of pairs, and where they stand in a text. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from contracts.terms import Span
from contracts.twins.words import cased, stands_free

# Of what is counted there are fewer, of what is measured less: "fewer sites", "less than 5 metres".
_COUNTED = frozenset("fewer fewest".split())
_MEASURED = frozenset("less least".split())
_MEASURES = (
    r"(?:kilo|centi|milli|mega)?(?:metres|meters|litres|liters|watts|grams|tonnes)|"
    r"miles|pounds|euros|dollars|tons|percent|points|degrees|seconds|minutes|hours|days|weeks|"
    r"months|quarters|years"
)
_PLURAL = re.compile(
    rf"(?:\s+\d[\d.,]*)?(?:\s+(?!(?:{_MEASURES})(?!\w)|of\b|a\b|than\b)[^\W\d_]+){{0,2}}?"
    rf"\s+(?!(?:{_MEASURES})(?!\w))[^\W\d_]{{2,}}(?<![suiSUI])s(?!\w)"
)


@dataclass(frozen=True)
class Opposites:
    """Pairs of words: the first of each is of side 0, the second of side 1."""

    pairs: tuple[tuple[str, str], ...]

    @cached_property
    def _words(self) -> re.Pattern[str]:
        words = sorted({word for pair in self.pairs for word in pair}, key=len, reverse=True)
        spaced = (r"\s+".join(re.escape(part) for part in word.split()) for word in words)
        return re.compile("|".join(spaced), re.IGNORECASE)

    def hits(self, text: str, start: int = 0, end: int | None = None) -> list["Hit"]:
        """The whole words of the table between two places; of several at a place the longest."""
        end = len(text) if end is None else end
        found = [m.span() for m in self._words.finditer(text, start, end)]
        return [Hit(self, text, *at) for at in found if stands_free(text, *at)]

    def only_hit(self, text: str, start: int = 0, end: int | None = None) -> "Hit | None":
        """The one word of the table; None for none, and for several, which leave it open."""
        found = self.hits(text, start, end)
        return found[0] if len(found) == 1 else None

    def carry(self, wording: str) -> str | None:
        """Carry over a wording that has one word of the table, with the first that is against it:
        "A later than B", said of "B earlier than A", turns round too.
        """
        hit = self.only_hit(wording)
        if hit is None or not hit.others:
            return None
        return wording[: hit.start] + hit.others[0] + wording[hit.end :]


@dataclass(frozen=True)
class Hit:
    """A word of a table in a text."""

    table: Opposites
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The word as the table has it."""
        return " ".join(self.text[self.start : self.end].lower().split())

    @property
    def sides(self) -> frozenset[int]:
        """The sides on which the table has it."""
        return frozenset(i for pair in self.table.pairs for i in (0, 1) if pair[i] == self.word)

    @property
    def others(self) -> tuple[str, ...]:
        """What stands against it, in its own case, as it fits the next word."""
        found = [pair[1 - i] for pair in self.table.pairs for i in (0, 1) if pair[i] == self.word]
        words, following = self.text[self.start : self.end], self.text[self.end :]
        return tuple(
            dict.fromkeys(cased(one, words) for one in found if fits_before(one, following))
        )


def fits_before(word: str, following: str) -> bool:
    """Whether "less" or "fewer" fits what follows; every other word does."""
    parts, counted = set(word.split()), bool(_PLURAL.match(following))
    if parts & _COUNTED:
        return counted
    return not (parts & _MEASURED and counted)


# ---------------------------------------------------------------- words with the value they say

# Words, the value that they say, the words against them, the value that these say.
Row = tuple[str, str, str, str]


def turned(
    rows: tuple[Row, ...], value: str, text: str, span: Span
) -> Iterator[tuple[int, int, str, str]]:
    """Where a span has, once, words that say a value: their place, what may stand there instead, in
    the same case, and the value that this says. Each row is read in both directions.
    """
    both = [row for one in rows for row in (one, one[2:] + one[:2]) if row[1] == value]
    saying = {row[0].lower() for row in both}
    hits = [hit for hit in _table(rows).hits(text, span.start, span.end) if hit.word in saying]
    if len(hits) != 1:
        return
    hit = hits[0]
    for words, _said, other, told in both:
        if words.lower() == hit.word:
            yield hit.start, hit.end, cased(other, text[hit.start : hit.end]), told


@cache
def _table(rows: tuple[Row, ...]) -> Opposites:
    return Opposites(tuple((words, other) for words, _, other, _ in rows))
