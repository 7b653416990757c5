"""Names in a request: who else may be meant, and one name in another's place. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from contracts.comparing import folded
from contracts.twins.flips import Asked, Edit, Known
from contracts.twins.words import Carry, latin, places

MOST = 20  # names that are proposed for one
NEAR = 10  # of more that are alike, those next to it: each of them then leads back to it
_LETTERS = re.compile(r"\w+")
# Words that many names share and that make no two of them alike.
_COMMON = frozenset(
    "the of and for in at on plc ltd inc llc corp co gmbh ag se sa company group holding holdings "
    "limited corporation a an la le der die das de".split()
)


@dataclass(frozen=True, slots=True)
class _Index:
    """The names of a study by what they are asked for; each is read once, of thousands too."""

    first: Mapping[str, Sequence[str]]  # by the first telling word, most used names first
    last: Mapping[str, Sequence[str]]  # by the last one
    groups: Mapping[str, Sequence[str]]  # by a folded name: the names of its groups
    begins: Mapping[str, Sequence[str]]  # by the letters that it begins with, in small ones


@lru_cache(maxsize=4)
def _index(known: Known) -> _Index:
    first, last, grouped, begins = (defaultdict[str, list[str]](list) for _at in range(4))
    groups = [[one for joined in group for one in split(joined)] for group in known.groups]
    names = [one for joined in known.names for one in split(joined)]
    for one in names:
        if ends := _ends(one):
            first[ends[0]].append(one)
            last[ends[1]].append(one)
    members: dict[str, list[list[str]]] = defaultdict(list)
    for group in groups:
        for said in {folded(one) or "" for one in group}:
            members[said].append(group)
    for said, of in members.items():
        grouped[said] = of[0] if len(of) == 1 else [one for group in of for one in group]
    for one in sorted({*names, *(one for group in groups for one in group)}):
        begins[_begin(one)].append(one)
    return _Index(first, last, grouped, begins)


@lru_cache(maxsize=64)  # asked again for each flip, to see that it leads back
def others_like(name: str, known: Known) -> tuple[str, ...]:
    """Return the names that may be taken for a name: those of its groups first, then those that
    share its first word, then those that share its last; at most MOST.
    """
    return tuple(islice(_others(name, _index(known)), MOST))


def _others(name: str, index: _Index) -> Iterator[str]:
    said, seen = folded(name) or "", set[str]()
    ends = _ends(name)
    first, last = (index.first.get(ends[0], ()), index.last.get(ends[1], ())) if ends else ((), ())
    shared = (*_near(name, first), *_near(name, last))
    like = (one for one in shared if name[:1].isupper() == one[:1].isupper())
    for one in chain(_near(name, index.groups.get(said, ())), like):
        key = folded(one) or ""
        if key == said or key in seen:
            continue
        seen.add(key)
        if is_name(one) and not _part_of(one, name):
            yield one


def _near(name: str, names: Sequence[str]) -> Sequence[str]:
    """All of the names, or of more than can be proposed those next to one, as in a circle."""
    if len(names) <= MOST + 1 or name not in names:
        return names[: MOST + 1]
    at = names.index(name)
    steps = (step for far in range(1, NEAR // 2 + 1) for step in (far, -far))
    return [names[(at + step) % len(names)] for step in steps]


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
    lower = " ".join(text.lower().split())
    index = _index(known).begins
    near = [one for begin in {"", *_LETTERS.findall(lower)} for one in index.get(begin, ())]
    return tuple(
        one for one in sorted(near) if " ".join(one.lower().split()) in lower and places(one, text)
    )


def _begin(name: str) -> str:
    found = _LETTERS.search(name.lower())
    return found.group() if found else ""


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
