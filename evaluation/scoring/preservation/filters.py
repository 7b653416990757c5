"""Filters as flat terms: which field, which operator, which value.

Understood are `{"field": value}`, `{"field": [values]}`, `{"field": {"lt": value}}` with or
without `$`,
suffixes such as `year__gte`, `{"field": …, "operator": …, "value": …}`, and the groups
`and/must/filter/conditions` and `not/must_not/exclude`. A group of alternatives (`or`, `should`)
is marked
`optional`, because none of its terms is sure to hold.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evaluation.scoring.preservation.text import Text, read_text

_OPERATORS = {
    "lt": "<", "<": "<", "before": "<", "lte": "<=", "<=": "<=", "le": "<=", "max": "<=",
    "to": "<=", "until": "<=", "gt": ">", ">": ">", "after": ">", "gte": ">=", ">=": ">=",
    "ge": ">=", "min": ">=", "from": ">=", "since": ">=", "eq": "=", "=": "=", "==": "=",
    "term": "=", "match": "=", "value": "=", "in": "=", "terms": "=", "any": "=", "ne": "!=",
    "!=": "!=", "neq": "!=", "nin": "!=", "not in": "!=", "not_in": "!=", "not": "!=",
    "exclude": "!=",
}  # fmt: skip
_ALL = {"and", "must", "filter", "filters", "conditions", "all", "range", "bool"}
_NONE = {"not", "must_not", "exclude", "nor"}
_SOME = {"or", "should"}
_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


@dataclass(frozen=True)
class FilterTerm:
    """One condition: `field` with dots between levels, an operator of `= != < <= > >=`, a value."""

    field: str
    operator: str
    value: Any
    optional: bool = False

    @cached_property
    def name(self) -> Text:
        """The words of the field's name."""
        return read_text(self.field.replace("_", " ").replace(".", " "))

    @cached_property
    def text(self) -> Text:
        """The value as words."""
        return read_text(self.shown)

    @property
    def shown(self) -> str:
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        try:
            return "" if self.value is None else str(self.value)
        except ValueError:  # an integer of thousands of digits
            return f"{self.value:x}"

    @property
    def number(self) -> float | None:
        """The value as a number, or None."""
        if isinstance(self.value, bool) or self.value is None:
            return None
        try:
            return float(self.shown)
        except ValueError:
            return None


def read_filters(filters: Mapping[str, Any]) -> tuple[FilterTerm, ...]:
    """Return every condition of `filters` in its order. Shapes not understood are marked
    `optional`,
    so that nothing certain is read from them."""
    return tuple(_terms(filters, "", negated=False, optional=False))


def _terms(
    value: Any, field: str, *, negated: bool, optional: bool, operator: str = "="
) -> Iterator[FilterTerm]:
    if isinstance(value, Mapping):
        yield from _mapping(value, field, negated=negated, optional=optional)
    elif isinstance(value, list | tuple):
        # A list of conditions is a group; a list of plain values offers alternatives.
        plain = not any(isinstance(item, Mapping) for item in value)
        several = plain and len(value) > 1 and operator == "=" and not negated
        for item in value:
            yield from _terms(
                item, field, negated=negated, optional=optional or several, operator=operator
            )
    else:
        shown = _FLIPPED[operator] if negated else operator
        yield FilterTerm(field, shown, value, optional)


def _mapping(
    value: Mapping[str, Any], field: str, *, negated: bool, optional: bool
) -> Iterator[FilterTerm]:
    if "field" in value and "value" in value:
        sign = _OPERATORS.get(str(value.get("operator", "=")).casefold().lstrip("$"))
        yield from _terms(
            value["value"],
            str(value["field"]),
            negated=negated,
            optional=optional or sign is None,
            operator=sign or "=",
        )
        return
    junction = str(value.get("operator", "")).casefold()
    for key, item in value.items():
        if key == "operator" and junction in {*_ALL, *_SOME, *_NONE}:
            continue
        yield from _entry(key, item, field, negated=negated, optional=optional or junction in _SOME,
                          turned=junction in _NONE)  # fmt: skip


def _entry(
    key: str, item: Any, field: str, *, negated: bool, optional: bool, turned: bool
) -> Iterator[FilterTerm]:
    plain = key.casefold().lstrip("$")
    negated ^= turned
    if isinstance(item, Mapping | list) and plain in _ALL:
        yield from _terms(item, field, negated=negated, optional=optional)
    elif isinstance(item, Mapping | list) and plain in _SOME:
        yield from _terms(item, field, negated=negated, optional=True)
    elif plain in _NONE and (isinstance(item, Mapping | list) or not field):
        yield from _terms(item, field, negated=not negated, optional=optional)
    elif field and plain in _OPERATORS:
        yield from _terms(
            item, field, negated=negated, optional=optional, operator=_OPERATORS[plain]
        )
    else:
        name, sign = _named_operator(key)
        path = f"{field}.{name}" if field else name
        yield from _terms(item, path, negated=negated, optional=optional, operator=sign)


def _named_operator(key: str) -> tuple[str, str]:
    """Split an operator off a field's name: `year__gte`, `min_price`, `not_type`, `date_from`."""
    head, _, tail = key.rpartition("_")
    if head and tail.casefold() in _OPERATORS and tail.casefold() not in ("value", "any", "in"):
        return head.rstrip("_"), _OPERATORS[tail.casefold()]
    first, _, rest = key.partition("_")
    if rest and first.casefold() in ("min", "max", "not", "exclude", "from", "to", "until", "since",
                                     "before", "after"):  # fmt: skip
        return rest, _OPERATORS[first.casefold()]
    return key, "="
