"""What the scorecard says of how much evidence came, and how early.
Knows no model: from `run.result`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.reports.figures import Cell, of_total, rate_cell

Line = tuple[str | Promise, str | Promise, tuple[Cell, ...]]


def evidence_rows(arms: Sequence[Mapping[str, Any]]) -> list[Line]:
    """Return (label, meaning, a cell for each arm): all evidence retrieved, then each depth."""
    if not all("evidence_depths" in arm for arm in arms):
        return []  # results of earlier versions have none
    found = [arm["evidence_depths"] for arm in arms]
    label = _("All required evidence retrieved")
    about = _("requests of which every required item was retrieved")
    rows: list[Line] = [(label, about, tuple(rate_cell(one["complete"]) for one in found))]
    for depth in sorted({int(d) for one in found for d in one["within"]}):
        label = ngettext(
            "Evidence recall in the first document",
            "Evidence recall in the first %(depth)d documents",
            depth,
        ) % {"depth": depth}
        cells = tuple(_depth_cell(one, str(depth)) for one in found)
        rows.append((label, _("mean over requests"), cells))
    return rows


def longer_lists(arm: Mapping[str, Any], original: Mapping[str, Any] | None) -> list[str]:
    """Say that an arm's lists go deeper than the original's, where they do: every document of a
    logged list is scored, and what is found deeper is no merit of the rewrite.
    """
    if original is None or "evidence_depths" not in arm or "evidence_depths" not in original:
        return []
    here, there = (one["evidence_depths"].get("longest", 0) for one in (arm, original))
    if here <= there:
        return []
    said = _(
        "The lists of this arm have up to %(here)d documents, those of the original up to "
        "%(there)d. Evidence recall counts all of them: compare it by depth, or freeze k = "
        "%(here)d."
    )
    return [said % {"here": here, "there": there}]


def _depth_cell(figures: Mapping[str, Any], depth: str) -> Cell:
    if depth not in figures["within"]:
        return Cell(_("not applicable"), missing=True)
    whole = figures["complete_within"][depth]
    note = _("all of it: %(of)s") % {"of": of_total(whole["numerator"], whole["n"])}
    return replace(rate_cell(figures["within"][depth]), note=note)
