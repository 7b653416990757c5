"""Numbers as a reader sees them: never without a denominator, never NaN. Knows no model.

Every function takes numbers or an `Estimate` as JSON (`run.result` and verdicts hold these) and
returns text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.scoring.percentages import MINUS, percentage, signed_points
from evaluation.statistics import Estimate
from evaluation.statistics.estimate import NO_SPREAD

Figures = Mapping[str, Any]  # an Estimate as JSON

NOT_MEASURED = "Not measured."


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a table: `text` is the number, `of` its denominator, `interval` its interval.

    A number that does not exist has a word in `text` ("not measured", "not applicable") and the
    reason in `note`.
    """

    text: str
    of: str = ""
    interval: str = ""
    note: str = ""
    missing: bool = False


def percent(value: float) -> str:
    """A rate in [0, 1] as a percentage with one decimal, or more where it is nearly 0 or 100.

    >>> percent(0.8222)
    '82.2 %'
    """
    return f"{percentage(value)} %"


def points(value: float) -> str:
    """A difference of rates in percentage points, signed; only 0 itself is 0, and has no sign.

    >>> points(-0.067)
    '−6.7'
    """
    text = signed_points(value)
    return "0.0" if float(text) == 0 else text.replace("-", MINUS)


def p_value(value: float) -> str:
    """A p-value with two figures; a small one as a bound.

    >>> p_value(0.1114)
    '0.11'
    """
    if value < 0.001:
        return "< 0.001"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def milliseconds(value: float) -> str:
    """A time in ms, as seconds from ten seconds on."""
    if value >= 10_000:
        return f"{value / 1000:,.1f} s"
    return f"{value:,.0f} ms" if value >= 10 else f"{value:.1f} ms"


def dollars(value: float) -> str:
    """A cost in USD with three significant figures, never in powers of ten."""
    if value == 0:
        return "USD 0"
    decimals = max(2, 2 - _exponent(value))
    return f"USD {value:,.{decimals}f}"


def grouped(number: int) -> str:
    """A large number with its thousands set apart as the language of the page does it."""
    return f"{number:,}".replace(",", _(","))


def of_total(count: int, total: int) -> str:
    return _("%(count)d of %(total)d") % {"count": count, "total": total}


def missing(estimate: Figures) -> Cell:
    """The cell of an estimate without a value: a word, and why."""
    reason = estimate["reason"]
    if reason == NOT_MEASURED:
        return Cell(_("not measured"), missing=True)
    return Cell(_("not applicable"), note=reason, missing=True)


def rate_cell(estimate: Figures) -> Cell:
    """A rate with "n of m" (or how many it is a mean over) and its interval."""
    if estimate["value"] is None:
        return missing(estimate)
    return Cell(
        percent(estimate["value"]),
        _denominator(estimate),
        span(estimate, percent_bare, " %"),
    )


def mean_cell(estimate: Figures, shown: Any) -> Cell:
    """A mean per request, formatted by `shown`."""
    if estimate["value"] is None:
        return missing(estimate)
    return Cell(shown(estimate["value"]), _denominator(estimate), span(estimate, shown))


def difference_cell(estimate: Figures | None) -> Cell:
    """Candidate - original in percentage points with its interval, and the requests (constraints)
    that it is a mean over, in the base cases that are resampled.
    """
    if estimate is None:
        return Cell("")
    if estimate["value"] is None:
        return missing(estimate)
    return Cell(points(estimate["value"]), _in_base_cases(estimate), span(estimate, points))


def narrowed(cell: Cell, difference: Figures | None, sides: Iterable[Figures]) -> Cell:
    """The cell of a difference, saying over how many it is where the sides are over more: what is
    open or was not assessed under one of them is in no difference.
    """
    if difference is None or difference["value"] is None:
        return cell
    n = _values(difference)
    if n >= max((_values(side) for side in sides), default=0):
        return cell
    note = _("over the %(n)d settled under both") % {"n": n}
    return replace(cell, note=" · ".join(part for part in (note, cell.note) if part))


def percent_bare(value: float) -> str:
    return percentage(value)


def span(estimate: Figures, shown: Any, unit: str = "") -> str:
    """The interval in words; empty when there is none. Where resampling shows no spread, that."""
    low, high = estimate.get("low"), estimate.get("high")
    if low is None and high is None:
        return ""
    if NO_SPREAD in estimate.get("reason", ""):
        return _("no spread")
    if high is None:
        return _("at least %(low)s") % {"low": shown(low) + unit}
    if low is None:
        return _("at most %(high)s") % {"high": shown(high) + unit}
    return _("%(low)s to %(high)s") % {"low": shown(low), "high": shown(high) + unit}


def undefined(reason: str) -> dict[str, Any]:
    return Estimate.undefined(reason).to_json()


def _denominator(estimate: Figures) -> str:
    rows, n = estimate.get("rows"), estimate["n"]
    if estimate.get("numerator") is not None and rows not in (None, n):
        of = of_total(estimate["numerator"], rows)
        said = ngettext("%(of)s in %(n)d base case", "%(of)s in %(n)d base cases", n)
        return said % {"of": of, "n": n}
    if estimate.get("numerator") is not None:
        return of_total(estimate["numerator"], n)
    return _("over %(n)d") % {"n": estimate["n"]}


def _values(estimate: Figures) -> int:
    """How many values the estimate is a mean over, not their clusters."""
    rows = estimate.get("rows")
    return int(estimate["n"] if rows is None else rows)


def _in_base_cases(estimate: Figures) -> str:
    rows, n = estimate.get("rows"), estimate["n"]
    # Results of earlier versions do not say how many rows they are a mean over.
    if rows is None:
        return str(n)
    return ngettext("%(rows)d in %(n)d base case", "%(rows)d in %(n)d base cases", n) % {
        "rows": rows,
        "n": n,
    }


def _exponent(value: float) -> int:
    return int(f"{value:e}".rpartition("e")[2])
