"""What the scorecard says of the rewriting itself. Knows no model: from `run.result`."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.figures import Cell, of_total, percent
from evaluation.scoring.rewriting import ASKED, FAILED, FELL_BACK, REWRITTEN, UNCHANGED, UNKNOWN
from evaluation.scoring.scorecard import ORIGINAL

REWRITING: tuple[tuple[str, str | Promise, str | Promise], ...] = (
    (
        REWRITTEN,
        gettext_lazy("Rewritten"),
        gettext_lazy("assessed requests in which the rewriter wrote what was searched"),
    ),
    (
        FELL_BACK,
        gettext_lazy("Fell back to the original"),
        gettext_lazy("the rewriter failed; scored as the original's search, never as a rewrite"),
    ),
)


def rewriting_cell(name: str, arm: Mapping[str, Any]) -> Cell:
    """In how many assessed requests of the arm that was so; the original arm rewrites nothing."""
    counts = arm["rewriting"]
    total = sum(counts.values())
    if arm["arm"] == ORIGINAL or not total:
        return Cell(_("not applicable"), missing=True)
    note = _others(counts) if name == REWRITTEN else ""
    return Cell(percent(counts[name] / total), of_total(counts[name], total), note=note)


def _others(counts: Mapping[str, int]) -> str:
    """What became of the rest, but for what has a row of its own."""
    said = {
        UNCHANGED: ngettext("%(n)d left as it was", "%(n)d left as they were", counts[UNCHANGED]),
        ASKED: ngettext("%(n)d asked back", "%(n)d asked back", counts[ASKED]),
        FAILED: ngettext("%(n)d failed", "%(n)d failed", counts[FAILED]),
        UNKNOWN: ngettext("%(n)d not logged", "%(n)d not logged", counts[UNKNOWN]),
    }
    return " · ".join(words % {"n": counts[way]} for way, words in said.items() if counts[way])
