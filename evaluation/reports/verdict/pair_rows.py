"""Twin pairs, and answers lost and gained, as rows of the scorecard. Knows no model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.figures import Cell, difference_cell, narrowed, percent, rate_cell
from evaluation.scoring.scorecard import ALL_CLASSES, ORIGINAL

Result = Mapping[str, Any]
Label = str | Promise
Line = tuple[Label, Label, tuple[Cell, ...], Cell]

ANSWERS: tuple[tuple[str, Label, Label], ...] = (
    (
        "regression",
        gettext_lazy("Regression"),
        gettext_lazy("answers that the original had right, lost by the arm"),
    ),
    (
        "gain",
        gettext_lazy("Gain"),
        gettext_lazy("answers that the original had wrong, right under the arm"),
    ),
)


def answer_lines(
    result: Result, arms: Sequence[str], candidate: str | None, scope: str
) -> tuple[Line, ...]:
    """Return regression and gain of each arm against the original; nothing where the run has no
    other arm. The difference is that of the supported-correct answers, in the row above them.
    """
    found = {
        row["arm"]: row["answers"]
        for row in result["scorecard"]["differences"]
        if row["scope"] == scope
    }
    if not found.keys() & set(arms):
        return ()
    itself = Cell(_("is the comparison"), missing=True) if candidate else Cell("")
    return tuple(
        (label, about, tuple(_answer(name, found.get(arm), arm) for arm in arms), itself)
        for name, label, about in ANSWERS
    )


def family_lines(
    result: Result, arms: Sequence[str], candidate: str | None, scope: str
) -> tuple[Line, ...]:
    """Return how many twin pairs of each family pass as units under each arm, and candidate -
    original over the pairs settled under both. Results of earlier versions have them over all
    classes only, without a difference.
    """
    passes, differences = _rates(result, scope)
    families = sorted({family for arm, family in passes if arm in arms})
    return tuple(
        (
            _(family),
            _("twin pairs that pass as a unit"),
            tuple(_passes(passes.get((arm, family))) for arm in arms),
            _difference(passes, differences.get((candidate, family)), candidate, family),
        )
        for family in families
    )


def _difference(
    passes: Mapping[Any, Any], found: Mapping[str, Any] | None, candidate: str | None, family: str
) -> Cell:
    sides = [passes.get((arm, family)) for arm in (ORIGINAL, candidate)]
    return narrowed(difference_cell(found), found, [s["passes"]["worst"] for s in sides if s])


def _rates(result: Result, scope: str) -> tuple[dict[Any, Any], dict[Any, Any]]:
    known = result.get("pair_rates")
    if known is None:
        rows = result.get("families", {}) if scope == ALL_CLASSES else {}
        return {(arm, row["family"]): row for arm, found in rows.items() for row in found}, {}
    return (
        {(r["arm"], r["family"]): r for r in known["arms"] if r["scope"] == scope},
        {
            (r["arm"], r["family"]): r["difference"]
            for r in known["differences"]
            if r["scope"] == scope
        },
    )


def _answer(name: str, answers: Mapping[str, Any] | None, arm: str) -> Cell:
    if arm == ORIGINAL or answers is None:
        return Cell(_("baseline"), missing=True)
    cell = rate_cell(answers[name])
    worst = answers["worst_regression"]
    if name == "regression" and worst["value"] is not None:
        if worst["numerator"] != answers["regression"]["numerator"]:
            note = _("%(worst)s if unjudged answers count as lost")
            return replace(cell, note=note % {"worst": percent(worst["value"])})
    return cell


def _passes(row: Mapping[str, Any] | None) -> Cell:
    if row is None:
        return Cell(_("no pair"), missing=True)
    passes = row["passes"]
    cell = rate_cell(passes["worst"])
    notes = [cell.note] if cell.note else []
    if passes["open"] and passes["best"]["value"] is not None:
        notes.append(
            ngettext(
                "%(open)d open: %(best)s if kept",
                "%(open)d open: %(best)s if all are kept",
                passes["open"],
            )
            % {"open": passes["open"], "best": percent(passes["best"]["value"])}
        )
    if row["not_assessed"]:
        notes.append(_("%(n)d not assessed") % {"n": row["not_assessed"]})
    return replace(cell, note=" · ".join(notes))
