"""What a value says, whatever its spelling: equal forms for equal demands. Pure.

Two reviewers agree on a value, and a newcomer has found a known one, when these forms are equal.
Further wordings (aliases, rivals), the turn a name was taken from and the date from which a time
was reckoned help to recognise a demand and are no part of it.
"""

import unicodedata
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from annotation.canonical import canonical_json
from contracts.values import FIELDS, time_bounds

Form = tuple[Hashable, ...]
_UNDIRECTED = ("same", "difference")


def comparable(kind: str, value: Mapping[str, Any]) -> Form:
    """The form of a value that is equal for equal demands; a value that lacks what its kind needs
    is compared as it stands. A kind that is not in the table of values is a KeyError.

    >>> comparable("quantity", {"operator": ">", "value": 5}) == comparable(
    ...     "quantity", {"operator": ">", "value": 5.0, "unit": None}
    ... )
    True
    """
    form, required = _FORMS[kind]
    for name in required:
        if value.get(name) is None:
            return (kind, canonical_json(dict(value)))
    return (kind, *form(value))


def folded(value: Any) -> str | None:
    """Words without regard to case, width or spaces."""
    if value is None:
        return None
    return " ".join(unicodedata.normalize("NFKC", str(value)).casefold().split())


def _days(value: Any) -> tuple[Hashable, Hashable]:
    """First and last day of a time; of what is none, its words twice."""
    if not isinstance(value, str):
        return None, None
    return time_bounds(value) or (folded(value),) * 2


def _time(value: Mapping[str, Any]) -> Form:
    """A time says from the first day of its start to the last day of its end, so that `2023-Q1` is
    what `2023-01` to `2023-03` is.
    """
    relation, start, end = value["relation"], value.get("start"), value.get("end")
    if end is None and relation in ("on", "during", "as_of"):
        end = start
    bounds = (_days(start)[0], _days(end)[1])
    return (relation, *bounds, value.get("calendar", "calendar"))


def _quantity(value: Mapping[str, Any]) -> Form:
    high = value.get("high")
    return (
        value["operator"],
        float(value["value"]),
        None if high is None else float(high),
        folded(value.get("unit")),
        value.get("currency"),
        value.get("aggregation"),
    )


def _comparison(value: Mapping[str, Any]) -> Form:
    """Which is the higher one is said by the order; where none is, the order says nothing."""
    direction, sets = value["direction"], [folded(one) or "" for one in value["sets"]]
    if direction in _UNDIRECTED:
        sets.sort()
    return (tuple(sets), direction, folded(value.get("measure")))


def _required(kind: str) -> tuple[str, ...]:
    return tuple(name for name, field in FIELDS[kind].items() if field.required)


_FORMS: Mapping[str, tuple[Callable[[Mapping[str, Any]], Form], tuple[str, ...]]] = {
    kind: (form, _required(kind))
    for kind, form in {
        "referent": lambda v: (folded(v["name"]), v.get("unresolved", False)),
        "time": _time,
        "quantity": _quantity,
        "polarity": lambda v: (v["mode"], folded(v["target"])),
        "status": lambda v: (folded(v["value"]),),
        "comparison": _comparison,
        "evidence": lambda v: (folded(v["source"]),),
    }.items()
}
