"""What the charts of a run share: the shape of one before it is drawn, and its words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from evaluation.charting.shapes import Picture
from evaluation.reports.figures import Cell, Figures
from evaluation.scoring.scorecard import ALL_CLASSES


@dataclass(frozen=True, slots=True)
class Charted:
    """One chart before it is drawn. Without a picture `note` says why there is none."""

    name: str
    title: str
    description: str
    picture: Picture | None
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    note: str = ""


def scope_words(scope: str) -> str:
    return _("all classes") if scope == ALL_CLASSES else scope


def in_words(cell: Cell) -> str:
    """A cell as one text: "85.9 % (85 of 99; 77.7 to 91.4 %)"."""
    beside = "; ".join(part for part in (cell.of, cell.interval, cell.note) if part)
    return f"{cell.text} ({beside})" if beside else cell.text


def interval(estimate: Figures) -> tuple[float, float] | None:
    """The two-sided interval of an estimate, if it has one with a width."""
    low, high = estimate.get("low"), estimate.get("high")
    if low is None or high is None or low == high:
        return None
    return float(low), float(high)


def interval_words(estimates: Iterable[Figures]) -> str:
    """What the line under a bar is: an interval, at the level that the first of them has."""
    for estimate in estimates:
        if interval(estimate) and estimate.get("level"):
            return _("%(level)s %% interval") % {"level": f"{100 * estimate['level']:g}"}
    return ""


def hits(estimate: Figures) -> tuple[int, int]:
    """The counts behind a rate: how many hit, of how many values (pairs, requests)."""
    rows = estimate.get("rows")
    return int(estimate["numerator"] or 0), int(estimate["n"] if rows is None else rows)


def sentence(arm: str, counts: Iterable[str]) -> str:
    return _("Under %(arm)s: %(counts)s.") % {"arm": arm, "counts": ", ".join(counts)}


def arms_in(result: Mapping[str, Any], scope: str) -> list[Mapping[str, Any]]:
    """The scorecard's rows of one scope, the original first."""
    return [row for row in result["scorecard"]["arms"] if row["scope"] == scope]
