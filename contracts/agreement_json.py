"""A table of agreement as JSON, for files, programs and snapshots. Pure: docs/formats.md has the
shape.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from contracts.agreement import Agreement, Figure

COEFFICIENTS = ("raw", "alpha", "ac1", "kappa")
_DIGITS = 10  # what sums in another order on another machine do not reach


def figures_json(table: Agreement) -> list[dict[str, Any]]:
    """Every row of the table, in its order; the kind of a row over all kinds is null."""
    return [_figure(figure) for figure in table.figures]


def differing(
    before: list[dict[str, Any]], after: list[dict[str, Any]]
) -> Iterator[tuple[str, str, Any, Any]]:
    """Each number that is not the same in both: the row, the number's name, and what it is and
    was.
    """
    new = {(row["question"], row["kind"]): row for row in after}
    for row in before:
        now = new.get((row["question"], row["kind"]), {})
        for name, was in row.items():
            if now.get(name) != was:
                place = f"{row['question']}, {row['kind'] or 'all'}"
                yield place, name, _short(now.get(name)), _short(was)


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "question": figure.what,
        "kind": figure.kind or None,
        **{name: _coefficient(figure, name) for name in COEFFICIENTS},
        "units": figure.units,
        "one_sided": figure.one_sided,
        "requests": figure.requests,
        "ratings": figure.ratings,
        "prevalence": {name: round(share, _DIGITS) for name, share in figure.prevalence.items()},
    }


def _coefficient(figure: Figure, name: str) -> dict[str, Any]:
    found, interval = getattr(figure, name), figure.intervals.get(name)
    return {
        "value": _rounded(found.value),
        "reason": found.reason,
        "interval": interval
        and {
            "low": _rounded(interval.low),
            "high": _rounded(interval.high),
            "resamples": interval.used,
            "undefined": interval.undefined,
            "reason": interval.reason,
        },
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _short(value: Any) -> Any:
    """A coefficient in one line, with its interval."""
    if not isinstance(value, Mapping) or "value" not in value:
        return value
    interval = value["interval"]
    between = f" [{interval['low']}, {interval['high']}]" if interval else ""
    return f"{value['value']}{between}"
