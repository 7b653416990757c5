"""Comparisons that a text says plainly, with what is compared and in which direction. Pure."""

import re
from collections.abc import Iterator
from typing import Any

from contracts.language import Parsed, Token
from evaluation.scoring.preservation import lexicon

Found = tuple[int, int, dict[str, Any]]  # start, end, value

_SIDES = r"(?:in|at|for|on|under)"
_SET = r"[\w'’.-]+(?:\s[\w'’.-]+){0,2}?"
_WITHIN = re.compile(
    rf"(?i)\b(?P<word>higher|lower|greater|larger|smaller|longer|shorter|more|fewer|less)\s"
    rf"(?P<measure>[\w'’-]+(?:\s[\w'’-]+){{0,3}}?)\s{_SIDES}\s(?P<a>{_SET})\sthan\s"
    rf"{_SIDES}\s(?P<b>{_SET})(?=[\s,.;?!]|$)"
)
_THAN = re.compile(r"(?i)\b(?P<word>earlier|later)\sthan\s(?:that of\s|those of\s)?")
_ARTICLE = re.compile(r"(?i)^(?:which|what|whose|the|a|an|all|these|those|this|that)\s+")


def find_directions(text: str, parsed: Parsed) -> Iterator[Found]:
    """Yield "increased", with what increased; "higher … in A than in B"; "earlier than X", with
    what was earlier.
    """
    yield from _changes(text, parsed)
    orders = lexicon.table("orders")
    for match in _WITHIN.finditer(text):
        value = {
            "sets": [match["a"], match["b"]],
            "direction": orders[match["word"].lower()],
            "measure": match["measure"],
        }
        yield *match.span(), value
    for match in _THAN.finditer(text):
        other = _noun_at(text, parsed, match.end())
        word = next((t for t in parsed.tokens if t.start == match.start()), None)
        subject = _subject(text, parsed, word) if word else ""
        if other and subject:
            direction = orders[match["word"].lower()]
            sets = [subject, text[match.end() : other]]
            yield match.start(), other, {"sets": sets, "direction": direction}


def _changes(text: str, parsed: Parsed) -> Iterator[Found]:
    known = lexicon.table("opposites")
    for token in parsed.tokens:
        meaning = known.get(token.text.lower())
        if meaning and token.tag.startswith("VB"):
            subject = _subject(text, parsed, token)
            if subject and "than" not in text[token.end : token.last].split():
                yield token.start, token.end, {"sets": [subject], "direction": meaning}


def _subject(text: str, parsed: Parsed, token: Token) -> str:
    """The noun phrase that a verb, or the verb above a word, says something of."""
    place = parsed.tokens.index(token)
    for _ in range(4):
        for at, one in enumerate(parsed.tokens):
            if one.head == place and at != place and one.dep in ("nsubj", "nsubjpass"):
                return _phrase(text, parsed, one)
        if parsed.tokens[place].head == place:
            break
        place = parsed.tokens[place].head
    return ""


def _phrase(text: str, parsed: Parsed, head: Token) -> str:
    """The noun chunk of a head without its article; empty for a pronoun."""
    if not head.tag.startswith("NN"):
        return ""
    chunk = next((n for n in parsed.nouns if n[0] <= head.start < n[1]), (head.start, head.end))
    return _ARTICLE.sub("", text[chunk[0] : chunk[1]])


def _noun_at(text: str, parsed: Parsed, place: int) -> int:
    """Where the noun phrase ends that begins at a place; 0 for none."""
    ends = [end for start, end in parsed.nouns if place <= start <= place + 4]
    return ends[0] if ends else 0
