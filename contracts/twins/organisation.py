"""Organisation: the parent for the subsidiary, or another that is called alike."""

from collections.abc import Iterator

from contracts.comparing import folded
from contracts.twins.flips import Asked, Flip, Known
from contracts.twins.names import aliases_stand, others_like, renamed, renaming, without_aliases
from contracts.twins.words import only_place, places


def propose_organisation(asked: Asked, known: Known) -> Iterator[Flip]:
    """The name in every turn for another one of its group, or one that shares a word with it.

    Proposed only where the span has the name itself, so that the words show the value.
    """
    name = asked.value["name"]
    if asked.value.get("unresolved") or not only_place(name, asked.text, asked.span):
        return
    if aliases_stand(asked, [name]):
        return
    for other in others_like(name, known):
        if any(_stands(other, name, text) for text in asked.texts):
            continue
        edits = renamed(asked.texts, {name: other}, known)
        value = without_aliases(asked, other)
        yield from asked.flip(
            "organisation", edits or [], value, carry=renaming({name: other}), shown=(name, other)
        )


def _stands(other: str, name: str, text: str) -> bool:
    """Whether the other is named too, and not only as a part of the name."""
    inside = bool(places(other, name)) and folded(other) != folded(name)
    return len(places(other, text)) > (len(places(name, text)) if inside else 0)
