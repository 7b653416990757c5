"""The value fields of each kind of constraint: the table, its validation, and a plain phrase for a
value.

The table is the one of contracts.jsonl (docs/formats.md). Pure: sentences out, no exceptions for
bad input.
"""

import calendar
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


def _words(value: Any) -> str | None:
    ok = isinstance(value, str) and value.strip()
    return None if ok else "write it in words; empty is not allowed"


def _several_words(value: Any) -> str | None:
    if isinstance(value, list | tuple) and all(_words(item) is None for item in value):
        return None
    return "give a list of words or phrases, none of them empty"


def _some_words(value: Any) -> str | None:
    return _several_words(value) or (None if value else "give at least one word or phrase")


def _one_of(allowed: Sequence[str]) -> Check:
    def check(value: Any) -> str | None:
        # A list is no key of a set, so membership is tested in the tuple.
        ok = isinstance(value, str) and value in allowed
        return None if ok else f"choose one of {', '.join(allowed)}"

    return check


def _turn(value: Any) -> str | None:
    ok = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return None if ok else "give the number of a turn, counted from 0"


def _flag(value: Any) -> str | None:
    return None if isinstance(value, bool) else "give true or false"


def _time(value: Any) -> str | None:
    ok = isinstance(value, str) and time_bounds(value) is not None
    return None if ok else "give a date (2023-04-30), month (2023-04), quarter (2023-Q1) or year"


def _number(value: Any) -> str | None:
    ok = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return None if ok else "give a finite number"


def _code(value: Any) -> str | None:
    ok = isinstance(value, str) and _CURRENCY.fullmatch(value)
    return None if ok else "give a currency code of three capital letters, such as EUR"


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
    sentence names, followed by `rest`. Pages put the labels of the fields there.
    """

    field: str
    said: str
    other: str = ""
    rest: str = ""

    def __str__(self) -> str:
        other = f"“{self.other}”" if self.other else ""
        return f"The field “{self.field}” {self.said}{other}{self.rest}"


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
        ValueFault(name, f"is unknown for a {kind}; allowed are {', '.join(fields)}.")
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
        return ValueFault(name, "is missing; give it.") if field.required else None
    if value[name] is None:
        return None if field.nullable else ValueFault(name, "is null; give a value.")
    wrong = field.check(value[name])
    return ValueFault(name, f"is {_shown(value[name])}; {wrong}.") if wrong else None


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, str) else f"“{value}”"
    return text if len(text) <= 60 else text[:57] + "…"


def _no_more(value: Mapping[str, Any]) -> list[ValueFault]:
    return []


def _time_together(value: Mapping[str, Any]) -> list[ValueFault]:
    """Which bounds a relation has, and that they are in order."""
    relation, start, end = value["relation"], value["start"], value["end"]
    needs, refuses = {
        "before": ("end", "start"), "until": ("end", "start"), "by": ("end", "start"),
        "after": ("start", "end"), "since": ("start", "end"),
    }.get(relation, ("start", ""))  # fmt: skip
    if refuses and value[needs] is None and value[refuses] is not None:
        return [ValueFault(refuses, f"has no meaning with “{relation}”; move it to ", needs, ".")]
    faults = []
    if value[needs] is None:
        faults.append(ValueFault(needs, f"is missing; “{relation}” needs it."))
    if refuses and value[refuses] is not None:
        faults.append(ValueFault(refuses, f"has no meaning with “{relation}”; leave it empty."))
    if relation == "between" and start is not None and end is None:
        faults.append(ValueFault("end", "is missing; “between” needs it."))
    first = time_bounds(start) if start else None
    last = time_bounds(end) if end else None
    if not faults and first and last and first[0] > last[1]:
        faults.append(
            ValueFault("end", f"({end}) lies before ", "start", f" ({start}); swap them.")
        )
    return faults


def _quantity_together(value: Mapping[str, Any]) -> list[ValueFault]:
    operator, low, high = value["operator"], value["value"], value["high"]
    if operator == "between" and high is None:
        return [ValueFault("high", "is missing; “between” needs the upper end.")]
    if operator != "between" and high is not None:
        return [ValueFault("high", f"has no meaning with “{operator}”; leave it empty.")]
    if high is not None and high < low:
        return [ValueFault("high", f"({high}) is less than ", "value", f" ({low}); swap them.")]
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


# ---------------------------------------------------------------- as a phrase


def describe_value(kind: str, value: Mapping[str, Any]) -> str:
    """Return a short plain phrase for a sound value: "before 2021", "≥ 5 %, annual".

    A kind that is not in the table is a KeyError.
    """
    return _PHRASES[kind](complete_value(kind, value))


def _referent(value: Mapping[str, Any]) -> str:
    return f"{value['name']} (unresolved)" if value["unresolved"] else str(value["name"])


def _period(text: str) -> str:
    year, _, quarter = text.partition("-Q")
    return f"Q{quarter} {year}" if quarter else text


def _time_phrase(value: Mapping[str, Any]) -> str:
    relation = value["relation"]
    fiscal = "fiscal " if value["calendar"] == "fiscal" else ""
    start, end = (fiscal + _period(v) if v else "" for v in (value["start"], value["end"]))
    if relation == "between" or start and end and start != end:
        return f"from {start} to {end}"
    if relation == "on" and value["start"] and time_bounds(value["start"]):
        first, last = time_bounds(value["start"]) or ("", "")
        return f"on {start}" if first == last else f"in {start}"
    return f"{relation.replace('_', ' ')} {start or end}"


def _quantity_phrase(value: Mapping[str, Any]) -> str:
    signs = {"<=": "≤", ">=": "≥", "between": "", "about": "about"}
    amount = _figure(value["value"])
    if value["high"] is not None:
        amount = f"{amount} to {_figure(value['high'])}"
    unit = {"percent": "%"}.get(value["unit"] or "", value["unit"])
    parts = (signs.get(value["operator"], value["operator"]), value["currency"], amount, unit)
    phrase = " ".join(part for part in parts if part)
    aggregation = value["aggregation"]
    return f"{phrase}, {aggregation.replace('_', ' ')}" if aggregation else phrase


def _figure(number: float) -> str:
    """A number as people write it: 7,000,000 and 4.1."""
    return f"{int(number):,}" if number == int(number) else f"{number:,.12g}"


def _polarity(value: Mapping[str, Any]) -> str:
    return f"{'excludes' if value['mode'] == 'exclude' else 'not'} {value['target']}"


def _status(value: Mapping[str, Any]) -> str:
    rivals = " or ".join(value["rivals"])
    return f"{value['value']}, not {rivals}" if rivals else str(value["value"])


def _comparison(value: Mapping[str, Any]) -> str:
    sets, direction = value["sets"], value["direction"]
    named = " and ".join(sets) if direction in ("same", "difference") else " or ".join(sets)
    phrase = f"{direction}: {named}" if len(sets) > 1 else f"{direction} of {named}"
    measure = value["measure"]
    return f"{phrase}, by {measure}" if measure and measure not in sets else phrase


def _evidence(value: Mapping[str, Any]) -> str:
    return f"according to {value['source']}"


_PHRASES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "referent": _referent,
    "time": _time_phrase,
    "quantity": _quantity_phrase,
    "polarity": _polarity,
    "status": _status,
    "comparison": _comparison,
    "evidence": _evidence,
}
