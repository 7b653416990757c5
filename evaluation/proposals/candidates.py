"""Where a request's words may be constraints: the desk's suggestions and, over these, what the
guard reads itself. Pure; places are code points of the current text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contracts import language as languages
from contracts.language import Parsed
from contracts.suggestions import ANALYSED, suggest
from contracts.terms import KINDS
from evaluation.proposals.directions import find_directions
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.quantities.numbers import find_quantities
from evaluation.scoring.preservation.text import read_text


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words that may be a constraint; `value` where whoever found them knows it."""

    kind: str
    start: int
    end: int
    value: Mapping[str, Any] | None = None


def find_candidates(texts: Sequence[str]) -> list[Candidate]:
    """Return what may be marked in the last of a request's texts, in its order. Where the guard's
    own reading meets a suggestion of the desk of the same kind, it stands in its place.
    """
    text = texts[-1][:ANALYSED]
    parsed = parsed_english(text)
    own = [*_left_out(text), *_quotes(text)]
    if parsed is not None:
        own += _statuses(text, parsed)
        own += [Candidate("comparison", *found) for found in find_directions(text, parsed)]
    desk = [
        Candidate(one.kind, one.span.start, one.span.end)
        for one in suggest(tuple(texts), (len(texts) - 1,))
    ]
    kept = [*own, *(one for one in desk if not _meets(one, own, (one.kind,)))]
    kept += [one for one in _numbers(text) if not _meets(one, kept, ("quantity", "time"))]
    order = {kind: place for place, kind in enumerate(KINDS)}
    return sorted(kept, key=lambda one: (one.start, one.end, order[one.kind]))


def parsed_english(text: str) -> Parsed | None:
    """Return what the model reads in a text that may be English, else None."""
    return languages.parsed_english(text) if languages.reads_as_english(text) else None


def _meets(one: Candidate, others: Sequence[Candidate], kinds: tuple[str, ...]) -> bool:
    return any(o.kind in kinds and one.start < o.end and o.start < one.end for o in others)


# ---------------------------------------------------------------- what is left out

_STOP = (
    r"(?:in|for|from|at|on|between|before|after|since|until|during|by|to|that|which|who|when|"
    r"and|but|or|as|with|than|is|are|was|were|did|does|do)"
)
_WORD = rf"(?!{_STOP}\b)[\w'’/-]+"
_TARGET = rf"{_WORD}(?:\s+{_WORD}){{0,5}}?"  # up to what follows
_LONGEST = rf"{_WORD}(?:\s+{_WORD}){{0,5}}"
_BEFORE = re.compile(
    rf"(?i)\b(?:excluding|except(?: for)?|without|other than|apart from|aside from|"
    rf"not (?:counting|including)|leaving (?:out|aside))\s+(?P<target>{_LONGEST})"
)
_AROUND = re.compile(rf"(?i)\bleaving (?P<target>{_TARGET}) (?:out|aside)\b")
_AFTER = re.compile(
    rf"(?i)[,;(]\s*(?P<all>(?:with )?(?P<target>{_TARGET})\s+(?:are |is )?"
    r"(?:excluded|left out|left aside|not included|not counted|omitted))\b"
)


def _left_out(text: str) -> Iterator[Candidate]:
    for pattern, group in ((_AROUND, 0), (_BEFORE, 0), (_AFTER, "all")):
        for match in pattern.finditer(text):
            value = {"mode": "exclude", "target": match["target"]}
            yield Candidate("polarity", match.start(group), match.end(group), value)


# ---------------------------------------------------------------- quotes, statuses, numbers

_QUOTED = re.compile(r"“([^“”\n]{2,80})”|\"([^\"\n]{2,80})\"|«\s?([^«»\n]{2,80}?)\s?»")
# Of what is not yet, and of what is: one is no other wording of a word of the other side.
_OPEN = ("draft", "drafted", "proposed", "planned", "provisional", "preliminary", "tentative",
         "interim", "pending", "unaudited", "unapproved", "unconfirmed", "estimated")  # fmt: skip
_SETTLED = ("approved", "final", "finalized", "signed", "adopted", "ratified", "enacted",
            "audited", "confirmed", "certified", "completed", "licensed")  # fmt: skip


def _quotes(text: str) -> Iterator[Candidate]:
    for match in _QUOTED.finditer(text):
        group = next(n for n in (1, 2, 3) if match[n])
        yield Candidate("referent", *match.span(group), {"name": match[group]})


def _statuses(text: str, parsed: Parsed) -> Iterator[Candidate]:
    """Status words that stand before what they qualify: "the draft policy", and not "which firm
    audited the accounts".
    """
    before = {t.start for t in parsed.tokens if t.dep in ("amod", "compound")}
    read = read_text(text)
    listed = lexicon.words("statuses") | {*_OPEN, *_SETTLED}
    for word in read.words:
        if word.text in listed and word.start in before:
            sides = ((_OPEN, _SETTLED), (_SETTLED, _OPEN))
            rivals = next((against for side, against in sides if word.text in side), ())
            value = {"value": word.raw, "rivals": list(rivals)}
            yield Candidate("status", word.start, word.end, value)


def _numbers(text: str) -> Iterator[Candidate]:
    """Bounded numbers that the desk takes for a length of time: "more than 90 days"."""
    read = read_text(text)
    for mention in find_quantities(read):
        plain = mention.operator and mention.operator != "?" and not mention.ambiguous
        if plain and (mention.unit or mention.currency or mention.noun):
            end = min(len(read), max(mention.end, mention.at + 2))
            yield Candidate("quantity", read.words[mention.first].start, read.words[end - 1].end)
