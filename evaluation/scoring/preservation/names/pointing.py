"""Whether a name only points to another thing ("X's owner", "a rival of X"), or is a namesake's."""

import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, Reading, altered, unsure
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import content

_IN_BRACKETS = re.compile(r"\s*\(([^)]*)\)\s*$")
_LEADING = ("of", "to", "with", "for", "by", "against")


class Pointing(NamedTuple):
    """The words that lead from the name to another thing. Sure: no other reading is likely."""

    quote: str
    sure: bool


def pointing(known: Set[str], text: Text, first: int, end: int) -> Pointing | None:
    """Return how the name at `first` up to `end` points to another thing, or None. `known` are
    the roots of the request and the name: a relation that the request asks for is no doubt."""
    return (
        _after(known, text, first, end)
        or _glued(known, text, first, end)
        or _likened(known, text, first, end)
        or _before(known, text, first, end)
    )


def _is_relation(known: Set[str], text: Text, at: int) -> bool:
    """Whether a word is a relation that the request does not ask for in any form ("auditor" of
    "who audits")."""
    stem = text.words[at].stem
    return stem in lexicon.words("relations") and not any(
        stem.startswith(one) for one in known if len(one) > 2
    )


def _after(known: Set[str], text: Text, first: int, end: int) -> Pointing | None:
    """ "X's largest customer", "X parent company", "X's director's wife" (two steps away)."""
    possessive = text.words[end - 1].possessive
    for at in range(end, min(end + 4, len(text))):
        word = text.words[at]
        if word.gap not in ("", "-", "'", "’"):
            return None
        if at > end and word.text in lexicon.words("stopwords"):
            return None
        if _is_relation(known, text, at) or (possessive and word.possessive):
            near = at == end and word.stem in lexicon.words("other_houses")
            return Pointing(text.quote(first, at + 1), possessive or near)
    return None


def _glued(known: Set[str], text: Text, first: int, end: int) -> Pointing | None:
    """ "X-owned", "X-backed"."""
    if end >= len(text) or text.words[end].gap not in ("-", "–"):
        return None
    word = text.words[end]
    between = text.raw[text.words[end - 1].end : word.start]
    if word.is_number or word.adjacent or " " in between or text.roots[end] in known:
        return None
    return Pointing(text.quote(first, end + 1), word.stem in lexicon.words("relations"))


def _likened(known: Set[str], text: Text, first: int, end: int) -> Pointing | None:
    """ "companies like X", "ex-X", "larger than X"."""
    phrases = lexicon.phrases("likeness")
    like = phrases.ending_at(text, first) or phrases.ending_at(text, _before_article(text, first))
    if like is None or known >= {text.roots[i] for i in range(like.first, like.end)}:
        return None
    sure = text.quote(like.first, like.end).casefold() in lexicon_lines("likeness_sure")
    return Pointing(text.quote(like.first, end), sure)


def lexicon_lines(name: str) -> frozenset[str]:
    """The entries of a list, each as one string of folded words."""
    return frozenset(" ".join(words) for words, _ in lexicon.phrases(name).entries)


def _before(known: Set[str], text: Text, first: int, end: int) -> Pointing | None:
    """ "a former rival X", "the parent of X", "owned by X"."""
    place = _before_article(text, first)
    if place and text.words[first].gap == "" and _is_relation(known, text, place - 1):
        return Pointing(text.quote(place - 1, end), False)
    if place < 2 or text.words[place - 1].text not in _LEADING:
        return None
    for at in range(place - 2, max(-1, place - 4), -1):
        if text.words[at + 1].gap not in ("", "-"):
            return None
        if _is_relation(known, text, at):
            return Pointing(text.quote(at, end), at == place - 2)
    return None


def leaves_out(text: Text, first: int, end: int) -> str:
    """The words that exclude the name itself ("other than X"), or ""."""
    exclusions = lexicon.phrases("exclusions")
    hit = exclusions.ending_at(text, first) or exclusions.ending_at(
        text, _before_article(text, first)
    )
    return text.quote(hit.first, end) if hit else ""


def _before_article(text: Text, first: int) -> int:
    return first - 1 if first and text.words[first - 1].text in ("the", "a", "an") else first


# ---------------------------------------------------------------- namesakes


def namesake(
    constraint: ConstraintTerms, reading: Reading, text: Text, first: int, end: int
) -> Finding | None:
    """A name told apart by brackets ("Ann Roe (chemist)") needs some of those words; with others
    of the sort in their place ("the painter Ann Roe") it is a namesake's."""
    brackets = _IN_BRACKETS.search(str(constraint.value.get("name") or ""))
    if not brackets:
        return None
    inside = read_text(brackets[1])
    telling = {inside.roots[i] for i in content(inside)}
    if telling & set(text.roots):
        return None
    known = telling | reading.known_roots
    for at, stop in _beside(text, first, end):
        new = [i for i in range(at, stop) if text.roots[i] not in known]
        if new:
            return altered(text.quote(min(at, first), max(stop, end)), "It is a namesake's name.")
    quote = text.quote(first, end)
    bare = [*map(str, constraint.value.get("aliases") or ()), *constraint.admissible]
    if any(read_text(form).stems == text.stems[first:end] for form in bare):
        return None  # the contract itself lists the bare name
    return unsure(quote, "The name is there without what tells it from namesakes.")


def _beside(text: Text, first: int, end: int) -> Iterator[tuple[int, int]]:
    """What stands beside a name to tell which one it is: "the painter X", "X (painter)", "X the
    painter", "X, a painter", "X in Bruges"."""
    if end < len(text):
        after = text.words[end]
        if "(" in after.gap:
            yield end, _until(text, end, ")")
        elif after.text in ("the", "a", "an") and end + 1 < len(text):
            yield end + 1, end + 2
        elif after.text in ("in", "of", "from") and end + 1 < len(text):
            if text.words[end + 1].capital:
                yield end + 1, end + 2
    at = first
    while at > 0 and first - at < 4 and text.words[at].gap in ("", "-"):
        if text.words[at - 1].text in lexicon.words("stopwords"):
            break
        at -= 1
    if at < first and at > 0 and text.words[at - 1].text in ("the", "a", "an"):
        yield at, first


def _until(text: Text, first: int, sign: str) -> int:
    end = first + 1
    while end < len(text) and sign not in text.words[end].gap:
        end += 1
    return end
