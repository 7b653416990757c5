"""Exclusions by a verb around the target, by a pronoun or by a place: what they leave out."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, stated
from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.wording import negator_before

_LEAVING = frozenset("leave leaving rule ruling filter filtering keep keeping".split())


def left_out_around(text: Text, first: int, end: int) -> str:
    """ "leave toys out", "rule the toys out": the quote, or ""."""
    if end >= len(text) or text.words[end].text not in ("out", "aside"):
        return ""
    place = first
    while place and text.words[place - 1].text in ("the", "any", "all"):
        place -= 1
    verb = text.words[place - 1].text if place else ""
    leaving = verb in _LEAVING and not negator_before(text, place - 1, "verb")
    return text.quote(place - 1, end + 1) if leaving else ""


def other_than(text: Text, first: int, end: int) -> str:
    """ "other ferries than the Kestrel": the quote, or "". With a comparative between ("other
    larger ferries than"), or after "no other", it says something else."""
    place = first
    while place and text.words[place - 1].text in ("the", "a", "an", "any"):
        place -= 1
    if not place or text.words[place - 1].text != "than":
        return ""
    for at in range(place - 2, max(-1, place - 5), -1):
        word = text.words[at].text
        if word in ("other", "others"):
            return "" if negator_before(text, at) else text.quote(at, end)
        if word in ("more", "less", "fewer", "rather") or word.endswith("er"):
            return ""
    return ""


def pointed_at(text: Text, roots: list[str], telling: list[str]) -> Finding | None:
    """ "routes save those to the islands" for "save island routes": a pronoun stands for the
    words before the exclusion, the others follow it."""
    for hit in lexicon.phrases("exclusions").all_in(text):
        at = hit.end
        while at < len(text) and text.words[at].text in ("for", "the", "any", "all"):
            at += 1
        if at >= len(text) or text.words[at].text not in ("those", "that", "ones", "one"):
            continue
        end = at + 1
        while end < min(len(text), at + 7) and text.words[end].gap in ("", "-"):
            end += 1
        after, before = set(text.roots[at:end]), set(text.roots[: hit.first])
        named = [one for one in telling if one in after]
        if named and all(one in after or one in before for one in roots):
            return stated(text.quote(hit.first, end), "The target is left out by a pronoun.")
    return None


def outside_place(text: Text, telling: list[str]) -> Finding | None:
    """ "clinics outside Dunmoor": a place with a capital is left out."""
    for at, word in enumerate(text.words):
        place = at + 1 + (text.stems[at + 1 : at + 2] == ("of",))
        if word.text != "outside" or place >= len(text) or not text.words[place].capital:
            continue
        named = set(text.roots[place : place + len(telling)])
        if named == set(telling) and not negator_before(text, at):
            return stated(text.quote(at, place + len(telling)), "What lies there is left out.")
    return None
