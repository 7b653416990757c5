"""A first guess at a constraint's value, from the marked words alone. Pure; the annotator corrects
it.
"""

import re
from typing import Any

_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d|21\d\d)\b")
_NEGATIVE = re.compile(r"(?i)^(excluding|except|without|other than|not|no|never)\s+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_RELATIONS = {
    "before": "before",
    "until": "until",
    "by": "by",
    "after": "after",
    "since": "since",
    "during": "during",
    "as of": "as_of",
    "between": "between",
}


def first_value(kind: str, words: str) -> dict[str, Any]:
    """Return the fields of `kind` that the words themselves suggest; the rest is left to the
    person.
    """
    words = words.strip()
    if kind == "referent":
        return {"name": words}
    if kind == "time":
        return _time(words)
    if kind == "quantity":
        number = _NUMBER.search(words)
        return {
            "operator": "=",
            "value": float(number.group().replace(",", "")) if number else None,
            "unit": "%" if "%" in words else None,
        }
    if kind == "polarity":
        exclude = re.match(r"(?i)\s*(excluding|except|without|other than)\b", words)
        return {
            "mode": "exclude" if exclude else "negate",
            "target": _NEGATIVE.sub("", words),
        }
    if kind == "status":
        return {"value": words}
    if kind == "comparison":
        return {"measure": words}
    return {"source": words}


def _time(words: str) -> dict[str, Any]:
    lowered = words.lower()
    relation = next(
        (name for word, name in _RELATIONS.items() if re.search(rf"\b{word}\b", lowered)), "on"
    )
    years = _YEAR.findall(words)
    fiscal = bool(re.search(r"(?i)\b(fy|fiscal)", words))
    value: dict[str, Any] = {"relation": relation, "calendar": "fiscal" if fiscal else "calendar"}
    if years:
        if relation not in {"before", "until", "by"}:
            value["start"] = years[0]
        if relation not in {"after", "since"}:
            value["end"] = years[-1]
    return value
