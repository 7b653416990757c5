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
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_CLAUSE_END = re.compile(r"[.;:!?,()\n–—]")
_NEGATORS = frozenset("not never neither nor cannot".split())
_NEGATOR_PAIRS = frozenset((("rather", "than"), ("instead", "of"), ("no", "longer")))
_BETWEEN = frozenset("a an the in by at from to on for with of".split())
_MOST_BETWEEN = 3
_SMALL = _BETWEEN | frozenset(
    "and de la le du des di da del della van von der den el al y e und plc ltd inc llc gmbh ag sa"
    " co".split()
)
_LONGEST_NAME = 8
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
    return tuple(token for token, _start in placed_tokens(text))


def placed_tokens(text: str) -> tuple[tuple[str, int], ...]:
    """Return the tokens of `inacc_tokens`, each with where it begins in `text`."""
    found: list[tuple[str, int]] = []
    begin = None
    for position, character in enumerate(text + " "):
        inside = unicodedata.category(character)[0] in "LNM"
        if inside and begin is None:
            begin = position
        elif not inside and begin is not None:
            found.append((unicodedata.normalize("NFD", text[begin:position]).lower(), begin))
            begin = None
    return tuple((token, at) for token, at in found if token not in _ARTICLES)


def denied(before: str) -> bool:
    """Return whether the words right before a value deny it: "it is not in", "rather than".

    Only articles, short prepositions and titles with a capital may stand between; a verb after the
    negation ("was not built by") may be what the request asks for, so it denies nothing.
    """
    words = _WORD.findall(_CLAUSE_END.split(before)[-1])
    for taken in range(len(words), max(len(words) - _MOST_BETWEEN - 1, 0), -1):
        word = words[taken - 1].lower()
        pair = (words[taken - 2].lower(), word) if taken > 1 else ("", word)
        if word in _NEGATORS or word.endswith(("n't", "n’t")) or pair in _NEGATOR_PAIRS:
            return True
        if word not in _BETWEEN and not words[taken - 1][0].isupper():
            return False
    return False


def is_name(text: str) -> bool:
    """Return whether `text` is written as a name: at most eight words, all but small ones ("of",
    "van", "plc") with a capital or a digit, and one with a capital."""
    words = _WORD.findall(text)
    large = [word for word in words if word.lower() not in _SMALL]
    written = all(any(c.isupper() or c.isdigit() for c in word) for word in large)
    capital = any(c.isupper() for word in large for c in word)
    return capital and written and len(words) <= _LONGEST_NAME


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
