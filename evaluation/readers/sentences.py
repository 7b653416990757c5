"""Where the sentences of a passage end."""

import re

# A full stop after one of these ends no sentence that we can be sure of.
_ABBREVIATIONS = frozenset(
    "e.g i.e etc vs cf al approx ca vol fig eq sec ch pp p ed eds dept est inc ltd plc co "
    "corp llc bros mr mrs ms dr prof sr jr st mt hon rev gen col sgt capt lt gov sen rep u.s u.k "
    "u.n e.u a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri".split()
)
# These end one as well ("He said no."), so only a number after them keeps it open.
_BEFORE_NUMBERS = frozenset({"no", "nos"})
_PARAGRAPH = re.compile(r"\n\s*\n")
_END = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019)\]]*\s+|[\u3002\uff01\uff1f]")
_LAST_WORD = re.compile(r"(\w+(?:\.\w+)*)\.[\"'\u201d\u2019)\]]*$")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of `text` in order, stripped, none empty.

    Decimals, abbreviations ("e.g.", "plc.") and initials ("J. Smith") end no sentence; a blank
    line always does. Nothing but white space is lost.
    """
    return [
        " ".join(sentence.split())
        for paragraph in _PARAGRAPH.split(text)
        for sentence in _split(paragraph)
        if sentence.strip()
    ]


def _split(paragraph: str) -> list[str]:
    sentences, start = [], 0
    for match in _END.finditer(paragraph):
        if _ends(paragraph[start : match.end()].rstrip(), paragraph[match.end() :]):
            sentences.append(paragraph[start : match.end()])
            start = match.end()
    return [*sentences, paragraph[start:]]


def _ends(sentence: str, following: str) -> bool:
    if following[:1].islower():
        return False
    last = _LAST_WORD.search(sentence)
    if last is None:
        return True
    word = last[1]
    is_initial = len(word) == 1 and word.isupper()
    if is_initial or word.lower() in _ABBREVIATIONS:
        return False
    return not (word.lower() in _BEFORE_NUMBERS and following[:1].isdigit())
