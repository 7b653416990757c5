"""Unresolved: two that may be meant equally well, so that to ask back is right; and the way back,
to a request that means one of them.
"""

import re
from collections.abc import Iterator

from contracts.comparing import folded
from contracts.terms import Ambiguity
from contracts.twins.flips import Asked, Edit, Flip, Known
from contracts.twins.names import aliases_stand, joint, others_like, split, without_aliases
from contracts.twins.words import latin, places

READINGS = 8  # a name that more share is too vague to be asked about
# Words that refer to one thing; "they" would mean both, "her" may be two words.
_REFERS = re.compile(r"(?i)its?|he|she|him|his|(?:the|this|that)(?:\s[\w-]+){1,2}")
# Before or after the name these would have to change with a second one beside it.
_AGREES = re.compile(r"(?i)\b(?:is|are|was|were|has|have|does|do|a|an|another|each|every)\s+$")
_VERB = re.compile(r"(?i)\s+(?:is|was|has|does|[a-z]+s)\b|['’]")


# First words that are no name by themselves: "Project" for Project Lantern.
_KINDS = frozenset(
    "the a new north south east west upper lower great saint st mount lake river port project "
    "tariff route line phase plan act policy bank hotel university institute ministry department "
    "office city town county district school hospital royal national united first second "
    "january february march april may june july august september october november december".split()
)


def propose_unresolved(asked: Asked, known: Known) -> Iterator[Flip]:
    """The name cut to what it shares with others, or two named where one was; of an unresolved
    request one of its readings.
    """
    if asked.value.get("unresolved") and asked.terms.ambiguity.unresolved:
        yield from _resolved(asked)
    elif not asked.terms.ambiguity.unresolved and not asked.value.get("unresolved"):
        others = others_like(asked.value["name"], known)
        yield from _cut(asked, others)
        for other in others:
            yield from _both(asked, other)


def _ordered(*names: str) -> tuple[str, ...]:
    """Names in an order that does not say which of them was meant."""
    return tuple(sorted(names, key=lambda one: (folded(one) or "", one)))


def _unresolved(asked: Asked, names: tuple[str, ...]) -> dict[str, object]:
    return without_aliases(asked, joint(names)) | {"unresolved": True}


def _with(asked: Asked, words: str) -> str:
    """The current text with other words in the place of the span's."""
    return asked.text[: asked.span.start] + words + asked.text[asked.span.end :]


# ---------------------------------------------------------------- a name cut short


def _cut(asked: Asked, others: tuple[str, ...]) -> Iterator[Flip]:
    """ "Harbor" for "Harbor Rail" where there is a Harbor Freight too; every such name is a
    reading.
    """
    name = asked.value["name"]
    if asked.words != name or asked.span.turn != len(asked.texts) - 1:
        return
    short = name.split()[0]
    sharing = [one for one in others if one.split()[0] == short and len(one.split()) > 1]
    if (
        not 0 < len(sharing) < READINGS
        or len(name.split()) < 2
        or not short[0].isupper()
        or short.lower() in _KINDS
    ):
        return
    if re.search(r"(?i)\bthe\s$", asked.text[: asked.span.start]):  # the Harbor what?
        return
    if sum(len(places(short, text)) for text in asked.texts) != 1 or aliases_stand(asked, [name]):
        return
    names = _ordered(name, *sharing)
    readings = Ambiguity(True, tuple(_with(asked, one) for one in names))
    edits = [asked.edit(asked.span.start, asked.span.end, short)]
    yield from asked.flip("unresolved", edits, _unresolved(asked, names), ambiguity=readings)


# ---------------------------------------------------------------- both named at once


def _both(asked: Asked, other: str) -> Iterator[Flip]:
    """ "Harbor Freight and Harbor Rail" in the turn that named one, before "it"."""
    name, turn = asked.value["name"], asked.value.get("from_turn")
    last = len(asked.texts) - 1
    if turn is None or not 0 <= turn < asked.span.turn == last:
        return
    named = [(at, *place) for at, text in enumerate(asked.texts) for place in places(name, text)]
    beside = any(places(other, text) for text in asked.texts)
    if len(named) != 1 or named[0][0] != turn or beside or aliases_stand(asked, [name]):
        return
    text, (_, start, end) = asked.texts[turn], named[0]
    if text[start:end] != name or not _may_be_two(text, start, end):
        return
    the = "the " if re.search(r"(?i)\bthe\s$", text[:start]) else ""
    names = _ordered(name, other)
    readings = tuple(_reading(asked, the + one) for one in names)
    if not all(readings):
        return
    edits = [Edit(turn, start, end, f"{names[0]} and {the}{names[1]}")]
    value = _unresolved(asked, names) | {"from_turn": None}
    yield from asked.flip(
        "unresolved",
        edits,
        value,
        shown=(name, edits[0].words),
        ambiguity=Ambiguity(True, readings),
    )


def _may_be_two(text: str, start: int, end: int) -> bool:
    """Whether a second name can stand here with no other word changed."""
    return latin(text) and not _AGREES.search(text[:start]) and not _VERB.match(text[end:])


def _reading(asked: Asked, name: str) -> str:
    """The current text with the name for the words that refer; empty where these are others."""
    if not _REFERS.fullmatch(asked.words):
        return ""
    owned = asked.words.lower() in ("its", "his")
    words = name + (("'" if name.endswith("s") else "'s") if owned else "")
    return _with(asked, words[0].upper() + words[1:] if asked.words[0].isupper() else words)


# ---------------------------------------------------------------- the way back


def _resolved(asked: Asked) -> Iterator[Flip]:
    """One flip for each of the names, where the readings are made as they are here."""
    names = split(asked.value["name"])
    readings = asked.terms.ambiguity.readings
    if len(names) < 2 or len(readings) != len(names):
        return
    for name in names:
        value = without_aliases(asked, name) | {"unresolved": False}
        if readings == tuple(_with(asked, one) for one in names):
            edits = [asked.edit(asked.span.start, asked.span.end, name)]
            yield from asked.flip("unresolved", edits, value, ambiguity=Ambiguity())
            continue
        for turn, start, end, words in _joined(asked, names, name):
            edits = [Edit(turn, start, end, words)]
            yield from asked.flip(
                "unresolved",
                edits,
                value | {"from_turn": turn},
                shown=(asked.texts[turn][start:end], words),
                ambiguity=Ambiguity(),
            )


def _joined(asked: Asked, names: tuple[str, ...], name: str) -> Iterator[tuple[int, int, int, str]]:
    """Where both are named at once before the words that refer, for one of them alone."""
    readings = asked.terms.ambiguity.readings
    if len(names) != 2:
        return
    for the in ("", "the "):
        if readings == tuple(_reading(asked, the + one) for one in names):
            words = f"{names[0]} and {the}{names[1]}"
            for turn, text in enumerate(asked.texts[: asked.span.turn]):
                for start, end in places(words, text):
                    yield turn, start, end, name
