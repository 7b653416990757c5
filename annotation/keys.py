"""The acts of the desk and the key of each: defaults, each person's own, and which of them clash.
Pure; whoever shows the words of an act translates them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

SIGNS = frozenset(".,;:-+*#/?!=<>'")  # beside letters; digits name rows, blanks would scroll


def _(words: str) -> str:
    """Mark words for the catalogue of translations."""
    return words


@dataclass(frozen=True)
class Act:
    """Something to do at the desk by one key. `work` names the kinds of work that have it; all of
    them when empty.
    """

    name: str
    key: str
    label: object  # words, translated when they are shown
    work: tuple[str, ...] = ()


@dataclass(frozen=True)
class Clash:
    """One key that two acts were given."""

    key: str
    first: Act
    second: Act


ACTS: dict[str, Act] = {}


def register(*acts: Act) -> None:
    """Add acts of the desk; each app registers its own when it is ready. ValueError when a key is
    taken: two acts must not be told apart by luck.
    """
    for act in acts:
        taken = next((o for o in ACTS.values() if o.key == act.key and o.name != act.name), None)
        if taken:
            raise ValueError(f"The key “{act.key}” of {act.name} is that of {taken.name}.")
        ACTS[act.name] = act


def keys_of(chosen: object) -> dict[str, str]:
    """Return the key of every act: the person's own where `chosen` (act → key) has one, else the
    default; empty where somebody's own choice took the default away.
    """
    named = chosen if isinstance(chosen, Mapping) else {}
    own = {name: key for name, key in named.items() if name in ACTS and is_usable(key)}
    taken = set(own.values())
    rest = {
        act.name: "" if act.key in taken else act.key
        for act in ACTS.values()
        if act.name not in own
    }
    return {name: own[name] if name in own else rest[name] for name in ACTS}


def is_usable(key: object) -> bool:
    """Tell whether a key may stand for an act: one letter of any script, or one of the signs."""
    return isinstance(key, str) and len(key) == 1 and (key.isalpha() or key in SIGNS)


def clashes(keys: Mapping[str, str]) -> list[Clash]:
    """Return each pair of acts that share a key, in the order of the acts."""
    found: list[Clash] = []
    first: dict[str, Act] = {}
    for act in ACTS.values():
        key = keys.get(act.name, "")
        if key and key in first:
            found.append(Clash(key, first[key], act))
        elif key:
            first[key] = act
    return found


def changed(keys: Mapping[str, str]) -> dict[str, str]:
    """Return only the keys that are not the default ones."""
    return {name: key for name, key in keys.items() if name in ACTS and ACTS[name].key != key}


register(
    Act("undo", "z", _("undo the last change")),
    Act("redo", "Z", _("take the undo back")),
    Act("guidelines", "g", _("the guidelines")),
    Act("later", "l", _("later: the item goes back, your draft is kept")),
    Act("cannot_judge", "x", _("cannot judge, with the reason")),
    Act("help", "?", _("these keys")),
)
