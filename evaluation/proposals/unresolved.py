"""Words of a request that nothing in it settles: "it", "there", "that one" without a conversation.
Pure; English only.
"""

import re
from functools import lru_cache

from contracts.language import Parsed, Token
from contracts.suggestions import ANALYSED
from evaluation.proposals.candidates import parsed_english
from evaluation.records import RequestText

REMEMBERED = 1_000  # requests of which what was found is kept
_REFERRING = frozenset("it its they them their theirs he him his she her hers".split())
_POINTING = re.compile(r"(?i)(?:(?:that|this) one|(?:those|these) ones|the (?:former|latter))\b")
# "It" that stands for nothing: "is it true that", "how long does it take to".
_NOTHING_MEANT = re.compile(
    r"(?i)\bit(?:['’]s|\s+(?:is|was|will be|would be|has been))?\s+(?:\w+ly\s+)?(?:takes?|took|"
    r"possible|likely|unlikely|reasonable|true|fair|necessary|clear|safe|legal|illegal|"
    r"important|normal|allowed|worth|better|best|raining|rain|snow|snowing|mean|means|costs?|"
    r"make sense|matters?|comes?|going)\b"
)
_THE_HOUR = re.compile(r"(?i)\b(?:time|day|date) (?:is|was) it\b")
# "When it opened, what did the works cost?": what is named after the comma is meant.
_AHEAD = re.compile(r"(?i)^(?:when|if|before|after|while|although|since|as|once|until)\b[^,?]*,")


def unresolved_words(request: RequestText) -> str:
    """Return the words of a request without earlier turns that point to something which nothing
    names: "it" in "What did it earn?", "there", "that one"; empty where there are none.

    A word that may point to something before it in the same text is settled by that.
    """
    return "" if request.turns else _unresolved(request.text[:ANALYSED])


@lru_cache(maxsize=REMEMBERED)  # as long as the proposals of the request
def _unresolved(text: str) -> str:
    parsed = parsed_english(text)
    if parsed is None:
        return ""
    for token in parsed.tokens:
        words = _pointing(token, text)
        if words and not _something_before(token, parsed) and not _named_ahead(token, text, parsed):
            return words
    return ""


def _pointing(token: Token, text: str) -> str:
    said = token.text.lower()
    if said in _REFERRING and token.tag in ("PRP", "PRP$"):
        hour = any(one.end() == token.end for one in _THE_HOUR.finditer(text))
        return "" if hour or _NOTHING_MEANT.match(text, token.start) else token.text
    if said == "there":
        return token.text if token.dep == "advmod" else ""
    match = _POINTING.match(text, token.start)
    return match.group() if match else ""


def _something_before(token: Token, parsed: Parsed) -> bool:
    """Whether something stands before a word that it may point to: any noun, or the one who is
    asked for, but not what is asked for ("which year did it …"). "There" needs a name, or a place.
    """
    before = [one for one in parsed.tokens if one.end <= token.start]
    if token.text.lower() == "there":
        return any(one.tag.startswith("NNP") or one.dep == "pobj" for one in before)
    return any(
        one.tag.startswith("NN")
        and not _asked_for(one, parsed)
        or one.tag in ("WP", "WDT")
        and one.dep in ("nsubj", "nsubjpass")
        for one in before
    )


def _asked_for(noun: Token, parsed: Parsed) -> bool:
    """Whether a noun is what a question asks for, unless it is who did it."""
    opening = next((one for one in parsed.tokens if one.start == noun.first), noun)
    return opening.tag in ("WDT", "WP", "WP$", "WRB") and noun.dep not in ("nsubj", "nsubjpass")


def _named_ahead(token: Token, text: str, parsed: Parsed) -> bool:
    clause = _AHEAD.match(text)
    if clause is None or token.start > clause.end():
        return False
    return any(t.tag.startswith("NN") and t.start >= clause.end() for t in parsed.tokens)
