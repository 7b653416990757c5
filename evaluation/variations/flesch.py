"""Flesch reading ease: how easy a text is to read; a lower value is harder.

Source: Flesch 1948, "A new readability yardstick"; syllables are counted as the parent code of
Jang et al. 2026 (arXiv 2604.10745) does.
"""

import re
from dataclasses import dataclass

VERSION = "1"

_WORD = re.compile(r"[^\W_]+(?:['\u2019\-.,][^\W_]+)*")
_END = re.compile(r"(?:[!?]|(?<!\b[A-Z])\.)+(?=[\s\"'\u201d\u2019)\]]|$)")
_VOWELS = re.compile(r"[aeiouy]+")


@dataclass(frozen=True, slots=True)
class Counts:
    """What the formula takes of a text."""

    words: int
    sentences: int
    syllables: int


def reading_ease(words: int, sentences: int, syllables: int) -> float:
    """Return 206.835 - 1.015 (words / sentences) - 84.6 (syllables / words).

    Raises ValueError without a word or a sentence.
    """
    if words < 1 or sentences < 1:
        raise ValueError("Reading ease needs at least one word and one sentence.")
    return 206.835 - 1.015 * (words / sentences) - 84.6 * (syllables / words)


def syllables(word: str) -> int:
    """Return the syllables of a word: one for each run of vowels (a, e, i, o, u, y), less one for a
    final e, and at least one.
    """
    lower = word.lower()
    return max(1, len(_VOWELS.findall(lower)) - lower.endswith("e"))


def counts(text: str) -> Counts:
    """Return the counts of a text. A number is a word of one syllable; a sentence ends with ".",
    "!" or "?" before a blank or the end, but not the full stop of an initial, and a
    text without one is one sentence.
    """
    words = _WORD.findall(text)
    ends = list(_END.finditer(text))
    rest = text[ends[-1].end() :] if ends else text
    sentences = len(ends) + bool(_WORD.search(rest))
    return Counts(len(words), max(1, sentences), sum(syllables(word) for word in words))


def flesch(text: str) -> float | None:
    """Return the reading ease of a text; None when it has no word."""
    counted = counts(text)
    if not counted.words:
        return None
    return reading_ease(counted.words, counted.sentences, counted.syllables)
