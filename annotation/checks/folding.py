"""Texts made comparable: width, case, punctuation and spaces say nothing here."""

import re
import unicodedata

# Scripts that put no space between words: each letter is a word of its own.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:[.,]\d+)*")


def words(text: str) -> list[str]:
    """Words and numbers, folded: "1.2" and "2,140" stay whole, so that 5 is not found in 2015."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def spaced(text: str) -> str:
    """The words of a text with one space before and after each, to look for phrases in."""
    return f" {' '.join(words(text))} "


def says(spaced_text: str, phrase: str) -> bool:
    """Tell whether a phrase stands in a text (as `spaced` gives it) as whole words."""
    looked_for = spaced(phrase)
    return bool(looked_for.strip()) and looked_for in spaced_text


def folded(text: str) -> str:
    """The text without case, punctuation and doubled spaces; signs such as € and + stay. A text of
    punctuation alone stays as it is.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(" " if unicodedata.category(c).startswith("P") else c for c in plain)
    return " ".join(letters.split()) or " ".join(plain.split())


def without_accents(word: str) -> str:
    """The word without its accents, so that Zürich is Zurich."""
    apart = unicodedata.normalize("NFKD", word)
    return "".join(c for c in apart if not unicodedata.combining(c)).casefold()
