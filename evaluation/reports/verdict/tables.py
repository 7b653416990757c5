"""Twin-pair families, first stages lost, and the limits of a run, as rows. Knows no model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.case.evidence_rows import longer_lists
from evaluation.reports.failure_words import FAILURES
from evaluation.reports.figures import Cell, grouped, of_total, percent, rate_cell
from evaluation.scoring.localisation import NEAR_MISS
from evaluation.scoring.outcomes import ASSESSED
from evaluation.scoring.scorecard import ALL_CLASSES, ORIGINAL

Result = Mapping[str, Any]

STAGES: tuple[tuple[str, str | Promise], ...] = (
    ("rewrite", gettext_lazy("rewrite")),
    ("retrieval", gettext_lazy("retrieval")),
    ("generation", gettext_lazy("generation")),
    ("clarification", gettext_lazy("clarification")),
    ("none", gettext_lazy("nothing lost")),
    ("undetermined", gettext_lazy("cannot be told yet")),
)
# Below this many documents, retrieval is easier than in production (MAIR, BEIR's smallest sets).
SMALL_CORPUS = 50_000


@dataclass(frozen=True, slots=True)
class RankingCells:
    """What the rankings of a family's pairs prefer, under the candidate and under the original."""

    paired: Cell
    original: Cell
    single: Cell
    same_first: Cell


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """One family under the candidate, with the original's passes beside it."""

    family: str
    original: Cell
    passes: Cell
    rewrite: Cell
    evidence: Cell
    answer: Cell
    ranking: RankingCells | None
    not_assessed: int


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair that did not pass, and why."""

    id: str
    family: str
    state: str | Promise
    why: str


@dataclass(frozen=True, slots=True)
class StageRow:
    """Where one arm's cases first lost the contract; a count for each of `STAGES`."""

    arm: str
    total: int
    counts: tuple[tuple[str, int], ...]
    near_missed: int = 0  # of those lost at retrieval


@dataclass(frozen=True, slots=True)
class Judged:
    """Who judged the constraints of resolved requests under an arm."""

    matcher: int
    people: int
    open: int
    model: int = 0

    @property
    def total(self) -> int:
        return self.matcher + self.people + self.model + self.open


def family_rows(result: Result, arm: str, original: str = "original") -> tuple[FamilyRow, ...]:
    """Return a row for every family among the run's pairs."""
    before = {row["family"]: row for row in result["families"].get(original, ())}
    return tuple(
        FamilyRow(
            family=row["family"],
            original=_passes(before[row["family"]]) if row["family"] in before else Cell(""),
            passes=_passes(row),
            rewrite=rate_cell(row["rewrite"]),
            evidence=rate_cell(row["evidence"]),
            answer=rate_cell(row["answer"]),
            ranking=_ranking(row.get("ranking"), before.get(row["family"], {}).get("ranking")),
            not_assessed=row["not_assessed"],
        )
        for row in result["families"].get(arm, ())
    )


def overall_ranking(result: Result, arm: str, original: str = "original") -> RankingCells | None:
    """Return the same over the pairs of all families; None in results of earlier versions and
    without pairs.
    """
    found = result.get("rankings", {})
    row = found.get(arm)
    return _ranking(row, found.get(original)) if row and row["pairs"] else None


def failed_pairs(result: Result, arm: str) -> tuple[PairRow, ...]:
    """Return the arm's pairs that failed, are open, or were not assessed."""
    states = {False: gettext_lazy("failed"), None: gettext_lazy("open")}
    return tuple(
        PairRow(
            pair["id"],
            pair["family"],
            gettext_lazy("not assessed") if pair["worst"] is None else states[pair["passed"]],
            pair["why"],
        )
        for pair in result["pairs"]
        if pair["arm"] == arm and pair["passed"] is not True
    )


def stage_rows(result: Result, arms: Sequence[str]) -> tuple[StageRow, ...]:
    """Return a row for every arm of `arms` that has cases."""
    return tuple(
        StageRow(
            arm,
            sum(result["stages"][arm].values()),
            tuple((name, result["stages"][arm].get(name, 0)) for name, _label in STAGES),
            result.get("codes", {}).get(arm, {}).get(NEAR_MISS, 0),
        )
        for arm in arms
        if arm in result["stages"]
    )


def limits(
    result: Result,
    arm: str,
    judged: Judged,
    *,
    documents: int,
    hypothetical: bool,
    logged: bool = False,
) -> tuple[str, ...]:
    """Return what a reader must know before trusting the numbers of `arm`, a sentence each.

    `logged` says that the arm came with the run of a team's own pipeline.
    """
    rows = {row["arm"]: row for row in result["scorecard"]["arms"] if row["scope"] == ALL_CLASSES}
    scores = rows.get(arm)
    found = [_judged(judged)]
    if scores:
        found += [_vacuous(scores), *_not_applicable(scores), *_reading(scores)]
        found += [*_fell_back(scores), *_failed(scores)]
    if logged:
        found.append(
            _(
                "This arm was uploaded with a logged run: its latency is that of the whole "
                "pipeline, so it cannot be compared with the latency of an arm that ran here."
            )
        )
        found += longer_lists(scores, rows.get(ORIGINAL)) if scores else []
    if documents < SMALL_CORPUS:
        found.append(
            _(
                "The corpus has %(n)s documents. Below 50,000, retrieval is easier than in "
                "production, and differences between arms are smaller than they will be there."
            )
            % {"n": grouped(documents)}
        )
    if "controls" in result and not result["controls"]["judged"]:
        found.append(
            _(
                "The study has no controls, so it is not known how often the judge rejects an "
                "expansion that keeps the contract."
            )
        )
    if hypothetical:
        found.append(_("The study is hypothetical: its documents, names and figures are invented."))
    found.append(
        _(
            "The human reference says how faithful a rewrite can be. It is no ceiling for "
            "retrieval and cannot be shipped."
        )
    )
    return tuple(found)


def _judged(judged: Judged) -> str:
    if not judged.total:
        return _("No constraint of a resolved request was judged under this arm.")
    return _(
        "Of %(total)d judgements under this arm, %(matcher)d are by the judge, %(people)d by "
        "people, %(model)d by a model, and %(open)d are open. Open ones count as lost, and the "
        "number beside a score says what it would be if they were kept."
    ) % {
        "total": judged.total,
        "matcher": judged.matcher,
        "people": judged.people,
        "model": judged.model,
        "open": judged.open,
    }


def _vacuous(scores: Mapping[str, Any]) -> str:
    count = scores["vacuous"]
    if not count:
        return _("Every resolved request has a critical constraint, so no completeness is vacuous.")
    return ngettext(
        "%(n)d request has no critical constraint and counts as complete; the row without it "
        "stands in the scorecard.",
        "%(n)d requests have no critical constraint and count as complete; the row without them "
        "stands in the scorecard.",
        count,
    ) % {"n": count}


def _not_applicable(scores: Mapping[str, Any]) -> list[str]:
    names = {
        "evidence_recall": _("evidence recall"),
        "supported_correct": _("supported-correct answers"),
        "constraint_preservation": _("constraint preservation"),
    }
    return [
        ngettext(
            "%(score)s does not apply to %(n)d request: what it needs is not recorded.",
            "%(score)s does not apply to %(n)d requests: what it needs is not recorded.",
            count,
        )
        % {"score": label[:1].upper() + label[1:], "n": count}
        for name, label in names.items()
        if (count := scores["scores"][name]["not_applicable"])
    ]


def _reading(scores: Mapping[str, Any]) -> list[str]:
    counts = scores.get("reading", {})  # results of earlier versions have none
    found = []
    if counts.get("abstained"):
        sentence = _(
            "The reader abstained in %(count)s resolved cases that it was given; these answers are "
            "not correct."
        )
        found.append(sentence % {"count": of_total(counts["abstained"], counts["read"])})
    if counts.get("nothing"):
        sentence = ngettext(
            "%(n)d resolved case has neither a query nor an answer; it counts as not correct.",
            "%(n)d resolved cases have neither a query nor an answer; they count as not correct.",
            counts["nothing"],
        )
        found.append(sentence % {"n": counts["nothing"]})
    asked = counts.get("asked_resolved", 0) + counts.get("asked_unresolved", 0)
    if asked:
        sentence = ngettext(
            "The arm asked back in %(n)d case: rightly in %(right)d, "
            "because the request is unresolved, and wrongly in %(wrong)d.",
            "The arm asked back in %(n)d cases: rightly in %(right)d, "
            "because the request is unresolved, and wrongly in %(wrong)d.",
            asked,
        )
        right, wrong = counts["asked_unresolved"], counts["asked_resolved"]
        found.append(sentence % {"n": asked, "right": right, "wrong": wrong})
    return found


def _fell_back(scores: Mapping[str, Any]) -> list[str]:
    counts = scores.get("rewriting", {})  # results of earlier versions have none
    if not counts.get("fell_back"):
        return []
    sentence = _(
        "In %(count)s assessed cases the rewriter failed and the original was searched in its "
        "place; they are scored as that search, and are no rewrites that succeeded."
    )
    return [sentence % {"count": of_total(counts["fell_back"], sum(counts.values()))}]


def _failed(scores: Mapping[str, Any]) -> list[str]:
    statuses = scores["statuses"]
    failed = {name: n for name, n in statuses.items() if name not in ASSESSED}
    if not failed:
        return []
    kinds = ", ".join(f"{n} {FAILURES.get(name, name)}" for name, n in sorted(failed.items()))
    count = of_total(sum(failed.values()), sum(statuses.values()))
    sentence = _("%(count)s cases failed and have no score: %(kinds)s.")
    return [sentence % {"count": count, "kinds": kinds}]


def _ranking(
    row: Mapping[str, Any] | None, before: Mapping[str, Any] | None
) -> RankingCells | None:
    if row is None:
        return None  # results of earlier versions have none
    return RankingCells(
        paired=rate_cell(row["paired"]),
        original=rate_cell(before["paired"]) if before else Cell(""),
        single=rate_cell(row["single"]),
        same_first=rate_cell(row["same_first"]),
    )


def _passes(row: Mapping[str, Any]) -> Cell:
    passes = row["passes"]
    cell = rate_cell(passes["worst"])
    if passes["open"] and passes["best"]["value"] is not None:
        best = percent(passes["best"]["value"])
        note = _("%(open)d open: %(best)s if kept") % {"open": passes["open"], "best": best}
        cell = replace(cell, note=note)
    return cell
