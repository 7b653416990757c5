"""The value fields of each kind of constraint: the table and its validation.

The table is the one of contracts.jsonl (docs/formats.md). Pure: sentences out, no exceptions for
bad input.
"""

import calendar
import dataclasses
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

RELATIONS = (
    "on", "before", "after", "by", "since", "until", "during", "between", "as_of",
)  # fmt: skip
CALENDARS = ("calendar", "fiscal")
OPERATORS = ("<", "<=", "=", ">=", ">", "between", "about")
AGGREGATIONS = (
    "annual", "quarterly", "monthly", "cumulative", "total", "average", "median", "per_unit",
    "count", "rate",
)  # fmt: skip
MODES = ("negate", "exclude")
DIRECTIONS = (
    "increase", "decrease", "higher", "lower", "earlier", "later", "same", "difference",
)  # fmt: skip

_TIME = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-Q([1-4]))?", re.ASCII)
_CURRENCY = re.compile("[A-Z]{3}")


def time_bounds(text: str) -> tuple[date, date] | None:
    """Return the first and last day of an ISO date, `2023-04`, `2023-Q1` or `2023`; None for
    anything else, such as the 30th of February.

    >>> time_bounds("2023-Q1")
    (datetime.date(2023, 1, 1), datetime.date(2023, 3, 31))
    """
    found = _TIME.fullmatch(text)
    if not found or int(found[1]) < 1:
        return None
    year = int(found[1])
    first, last = (int(found[2]),) * 2 if found[2] else (1, 12)
    if found[4]:
        first, last = 3 * int(found[4]) - 2, 3 * int(found[4])
    if last > 12 or first < 1:
        return None
    length = calendar.monthrange(year, last)[1]
    if not found[3]:
        return date(year, first, 1), date(year, last, length)
    if not 1 <= int(found[3]) <= length:
        return None
    day = date(year, first, int(found[3]))
    return day, day


# ---------------------------------------------------------------- one field

Check = Callable[[Any], str | None]
Say = Callable[[str], str]  # a translation, or `str` for English


def _(words: str) -> str:
    """Mark words for the catalogues; whoever shows them translates them."""
    return words


def _words(value: Any) -> str | None:
    ok = isinstance(value, str) and value.strip()
    return None if ok else _("write it in words; empty is not allowed")


def _several_words(value: Any) -> str | None:
    if isinstance(value, list | tuple) and all(_words(item) is None for item in value):
        return None
    return _("give a list of words or phrases, none of them empty")


def _some_words(value: Any) -> str | None:
    return _several_words(value) or (None if value else _("give at least one word or phrase"))


def _one_of(allowed: Sequence[str]) -> Check:
    def check(value: Any) -> str | None:
        # A list is no key of a set, so membership is tested in the tuple.
        ok = isinstance(value, str) and value in allowed
        return None if ok else f"choose one of {', '.join(allowed)}"

    return check


def _turn(value: Any) -> str | None:
    ok = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return None if ok else _("give the number of a turn, counted from 0")


def _flag(value: Any) -> str | None:
    return None if isinstance(value, bool) else _("give true or false")


def _time(value: Any) -> str | None:
    ok = isinstance(value, str) and time_bounds(value) is not None
    if ok:
        return None
    return _("give a date (2023-04-30), month (2023-04), quarter (2023-Q1) or year")


def _number(value: Any) -> str | None:
    ok = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return None if ok else _("give a finite number")


def _code(value: Any) -> str | None:
    ok = isinstance(value, str) and _CURRENCY.fullmatch(value)
    return None if ok else _("give a currency code of three capital letters, such as EUR")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a value. A field that is not required may be missing and has `default` then;
    `nullable` fields may be null."""

    check: Check
    required: bool = False
    nullable: bool = False
    default: Any = None


_LIST = Field(_several_words, default=())
_OPTIONAL_TIME = Field(_time, nullable=True)
_OPTIONAL_WORDS = Field(_words, nullable=True)

FIELDS: Mapping[str, Mapping[str, Field]] = {
    "referent": {
        "name": Field(_words, required=True),
        "aliases": _LIST,
        "from_turn": Field(_turn, nullable=True),
        "unresolved": Field(_flag, default=False),
    },
    "time": {
        "relation": Field(_one_of(RELATIONS), required=True),
        "start": _OPTIONAL_TIME,
        "end": _OPTIONAL_TIME,
        "calendar": Field(_one_of(CALENDARS), default="calendar"),
        "reference_date": _OPTIONAL_TIME,
    },
    "quantity": {
        "operator": Field(_one_of(OPERATORS), required=True),
        "value": Field(_number, required=True),
        "high": Field(_number, nullable=True),
        "unit": _OPTIONAL_WORDS,
        "currency": Field(_code, nullable=True),
        "aggregation": Field(_one_of(AGGREGATIONS), nullable=True),
    },
    "polarity": {
        "mode": Field(_one_of(MODES), required=True),
        "target": Field(_words, required=True),
    },
    "status": {"value": Field(_words, required=True), "rivals": _LIST},
    "comparison": {
        "sets": Field(_some_words, required=True),
        "direction": Field(_one_of(DIRECTIONS), required=True),
        "measure": _OPTIONAL_WORDS,
    },
    "evidence": {"source": Field(_words, required=True)},
}


# ---------------------------------------------------------------- a whole value


@dataclass(frozen=True, slots=True)
class ValueFault:
    """What is wrong with one field: `said` follows its name, `other` is a second field that the
    sentence names, followed by `rest`. Pages put the labels of the fields there. `given` fills the
    places of both, so that they can be said in another language.
    """

    field: str
    said: str
    other: str = ""
    rest: str = ""
    given: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def told(self, say: Say = str) -> tuple[str, str]:
        """Return `said` and `rest` as sentences."""
        # What a person typed stays as it is, whatever word it happens to be.
        given = {n: say(v) if n in ("wrong", "word") else v for n, v in self.given.items()}
        return say(self.said) % given, say(self.rest) % given if self.rest else ""

    def __str__(self) -> str:
        said, rest = self.told()
        other = f"“{self.other}”" if self.other else ""
        return f"The field “{self.field}” {said}{other}{rest}"


def validate_value(kind: str, value: Any) -> list[str]:
    """Return what is wrong with a value, a sentence each: the field, the fault, what is allowed.

    An empty list means that `value` is sound for a constraint of this kind.
    """
    fields = FIELDS.get(kind)
    if fields is None:
        return [f"“{kind}” is no kind of constraint; choose one of {', '.join(FIELDS)}."]
    if not isinstance(value, Mapping):
        return [f"The value of a {kind} must be an object with the fields {', '.join(fields)}."]
    return [str(fault) for fault in value_faults(kind, value)]


def value_faults(kind: str, value: Mapping[str, Any]) -> list[ValueFault]:
    """Return the faults of a value field by field, one for each mistake. A kind that is not in the
    table is a KeyError.
    """
    fields = FIELDS[kind]
    faults = [
        ValueFault(
            name,
            _("is unknown for a %(kind)s; allowed are %(fields)s."),
            given={"kind": kind, "fields": ", ".join(fields)},
        )
        for name in value
        if name not in fields
    ]
    faults += [fault for name, field in fields.items() if (fault := _fault(name, field, value))]
    if kind == "time" and value.get("end") == value.get("start"):
        # The end was filled in from the start, or is wrong as the start is: one mistake.
        start_wrong = any(fault.field == "start" for fault in faults)
        faults = [fault for fault in faults if not (start_wrong and fault.field == "end")]
    return faults or _TOGETHER.get(kind, _no_more)(complete_value(kind, value))


def _fault(name: str, field: Field, value: Mapping[str, Any]) -> ValueFault | None:
    if name not in value:
        return ValueFault(name, _("is missing; give it.")) if field.required else None
    if value[name] is None:
        return None if field.nullable else ValueFault(name, _("is null; give a value."))
    wrong = field.check(value[name])
    if not wrong:
        return None
    given = {"value": _shown(value[name]), "wrong": wrong}
    return ValueFault(name, _("is %(value)s; %(wrong)s."), given=given)


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, str) else f"“{value}”"
    return text if len(text) <= 60 else text[:57] + "…"


def _no_more(value: Mapping[str, Any]) -> list[ValueFault]:
    return []


_MISSED = _("is missing; “%(word)s” needs it.")
_MEANINGLESS = _("has no meaning with “%(word)s”; leave it empty.")


def _time_together(value: Mapping[str, Any]) -> list[ValueFault]:
    """Which bounds a relation has, and that they are in order."""
    relation, start, end = value["relation"], value["start"], value["end"]
    needs, refuses = {
        "before": ("end", "start"), "until": ("end", "start"), "by": ("end", "start"),
        "after": ("start", "end"), "since": ("start", "end"),
    }.get(relation, ("start", ""))  # fmt: skip
    if refuses and value[needs] is None and value[refuses] is not None:
        moved = _("has no meaning with “%(word)s”; move it to ")
        return [ValueFault(refuses, moved, needs, ".", {"word": relation})]
    faults = []
    if value[needs] is None:
        faults.append(ValueFault(needs, _MISSED, given={"word": relation}))
    if refuses and value[refuses] is not None:
        faults.append(ValueFault(refuses, _MEANINGLESS, given={"word": relation}))
    if relation == "between" and start is not None and end is None:
        faults.append(ValueFault("end", _MISSED, given={"word": relation}))
    first = time_bounds(start) if start else None
    last = time_bounds(end) if end else None
    if not faults and first and last and first[0] > last[1]:
        before, swap = _("(%(high)s) lies before "), _(" (%(low)s); swap them.")
        faults.append(ValueFault("end", before, "start", swap, {"high": end, "low": start}))
    return faults


def _quantity_together(value: Mapping[str, Any]) -> list[ValueFault]:
    operator, low, high = value["operator"], value["value"], value["high"]
    if operator == "between" and high is None:
        return [ValueFault("high", _("is missing; “between” needs the upper end."))]
    if operator != "between" and high is not None:
        return [ValueFault("high", _MEANINGLESS, given={"word": operator})]
    if high is not None and high < low:
        less, swap = _("(%(high)s) is less than "), _(" (%(low)s); swap them.")
        return [ValueFault("high", less, "value", swap, {"high": high, "low": low})]
    return []


_TOGETHER: Mapping[str, Callable[[Mapping[str, Any]], list[ValueFault]]] = {
    "time": _time_together,
    "quantity": _quantity_together,
}


def complete_value(kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy in the table's order with every missing optional field filled in.

    A time with `on`, `during` or `as_of` and no `end` ends as it starts. Unknown fields stay, at
    the end, so that
    nothing a person typed is lost. A kind that is not in the table is a KeyError.
    """
    fields = FIELDS[kind]
    whole: dict[str, Any] = {}
    for name, field in fields.items():
        if name in value or not field.required:
            found = value.get(name, field.default)
            whole[name] = list(found) if isinstance(found, list | tuple) else found
    whole.update((name, item) for name, item in value.items() if name not in fields)
    if whole.get("relation") in ("on", "during", "as_of") and whole.get("end") is None:
        whole["end"] = whole["start"]
    return whole
