"""How answers are turned into strings and tokens before they are compared."""

import re
import string
import unicodedata

_ARTICLES = frozenset(("a", "an", "the"))
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st vs inc ltd co corp no nos fig approx ca e.g i.e jan feb mar apr jun jul"
    " aug sep sept oct nov dec".split()
)
_SENTENCE_END = re.compile(r"[.!?]+[\"'”’)\]]*\s+|\n+")


def squad_normalise(text: str) -> str:
    """Return the SQuAD form: lower case, ASCII punctuation deleted, then a/an/the, then spaces
    folded."""
    bare = text.lower().translate(_DELETE_PUNCTUATION)
    return " ".join(_ARTICLE.sub(" ", bare).split())


def inacc_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of the in-accuracy rule, without a/an/the.

    NFD, lower case, then maximal runs of letters, digits and marks: every other character, so every
    ASCII punctuation mark, parts two tokens.
    """
    tokens: list[str] = []
    run: list[str] = []
    for character in unicodedata.normalize("NFD", text).lower() + " ":
        if unicodedata.category(character)[0] in "LNM":
            run.append(character)
        elif run:
            tokens.append("".join(run))
            run = []
    return tuple(token for token in tokens if token not in _ARTICLES)


def find_sublist(needle: tuple[str, ...], hay: tuple[str, ...], start: int = 0) -> int | None:
    """Return where `needle` first stands as a contiguous part of `hay` from `start` on, else
    None."""
    for position in range(start, len(hay) - len(needle) + 1):
        if hay[position : position + len(needle)] == needle:
            return position
    return None


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text`; lines end one, common abbreviations and initials do not."""
    found: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        words = text[start : match.start()].split()
        last = words[-1].lower().lstrip("(\"'“") if words else ""
        abbreviated = last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha())
        if "\n" not in match.group() and match.group().startswith(".") and abbreviated:
            continue
        found.append(text[start : match.end()].strip())
        start = match.end()
    found.append(text[start:].strip())
    return tuple(sentence for sentence in found if sentence)
