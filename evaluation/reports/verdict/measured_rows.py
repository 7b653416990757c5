"""What requests took, as rows of the scorecard: latency, calls, cost. Knows no model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.reports.figures import (
    Cell,
    Figures,
    difference_cell,
    dollars,
    mean_cell,
    milliseconds,
    missing,
    span,
)
from evaluation.scoring.percentages import MINUS

Shown = Callable[[float], str]
Line = tuple[str | Promise, str | Promise, tuple[Cell, ...], Cell]

MEASURED: tuple[tuple[str, str | Promise, Shown], ...] = (
    ("latency_ms", gettext_lazy("Latency per request"), milliseconds),
    ("latency_ms_p50", gettext_lazy("Latency of half of the requests, at most"), milliseconds),
    ("latency_ms_p95", gettext_lazy("Latency of 95 % of the requests, at most"), milliseconds),
    ("calls", gettext_lazy("Calls per request"), lambda value: f"{value:.1f}"),
    ("cost", gettext_lazy("Cost per request"), dollars),
)


def measured_lines(
    arms: Sequence[Mapping[str, Any]], paired: Mapping[str, Any] | None
) -> tuple[Line, ...]:
    """Return label, what it is about, a cell for each arm, and candidate - original, paired by
    request. Results of earlier versions have neither percentiles nor differences.
    """
    return tuple(
        (
            label,
            "",
            tuple(mean_cell(arm["measured"][name], shown) for arm in arms),
            _difference(name, paired, shown),
        )
        for name, label, shown in MEASURED
        if all(name in arm["measured"] for arm in arms)
    )


def signed_cell(estimate: Figures, shown: Shown) -> Cell:
    """A difference of means in its own unit with a sign; over how many requests, its interval."""
    if estimate["value"] is None:
        return missing(estimate)

    def signed(value: float) -> str:
        text = shown(abs(value))
        if value == 0 or text == shown(0.0):
            return text
        return f"+{text}" if value > 0 else f"{MINUS}{text}"

    return Cell(signed(estimate["value"]), difference_cell(estimate).of, span(estimate, signed))


def _difference(name: str, paired: Mapping[str, Any] | None, shown: Shown) -> Cell:
    if paired is None or "measured" not in paired:
        return Cell("")
    if name not in paired["measured"]:
        return Cell(_("not compared"), note=_("a percentile is not of one request"), missing=True)
    return signed_cell(paired["measured"][name], shown)
