"""Names in a request: who else may be meant, and one name in another's place. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from contracts.comparing import folded
from contracts.twins.flips import Asked, Edit, Known
from contracts.twins.words import Carry, latin, places

MOST = 20  # names that are proposed for one; of more alike ones not all lead back
# Words that many names share and that make no two of them alike.
_COMMON = frozenset(
    "the of and for in at on plc ltd inc llc corp co gmbh ag se sa company group holding holdings "
    "limited corporation a an la le der die das de".split()
)


@lru_cache(maxsize=64)  # asked again for each flip, to see that it leads back
def others_like(name: str, known: Known) -> tuple[str, ...]:
    """Return the names that may be taken for a name: those of its groups first, then those that
    share its first word, then those that share another; at most MOST.
    """
    said = folded(name)
    groups = [[one for joined in group for one in split(joined)] for group in known.groups]
    names = [one for joined in known.names for one in split(joined)]
    grouped = [one for group in groups if said in map(folded, group) for one in group]
    first = [one for one in names if _ends(one)[:1] == _ends(name)[:1] != ()]
    found = [*grouped, *(one for one in first if alike(one, name))]
    found += [one for one in names if alike(one, name)]
    other = {folded(one): one for one in reversed(found) if is_name(one)}
    other.pop(said, None)
    fitting = (one for one in reversed(other.values()) if not _part_of(one, name))
    return tuple(islice(fitting, MOST))


def _part_of(name: str, other: str) -> bool:
    """Whether one name holds the other and does not begin with it: the bridge at the Weir and the
    Weir, other than Harbor Rail and Harbor Rail Services.
    """
    return any(at[0] for at in (*places(name, other)[:1], *places(other, name)[:1]))


def alike(name: str, other: str) -> bool:
    """Whether two names begin or end with the same telling word, and are written alike: Harbor Rail
    and Harbor Freight, the fleet plan and the harbour plan; not Harbor Rail and the rail strike.
    """
    shared = any(one == two for one, two in zip(_ends(name), _ends(other), strict=False))
    return shared and name[:1].isupper() == other[:1].isupper()


def split(joint: str) -> tuple[str, ...]:
    """The names of "A, B or C", as an unresolved referent is called; a name alone is itself."""
    *rest, last = re.split(r"\sor\s", joint)
    return (*(one for part in rest for one in part.split(", ")), last)


def joint(names: Sequence[str]) -> str:
    """The name of an unresolved referent: "A, B or C"."""
    return " or ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else "".join(names)


def is_name(name: str) -> bool:
    """Whether words name one thing: not "Harbor Rail or Harbor Freight"."""
    return bool(name.strip()) and len(name) <= 100 and not re.search(r"(?i)\sor\s", name)


def _ends(name: str) -> tuple[str, ...]:
    """The first and the last word of a name, of those that tell something; none where none does."""
    words = [word for word in (folded(name) or "").split() if word not in _COMMON]
    return (words[0], words[-1]) if words else ()


def renamed(texts: Sequence[str], names: Mapping[str, str], known: Known) -> list[Edit] | None:
    """Return the edits that put new names in the place of old ones wherever these stand; None where
    a longer name has an old one in it, where the text is of another script, or where the case or
    the possessive of a name cannot be kept.
    """
    edits: list[Edit] = []
    for turn, text in enumerate(texts):
        for old, new in names.items():
            found = places(old, text)
            if found and not (latin(text) and latin(new)) or _in_longer(old, text, known):
                return None
            for start, end in found:
                words = _written(new, old, text[start:end])
                if words is None:
                    return None
                edits += [
                    Edit(turn, start, end, words),
                    *_possessive(turn, text, start, end, words),
                ]
    apart = sorted((edit.turn, edit.start, edit.end) for edit in edits)
    clash = any(a[0] == b[0] and a[2] > b[1] for a, b in zip(apart, apart[1:], strict=False))
    return None if clash else edits


def _written(new: str, old: str, words: str) -> str | None:
    """A name as the old one is written in the text: as it is, in small or in capital letters."""
    if words == old:
        return new
    if words == old.lower():
        return new.lower()
    return new.upper() if words == old.upper() else None


def _in_longer(name: str, text: str, known: Known) -> bool:
    """Whether the text has a longer name of the study that has the name in it."""
    said = name.casefold()
    return any(
        said in one.casefold() and places(name, one) and folded(one) != folded(name)
        for one in _standing(text, known)
    )


@lru_cache(maxsize=64)
def _standing(text: str, known: Known) -> tuple[str, ...]:
    """The names of the study that stand in a text."""
    names = {one for group in (known.names, *known.groups) for part in group for one in split(part)}
    lower = " ".join(text.lower().split())
    return tuple(
        one for one in sorted(names) if " ".join(one.lower().split()) in lower and places(one, text)
    )


def _possessive(turn: int, text: str, start: int, end: int, new: str) -> Iterator[Edit]:
    """ "Ferries'" and "Water's": the apostrophe as the new name has it."""
    plural = new.lower().endswith("s")
    suffix = text[end : end + 2]
    if suffix in ("'s", "’s") and not text[end + 2 : end + 3].isalnum():
        if plural:
            yield Edit(turn, end, end + 2, suffix[0])
    elif suffix[:1] in ("'", "’") and not suffix[1:].strip() and text[end - 1].lower() == "s":
        quoted = text[start - 1 : start] in ("'", "‘") if start else False
        if not plural and not quoted:
            yield Edit(turn, end, end + 1, f"{suffix[0]}s")


def renaming(names: Mapping[str, str]) -> Carry:
    """Carry over a wording that has an old name, with the new one in its place."""

    def carry(wording: str) -> str | None:
        edits = renamed([wording], names, Known())
        if not edits:
            return None
        for edit in sorted(edits, key=lambda one: one.start, reverse=True):
            wording = wording[: edit.start] + edit.words + wording[edit.end :]
        return wording

    return carry


def aliases_stand(asked: Asked, names: Sequence[str]) -> bool:
    """Whether a text has an alias that is no part of the names: it would still say the old one."""
    for text in asked.texts:
        held = [at for name in names for at in places(name, text)]
        for alias in asked.value.get("aliases") or ():
            for start, end in places(str(alias), text):
                if not any(low <= start and end <= high for low, high in held):
                    return True
    return False


def without_aliases(asked: Asked, name: str) -> dict[str, object]:
    """The fields of another name, whose aliases are for a person to give."""
    return {"name": name} | ({"aliases": []} if "aliases" in asked.value else {})
