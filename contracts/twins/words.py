"""Whole words in a text: where they stand, and how what takes their place is written. Pure."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from contracts.comparing import folded
from contracts.terms import Span

Carry = Callable[[str], str | None]  # another wording of a demand as the twin's; None: left out
_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f")


def between_letters(text: str, at: int) -> bool:
    """Whether a text may be cut here: not before a combining mark, a joiner or a skin tone."""
    if not 0 < at < len(text):
        return True
    after, before = text[at], text[at - 1]
    attached = unicodedata.category(after)[0] == "M" or after in _JOINERS
    return not (attached or before == "\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff")


def stands_free(text: str, start: int, end: int) -> bool:
    """Whether the words from `start` to `end` are whole words: no letter, digit, hyphen or
    combining mark is attached.
    """
    if not (between_letters(text, start) and between_letters(text, end)):
        return False
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return not (
        text[start].isalnum() and _attached(before) or text[end - 1].isalnum() and _attached(after)
    )


def _attached(character: str) -> bool:
    return character.isalnum() or character in ("_", "-", "\u2010", "\u2011")


def places(words: str, text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return where whole words stand in a text between two places, whatever their case and the
    blanks between them.
    """
    if not words.strip():
        return []
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    found = (match.span() for match in re.finditer(pattern, text[:end], re.IGNORECASE))
    return [at for at in found if at[0] >= start and stands_free(text, *at)]


def only_place(words: str, text: str, span: Span) -> tuple[int, int] | None:
    """Where whole words stand in a span, if they stand there once."""
    found = places(words, text, span.start, span.end)
    return found[0] if len(found) == 1 else None


def holds(value: Any, words: str) -> bool:
    """Whether a value has the words in any of its fields."""
    if isinstance(value, Mapping):
        return any(holds(one, words) for one in value.values())
    if isinstance(value, list | tuple):
        return any(holds(one, words) for one in value)
    return isinstance(value, str) and bool(places(folded(words) or "", folded(value) or ""))


def latin(text: str) -> bool:
    """Whether most letters are Latin: other scripts join and decline words as no rule here does."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(letter < "\u0250" for letter in letters) >= 0.8 * len(letters)


def cased(words: str, like: str) -> str:
    """Return words in the case of others: all capitals, a capital first, each word one, none."""
    letters = [letter for letter in like if letter.isalpha()]
    if len(letters) > 1 and all(letter.isupper() for letter in letters):
        return words.upper()
    parts = like.split()
    if len(parts) > 1 and all(part[0].isupper() for part in parts):
        return " ".join(word[0].upper() + word[1:] for word in words.split())
    if letters and letters[0].isupper():
        return words[0].upper() + words[1:]
    return words


def dropped(wording: str) -> str | None:
    """Carry nothing over: the twin's other wordings are for a person to give."""
    return None


def replaced(words: str, by: str) -> Carry:
    """Carry over a wording that has the words once, with others in their place."""

    def carry(wording: str) -> str | None:
        found = places(words, wording)
        if len(found) != 1:
            return None
        start, end = found[0]
        return wording[:start] + cased(by, wording[start:end]) + wording[end:]

    return carry


# ---------------------------------------------------------------- a and an

ARTICLE_BEFORE = re.compile(r"(?i)(?<![\w'’.-])(an?)\s+$")
_LIKE_YOU = re.compile(r"(?i)(?:uni(?!n|m)|us[aeiu]|ut[ie]|eu|ub|once|one(?!\w)|uk\b|ur[aiou])")
_SILENT_H = re.compile(r"(?i)(?:hour|honest|honou?r|heir)")


def article(words: str) -> str:
    """Return "a" or "an" as it stands before the words in English."""
    first = re.match(r"\w+", words)
    word = first.group() if first else words
    if re.match(r"8|11(?!\d)|18(?!\d)", word):
        return "an"
    if len(word) < 5 and word.isupper() and word.isalpha():
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    if _SILENT_H.match(word):
        return "an"
    return "an" if word[:1].lower() in tuple("aeiou") and not _LIKE_YOU.match(word) else "a"
