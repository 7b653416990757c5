"""What a reader types into a search box, as patterns that databases can look for. Pure.

Neither SQLite nor every PostgreSQL knows that É and é are one letter, and JSON may be stored with
its letters escaped. So a pattern names every form of every letter itself.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache

# What is longer or more is not looked for: databases bound their patterns (SQLite at 50,000 bytes).
LONGEST_WORD = 200
MOST_WORDS = 20
_CASED = 0x1E944  # no letter after this one has cases
_REST_OF_STRING = r'(?:[^"\\]|\\.)*"(?!:)'


def words_of(query: str) -> tuple[str, ...]:
    """The words of a query that are looked for; what stands in double quotes is one."""
    return tuple(word[:LONGEST_WORD].rstrip() for word in _all_words(query)[:MOST_WORDS])


def is_cut(query: str) -> bool:
    """Whether not all of the query is looked for."""
    words = _all_words(query)
    return len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words)


def _all_words(query: str) -> tuple[str, ...]:
    found = re.findall(r'"([^"]+)"|(\S+)', unicodedata.normalize("NFC", query))
    words = (" ".join((quoted or word.strip('"')).split()) for quoted, word in found)
    return tuple(word for word in words if word)


@lru_cache(1000)
def text_pattern(word: str) -> str:
    """A regular expression for Python and PostgreSQL that finds the word in a text, whatever the
    case and the composition of its letters, also where JSON escapes them.
    """
    folded, found, at = unicodedata.normalize("NFC", word).casefold(), [], 0
    while at < len(folded):
        pair = folded[at : at + 2]
        unit = pair if pair in _forms() else folded[at]
        found.append(_one_of(unit))
        at += len(unit)
    return "".join(found)


@lru_cache(1000)
def value_pattern(word: str) -> str:
    """The same for a JSON object as text: in what it holds, not in the names of its fields."""
    pattern = text_pattern(word) + _REST_OF_STRING
    figure = word.replace(",", "")
    if re.fullmatch(r"\d+(?:\.\d+)?", figure, re.ASCII):
        pattern += rf"|[:\[,] ?-?[0-9.]*{re.escape(figure)}[0-9.]*[],}}]"
    return pattern


@cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    """Folded letters (“é”, “ss”) → the letters that are folded to them; ligatures and the like are
    left out.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for letter in map(chr, range(_CASED)):
        folded = letter.casefold()
        if folded != letter and unicodedata.normalize("NFKC", letter) == letter:
            found[folded].append(letter)
    return {folded: tuple(letters) for folded, letters in found.items()}


def _one_of(unit: str) -> str:
    """One folded unit in all its forms."""
    if unit.isspace():
        return r"\s+"
    if len(unit) > 1:  # “ss” is ß as well
        return f"(?:{''.join(map(_one_of, unit))}|{'|'.join(map(_escaped, _forms()[unit]))})"
    letters = [unit, *_forms().get(unit, ())]
    forms = dict.fromkeys(
        unicodedata.normalize(n, each) for each in letters for n in ("NFC", "NFD")
    )
    if all(form.isascii() and form.isalnum() for form in forms):
        return f"[{''.join(forms)}]" if len(forms) > 1 else unit
    found = "|".join(map(_escaped, forms))
    return f"(?:{found})" if "|" in found else found


def _escaped(form: str) -> str:
    """The form as it stands, or as JSON writes it."""
    in_json = json.dumps(form)[1:-1]
    return re.escape(form) + (f"|{re.escape(in_json)}" if in_json != form else "")


@lru_cache(1000)
def plain_part(word: str) -> str:
    """The longest run of letters and figures in the word that have no forms but a and A, so that
    whatever has the word has these; empty where there is none.
    """
    folded = unicodedata.normalize("NFC", word).casefold()
    runs: list[str] = [""]
    for at, letter in enumerate(folded):
        pairs = (folded[start : start + 2] for start in (at - 1, at) if start >= 0)
        paired = any(len(pair) > 1 and pair in _forms() for pair in pairs)
        if paired or not (letter.isascii() and letter.isalnum()):
            runs.append("")
        else:
            runs[-1] += letter
    return max(runs, key=len)


def is_plain(word: str) -> bool:
    """Whether all of the word is such a run, so that no letter of it has other forms."""
    return plain_part(word) == word.casefold()
