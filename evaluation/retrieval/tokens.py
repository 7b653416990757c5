"""The words of a text, cut in one way for every lexical part: index, query, reader, keywords."""

import re
import unicodedata
from typing import Literal

StopWords = Literal["none", "english"]

# A number keeps its decimals; letters of scripts that write no blanks count one by one; everything
# else is a run of letters, digits and combining marks.
_WORD = re.compile(
    r"\d+(?:[.,]\d+)+"
    r"|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    r"|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    r"(?:[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[\u0300-\u036f])*"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b", re.IGNORECASE)

ENGLISH = frozenset(
    "a about above after again against all also am an and any are as at be because been before "
    "being below between both but by can could did do does doing down during each few for from "
    "further had has have having he her here hers him his how i if in into is it its itself just "
    "me more most my no nor not of off on once only or other our out over own same she should so "
    "some such than that the their them then there these they this those through to too under "
    "until up us very was we were what when where which while who whom whose why will with would "
    "you your".split()
)


def tokenize(text: str, stop_words: StopWords = "none") -> list[str]:
    """Return the lower-case words of `text` in order, repeated ones included.

    The text is normalised (NFKC) first; a possessive "'s" and thousands commas go ("1,200" is
    "1200"), decimals stay ("1.2"). `stop_words="english"` leaves out the words of ENGLISH.
    """
    plain = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text)).lower()
    words = [_number(word) for word in _WORD.findall(plain)]
    if stop_words == "english":
        return [word for word in words if word not in ENGLISH]
    return words


def _number(word: str) -> str:
    return word.replace(",", "") if _THOUSANDS.fullmatch(word) else word
