"""Slips of the pen in the small words that carry bounds, negations and exclusions.

"tahn", "witout" and "excpetion" are no words; read letter by letter they would hide the bound or
the negation of what follows. A slip that makes another word ("form" for "from") is never mended.
"""

from collections.abc import Iterator

# Short words of which only two swapped letters are mended.
_SHORT = ("than", "least", "most", "more", "over", "under", "above", "after", "since", "until",
          "less", "only", "with", "never", "below", "fewer")  # fmt: skip
# Longer ones, of which a lost or doubled letter is mended too.
_LONG = ("except", "excluding", "excluded", "exception", "without", "neither", "exceeding",
         "minimum", "maximum", "approximately", "between", "before", "during", "higher", "longer",
         "shorter", "smaller", "cheaper", "according")  # fmt: skip
_KNOWN = {"untill": "until", "befor": "before",
          "exept": "except", "nto": "not", "mor": "more", "thn": "than"}  # fmt: skip
# What such a slip makes that is a word of its own.
_WORDS = ("alter", "later", "mots", "lees", "hither", "sorter", "loner", "nuder", "nether", "voer",
          "moer", "elast")  # fmt: skip


def _swapped(word: str) -> Iterator[str]:
    for at in range(len(word) - 1):
        if word[at] != word[at + 1]:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _shortened(word: str) -> Iterator[str]:
    """A letter lost or doubled; never the first or the last, which endings change."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]


def _all() -> dict[str, str]:
    found = {slip: word for word in (*_SHORT, *_LONG) for slip in _swapped(word)}
    found |= {slip: word for word in _LONG for slip in _shortened(word)}
    right = {*_SHORT, *_LONG, *_WORDS}
    return {slip: word for slip, word in found.items() if slip not in right} | _KNOWN


# The folded slip : the word meant.
SLIPS = _all()
