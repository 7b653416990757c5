"""Agreement as tables for statistics: the figures, and the ratings behind one of them. What these
hold is the same in every language. No Django here.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from contracts.agreement import OFFERED, VALUE, Rating
from contracts.agreement_json import COEFFICIENTS
from contracts.phrases import describe_value
from contracts.terms import ConstraintTerms
from contracts.values import validate_value

Row = dict[str, Any]

FIGURE_COLUMNS = (
    *("question", "kind"),
    *(f"{name}{part}" for name in COEFFICIENTS for part in ("", "_low", "_high", "_reason")),
    *("units", "requests", "one_sided", "ratings", "prevalence"),
)
RATING_COLUMNS = (
    *("question", "kind", "request", "unit", "reviewer", "label", "says", "value", "materiality"),
    *("turn", "start", "end", "agreed"),
)


def figure_rows(figures: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """One row for each row of the table; what is not defined is empty and has its reason."""
    for figure in figures:
        row = {name: figure[name] for name in FIGURE_COLUMNS if name in figure}
        for name in COEFFICIENTS:
            interval = figure[name]["interval"] or {"low": None, "high": None}
            row[name] = figure[name]["value"]
            row[f"{name}_low"], row[f"{name}_high"] = interval["low"], interval["high"]
            row[f"{name}_reason"] = figure[name]["reason"] or None
        yield row


def rating_rows(what: str, ratings: Iterable[Rating], names: Mapping[str, str]) -> Iterator[Row]:
    """One row for each reviewer of each unit, in the order of the list: differences first."""
    for unit, rating in enumerate(ratings, start=1):
        for place, reviewer in enumerate(rating.reviewers):
            label = rating.labels[place]
            side = rating.unit.sides[place] if rating.unit else None
            yield {
                "question": what,
                "kind": rating.kind or None,
                "request": rating.request,
                "unit": unit,
                "reviewer": names.get(reviewer, reviewer),
                "label": _label(what, label),
                **_said(side),
                "agreed": rating.agreed if rating.rated > 1 else None,
            }


def _label(what: str, label: Any) -> str | None:
    """The category; of open values none, because their words stand beside it."""
    return None if label is None or what == VALUE else OFFERED[what][label]


def _said(side: ConstraintTerms | None) -> Row:
    if side is None:
        fields = ("says", "value", "materiality", "turn", "start", "end")
        return dict.fromkeys(fields)
    sound = not validate_value(side.kind, side.value)
    return {
        "says": describe_value(side.kind, side.value) if sound else None,
        "value": dict(side.value),
        "materiality": side.materiality,
        "turn": side.span.turn if side.span else None,
        "start": side.span.start if side.span else None,
        "end": side.span.end if side.span else None,
    }
