"""Referent: which of two mentioned was mentioned last, while the words that refer stay the same."""

import re
from collections.abc import Iterator

from contracts.twins.flips import Asked, Flip, Known
from contracts.twins.names import (
    aliases_stand,
    alike,
    others_like,
    renamed,
    split,
    without_aliases,
)
from contracts.twins.words import places


def propose_referent(asked: Asked, known: Known) -> Iterator[Flip]:
    """In a conversation: the referent and another that was mentioned before it change places, so
    that "it" now means the other.
    """
    name, turn = asked.value["name"], asked.value.get("from_turn")
    if asked.value.get("unresolved") or turn is None or not 0 <= turn < asked.span.turn:
        return
    if places(name, asked.words) or not places(name, asked.texts[turn]):
        return
    before = asked.texts[: asked.span.turn]
    after = asked.texts[asked.span.turn :]
    for other in _mentioned(asked, known):
        if any(places(one, text) for one in (name, other) for text in after):
            continue
        if any(places(other, text) for text in before[turn:]):
            continue
        if aliases_stand(asked, [name, other]) or not _same_article(name, other, before):
            continue
        edits = renamed(before, {name: other, other: name}, known)
        value = without_aliases(asked, other)
        yield from asked.flip("referent", edits or [], value, shown=(name, other))


def _mentioned(asked: Asked, known: Known) -> Iterator[str]:
    """Other names of the earlier turns: those of its group, and such as are called alike ("the
    Ormskar works" beside "the Harrowfen works"), known or not; without any, known ones.
    """
    name = asked.value["name"]
    before = asked.texts[: asked.span.turn]
    groups = (*known.groups, known.names)
    studied = [one for group in groups for joined in group for one in split(joined)]
    words = name.split()
    made: list[str] = []
    if len(words) > 1:
        last, first = re.escape(words[-1]), re.escape(words[0])
        forms = rf"\b[A-Z][\w-]*\s{last}(?!\w)|\b{first}\s[A-Z][\w-]*"
        made = [match.group() for text in before for match in re.finditer(forms, text)]
    near = [*others_like(name, known), *(one for one in made if alike(one, name))]
    found = [one for one in dict.fromkeys(near) if _beside(one, name, before)]
    # Another that is not called alike may play another part: whoever delivers, and to whom.
    yield from found or (one for one in dict.fromkeys(studied) if _beside(one, name, before))


def _beside(other: str, name: str, texts: tuple[str, ...]) -> bool:
    """Whether the texts have the other name, and it is no part of the first nor the other way."""
    inside = places(other, name) or places(name, other)
    return not inside and any(places(other, text) for text in texts)


def _same_article(name: str, other: str, texts: tuple[str, ...]) -> bool:
    """Whether both stand with "the" everywhere, or neither anywhere."""
    return 2 > len(
        {
            text[:start].lower().endswith("the ")
            for text in texts
            for one in (name, other)
            for start, _ in places(one, text)
        }
    )
