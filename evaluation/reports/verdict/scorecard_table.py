"""The scorecard as rows of a table: five scores, what their rules want beside them, and what was
measured. Knows no model: built from `run.result` alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.case.evidence_rows import evidence_rows
from evaluation.reports.failure_words import left_out
from evaluation.reports.figures import (
    Cell,
    Figures,
    difference_cell,
    mean_cell,
    missing,
    narrowed,
    of_total,
    p_value,
    percent,
    rate_cell,
    span,
)
from evaluation.reports.verdict.answer_rows import by_whom, rule_cell
from evaluation.reports.verdict.measured_rows import MEASURED, measured_lines
from evaluation.reports.verdict.pair_rows import answer_lines, family_lines
from evaluation.reports.verdict.rewriting_rows import REWRITING, rewriting_cell
from evaluation.scoring.scorecard import ALL_CLASSES, ORIGINAL

__all__ = ["FIVE", "MEASURED", "ScorecardTable", "p_cell", "scorecard_table", "scopes"]

Result = Mapping[str, Any]
Label = str | Promise

FIVE: tuple[tuple[str, Label, Label], ...] = (
    (
        "constraint_preservation",
        gettext_lazy("Constraint preservation"),
        gettext_lazy("constraints stated or filtered, of all annotated"),
    ),
    (
        "critical_completeness",
        gettext_lazy("Critical completeness"),
        gettext_lazy("requests with every critical constraint kept"),
    ),
    (
        "evidence_recall",
        gettext_lazy("Evidence recall"),
        gettext_lazy("required items retrieved, mean over requests"),
    ),
    (
        "supported_correct",
        gettext_lazy("Supported-correct answers"),
        gettext_lazy("correct under the contract and said by the retrieved text"),
    ),
    (
        "asked_when_unresolved",
        gettext_lazy("Clarification: asked when it should"),
        gettext_lazy("of the unresolved requests"),
    ),
    (
        "silent_when_resolved",
        gettext_lazy("Clarification: did not ask when it should not"),
        gettext_lazy("of the resolved requests"),
    ),
)
BESIDE: tuple[tuple[str, Label, Label], ...] = (
    (
        "constraint_preservation_per_request",
        gettext_lazy("Preservation, mean per request"),
        gettext_lazy("the same constraints, each request counted once"),
    ),
    (
        "critical_completeness_with_critical",
        gettext_lazy("Completeness, requests with a critical constraint only"),
        gettext_lazy("without the vacuously complete ones"),
    ),
    (
        "additions",
        gettext_lazy("Added restrictions per request"),
        gettext_lazy("restrictions in the rewrite that the request does not have"),
    ),
)
MISSED: tuple[tuple[str, Label, Label], ...] = (
    (
        "near-miss",
        gettext_lazy("Near misses"),
        gettext_lazy("required items not retrieved, a twin's evidence came instead"),
    ),
    (
        "missing",
        gettext_lazy("Missing"),
        gettext_lazy("required items not retrieved, nor a twin's evidence"),
    ),
)
# Rules of the literature under their own names; the first is the product's, and the only one that
# decides whether an answer is correct.
PUBLISHED: tuple[tuple[str, Label, Label], ...] = (
    (
        "typed_match",
        gettext_lazy("Typed rule"),
        gettext_lazy("Intact's own, the only one that scores and verdicts use"),
    ),
    (
        "squad_exact_match",
        "SQuAD EM",
        gettext_lazy("equal to a right answer without case, punctuation and articles"),
    ),
    (
        "squad_f1",
        "SQuAD F1",
        gettext_lazy("words shared with the nearest right answer, the same words taken away"),
    ),
    (
        "inacc",
        "InAcc",
        gettext_lazy("the words of a right answer stand in a row in the answer; higher is better"),
    ),
    (
        "flashrag_acc",
        "FlashRAG acc (substring)",
        gettext_lazy("a right answer is part of the answer's letters"),
    ),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One score: a cell for each arm in the table's order, then candidate - original."""

    label: Label
    about: Label
    cells: tuple[Cell, ...]
    difference: Cell


@dataclass(frozen=True, slots=True)
class Fact:
    """One number of the comparison of answers, and what it means."""

    label: Label
    cell: Cell


@dataclass(frozen=True, slots=True)
class ScorecardTable:
    """Columns `arms` (original, human, candidate as far as the run has them), in one scope."""

    scope: str
    arms: tuple[str, ...]
    candidate: str | None
    five: tuple[Row, ...]
    beside: tuple[Row, ...]
    missed: tuple[Row, ...]
    measured: tuple[Row, ...]
    answers: tuple[Fact, ...]
    published: tuple[Row, ...] = ()
    rewriting: tuple[Row, ...] = ()
    evidence: tuple[Row, ...] = ()
    compared: tuple[Row, ...] = ()
    families: tuple[Row, ...] = ()


def scopes(result: Result) -> list[str]:
    """The scopes that the result has, "all" first."""
    return list(dict.fromkeys(row["scope"] for row in result["scorecard"]["arms"]))


def scorecard_table(
    result: Result, arms: Sequence[str], candidate: str | None, scope: str = ALL_CLASSES
) -> ScorecardTable:
    """Return the table of `arms` in `scope`, with the differences of `candidate`.

    Raises KeyError when the result lacks one of the arms in this scope.
    """
    found = {row["arm"]: row for row in result["scorecard"]["arms"] if row["scope"] == scope}
    rows = [found[arm] for arm in arms]
    paired = _difference(result, candidate, scope)
    differences = paired["differences"] if paired else {}
    compared = (ORIGINAL, candidate)

    def row(name: str, label: Label, about: Label) -> Row:
        cells = tuple(_score_cell(name, arm) for arm in rows)
        found = differences.get(name)
        sides = (arm["scores"][name]["estimate"] for arm in rows if arm["arm"] in compared)
        return Row(label, about, cells, narrowed(difference_cell(found), found, sides))

    return ScorecardTable(
        scope=scope,
        arms=tuple(arms),
        candidate=candidate,
        five=tuple(row(*line) for line in FIVE),
        beside=tuple(row(*line) for line in BESIDE),
        missed=tuple(
            Row(label, about, tuple(_missed(name, arm) for arm in rows), Cell(""))
            for name, label, about in MISSED
        ),
        measured=tuple(Row(*line) for line in measured_lines(rows, paired)),
        answers=_answers(paired) if paired else (),
        published=tuple(
            Row(label, about, tuple(rule_cell(name, arm) for arm in rows), Cell(""))
            for name, label, about in PUBLISHED
            if all("answer_rules" in arm for arm in rows)  # results of earlier versions have none
        ),
        rewriting=tuple(
            Row(label, about, tuple(rewriting_cell(name, arm) for arm in rows), Cell(""))
            for name, label, about in REWRITING
            if all("rewriting" in arm for arm in rows)  # nor of this
        ),
        evidence=tuple(Row(*line, Cell("")) for line in evidence_rows(rows)),
        compared=tuple(Row(*line) for line in answer_lines(result, arms, candidate, scope)),
        families=tuple(Row(*line) for line in family_lines(result, arms, candidate, scope)),
    )


def _difference(result: Result, candidate: str | None, scope: str) -> Mapping[str, Any] | None:
    for row in result["scorecard"]["differences"]:
        if (row["arm"], row["scope"]) == (candidate, scope) and candidate != ORIGINAL:
            return dict(row)
    return None


def _score_cell(name: str, arm: Mapping[str, Any]) -> Cell:
    score = arm["scores"][name]
    if name == "additions":
        return _additions(score["estimate"])
    cell = rate_cell(score["estimate"])
    notes = [cell.note] if cell.note else []
    if score["best"] and score["open"] and score["best"]["value"] is not None:
        notes.append(
            ngettext(
                "%(open)d open: %(best)s if kept",
                "%(open)d open: %(best)s if all are kept",
                score["open"],
            )
            % {"open": score["open"], "best": percent(score["best"]["value"])}
        )
    if score["not_applicable"] and not cell.missing:
        notes.append(_("not applicable to %(n)d") % {"n": score["not_applicable"]})
    if name == "supported_correct":
        notes += by_whom(arm.get("judged_by", {}))
    return replace(cell, note=" · ".join(notes))


def _missed(name: str, arm: Mapping[str, Any]) -> Cell:
    """A count of required items of the assessed, resolved requests, of all of them."""
    items = arm["evidence_items"]
    total = sum(items.values())
    if not total:
        return Cell(_("not applicable"), missing=True)
    return Cell(str(items[name]), of_total(items[name], total))


def _additions(estimate: Figures) -> Cell:
    cell = mean_cell(estimate, lambda value: f"{value:.2f}")
    if cell.missing:
        return cell
    of = _("%(added)d in %(n)d") % {"added": estimate["numerator"], "n": estimate["n"]}
    return replace(cell, of=of)


def _answers(paired: Mapping[str, Any]) -> tuple[Fact, ...]:
    answers = paired["answers"]
    worst = answers["worst_regression"]
    regression = rate_cell(answers["regression"])
    if worst["value"] is not None and worst["numerator"] != answers["regression"]["numerator"]:
        note = _("%(worst)s if unjudged answers count as lost") % {"worst": percent(worst["value"])}
        regression = replace(regression, note=note)
    counts = [
        (_("Correct under both"), answers["both"]),
        (_("Lost: only the original was correct"), answers["lost"]),
        (_("Gained: only the candidate is correct"), answers["gained"]),
        (_("Correct under neither"), answers["neither"]),
    ]
    facts = [
        Fact(_("Regression: right at the original, lost by the candidate"), regression),
        Fact(_("Gain: wrong at the original, right at the candidate"), rate_cell(answers["gain"])),
        *(Fact(label, Cell(of_total(count, answers["n"]))) for label, count in counts),
        Fact(
            _("McNemar's test on the discordant answers"),
            p_cell(answers["test"], _("%(n)d discordant") % {"n": answers["test"]["n"]}),
        ),
    ]
    if paired["adjusted"]:
        facts.append(
            Fact(
                _("The same after Holm's correction over classes"),
                p_cell(paired["adjusted"], _over_classes(paired["adjusted"]["n"])),
            )
        )
    dropped = ", ".join(f"{left_out(why)}: {n}" for why, n in answers["dropped"].items())
    if dropped:
        facts.append(Fact(_("Left out of the comparison"), Cell(dropped)))
    return tuple(facts)


def _over_classes(n: int) -> str:
    return ngettext("over %(n)d class", "over %(n)d classes", n) % {"n": n}


def p_cell(estimate: Figures, of: str) -> Cell:
    """A p-value, with what it is over."""
    if estimate["value"] is None:
        return missing(estimate)
    shown = p_value(estimate["value"])
    text = f"p {shown}" if shown.startswith("<") else f"p = {shown}"
    return Cell(text, of, span(estimate, p_value))
