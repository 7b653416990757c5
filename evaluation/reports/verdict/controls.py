"""The controls of a run as rows: expansions that must pass, and which the judge rejected.
Knows no model.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.reports.figures import Cell, percent, rate_cell


@dataclass(frozen=True, slots=True)
class RejectedText:
    """A text that must pass and did not, or may not once its open judgements are settled."""

    control: str
    request: str
    text: str
    state: str | Promise
    why: str


@dataclass(frozen=True, slots=True)
class ControlsShown:
    """The rate of false rejections, and the texts behind it."""

    rate: Cell
    texts: tuple[RejectedText, ...]


def controls_shown(result: Mapping[str, Any]) -> ControlsShown | None:
    """Return the controls of a result; None where it has none, as those of earlier versions."""
    found = result.get("controls")
    if not found or not found["judged"]:
        return None
    texts = tuple(
        RejectedText(
            row["id"],
            row["request"],
            text["text"],
            gettext_lazy("open") if text["best"] else gettext_lazy("rejected"),
            text["why"],
        )
        for row in found["judged"]
        for text in row["texts"]
        if not text["worst"]
    )
    return ControlsShown(false_rejections(found["false_rejections"]), texts)


def false_rejections(rate: Mapping[str, Any]) -> Cell:
    """The cell of the rate; with open judgements, what it is when they turn out kept."""
    cell = rate_cell(rate["worst"])
    if rate["open"] and rate["best"]["value"] is not None:
        best = percent(rate["best"]["value"])
        note = _("%(open)d open: %(best)s if kept") % {"open": rate["open"], "best": best}
        cell = replace(cell, note=note)
    return cell
