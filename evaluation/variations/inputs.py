"""Which texts get no typing errors, with the reason."""

import unicodedata

from contracts.language import language_of
from evaluation.variations.base import CannotVary
from evaluation.variations.english import WH_WORDS, words_of

_ASKING = WH_WORDS | frozenset("is are were did does".split())


def check_text(text: str) -> None:
    """Raise CannotVary when `text` is less than two words in Latin letters."""
    if not text.strip():
        raise CannotVary("The request is empty.")
    letters = [letter for letter in text if letter.isalpha()]
    if not letters:
        raise CannotVary("The request has no letters, so no word of it can be mistyped.")
    if 2 * sum(map(_is_latin, letters)) <= len(letters):
        raise CannotVary(
            "The request is not written in Latin letters, and the errors are those of English."
        )
    if _is_another_language(text):
        raise CannotVary("The request is not in English, and the errors are those of English.")
    if sum(any(map(str.isalnum, token)) for token in text.split()) < 2:
        raise CannotVary(
            "The request is one word. With an error in it, nothing tells what was meant."
        )


def _is_another_language(text: str) -> bool:
    """Whether most common words are another language's, and none is one that English asks with: a
    title in French does not make a question French, nor one "los" a list of keywords Spanish. Two
    words must be that language's alone, or the first of a question.
    """
    words = [word.casefold() for word in words_of(text)]
    found = language_of(text)
    if found in ("en", None) or _ASKING & {*words}:
        return False
    own = {word for word in words if language_of(word) == found}
    return len(own) > 1 or (words[0] in own and "?" in text)


def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("LATIN", "FULLWIDTH LATIN"))
