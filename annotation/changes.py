"""What differs between two drafts, for one step of undo, the history, and the focus. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Path = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """One value of a draft that became another; None stands for nothing there."""

    path: Path
    old: Any
    new: Any


def changes(before: Any, after: Any, path: Path = ()) -> list[Change]:
    """Return what differs, leaf by leaf. Items of a list that have an id are told apart by it and
    not by their place; any other list is one value.
    """
    if before == after:
        return []
    left, right = _named(before), _named(after)
    if left is None or right is None:
        return [Change(path, before, after)]
    found: list[Change] = []
    for name in [*left, *(name for name in right if name not in left)]:
        if name not in left or name not in right:
            found.append(Change((*path, name), left.get(name), right.get(name)))
        else:
            found += changes(left[name], right[name], (*path, name))
    return found or [Change(path, before, after)]  # the same items in another order


def places(before: Any, after: Any) -> frozenset[Path]:
    """Return where two drafts differ."""
    return frozenset(change.path for change in changes(before, after))


def _named(value: Any) -> dict[str, Any] | None:
    """The parts of a value by name; None for what has no parts."""
    if isinstance(value, Mapping):
        return {str(name): part for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        ids = [str(item["id"]) for item in value if isinstance(item, Mapping) and "id" in item]
        if len(ids) == len(value) == len(set(ids)):
            return dict(zip(ids, value, strict=True))
    return None
