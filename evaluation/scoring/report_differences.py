"""Where two JSON values say something else, as sentences."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.canonical import canonical_json

# Two processors may round the last digit of a mean differently; nothing larger is let pass.
RELATIVE = 1e-9
ABSENT = "nothing"
COMPUTED, REQUIRED, RECORDED = "its rows give", "it must be", "the ledger has"
_SHOWN = 120


class Unreadable(ValueError):
    """The report cannot be computed again at all; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place of a report: what it states, and what else it is (both as JSON or words,
    shortened); `by` says from where that is known.
    """

    path: str
    stated: str
    recomputed: str
    by: str = COMPUTED

    def __str__(self) -> str:
        return f"{self.path}: the report states {self.stated}, {self.by} {self.recomputed}."


def compared(path: str, stated: Any, found: Any, by: str = COMPUTED) -> Iterator[Difference]:
    """Yield every place in which two JSON values differ, numbers by more than `RELATIVE`."""
    if isinstance(stated, Mapping) and isinstance(found, Mapping):
        for key in sorted(stated.keys() | found.keys()):
            here = f"{path}.{key}"
            if key not in found:
                yield Difference(here, shown(stated[key]), ABSENT, by)
            elif key not in stated:
                yield Difference(here, ABSENT, shown(found[key]), by)
            else:
                yield from compared(here, stated[key], found[key], by)
    elif isinstance(stated, list | tuple) and isinstance(found, list | tuple):
        if len(stated) != len(found):
            yield Difference(path, f"{len(stated)} entries", f"{len(found)} entries", by)
        for number, (one, other) in enumerate(zip(stated, found, strict=False)):
            yield from compared(f"{path}[{_named(one, number)}]", one, other, by)
    elif not _same(stated, found):
        yield Difference(path, shown(stated), shown(found), by)


def shown(value: Any) -> str:
    """A JSON value as it stands in a sentence."""
    told = canonical_json(value)
    return told if len(told) <= _SHOWN else f"{told[:_SHOWN]}…"


def said(fault: Exception) -> str:
    """What went wrong, without its full stop."""
    told = f"{fault} is missing" if isinstance(fault, KeyError) else str(fault)
    return told.rstrip(".")


def _same(stated: Any, found: Any) -> bool:
    if isinstance(stated, bool) or isinstance(found, bool):
        return stated is found
    if isinstance(stated, int | float) and isinstance(found, int | float):
        return math.isclose(stated, found, rel_tol=RELATIVE, abs_tol=1e-12)
    return bool(stated == found)


def _named(entry: Any, number: int) -> str:
    """How a list's entry is called in a path: by what it is about, else by its place."""
    if isinstance(entry, Mapping):
        names = [entry[key] for key in ("arm", "scope", "id", "family", "name") if key in entry]
        if names:
            return "/".join(map(str, names))
    return str(number)
