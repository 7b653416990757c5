"""One arm's scores in one scope: the five of protocol rules R24 to R30, never merged, and what its
requests took.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.scoring.answer_rules import GRADED, RULES, TYPES
from evaluation.scoring.clarification import clarification
from evaluation.scoring.completeness import critical_completeness, preservation
from evaluation.scoring.depths import EvidenceDepths, evidence_depths
from evaluation.scoring.outcomes import CaseOutcome, count_statuses, scored, taken
from evaluation.scoring.rewriting import count_rewriting
from evaluation.statistics import Estimate, bootstrap_interval, wilson

# The five scores (clarification has two rates), then what their rules want shown beside them.
FIVE = (
    "constraint_preservation",
    "critical_completeness",
    "evidence_recall",
    "supported_correct",
    "asked_when_unresolved",
    "silent_when_resolved",
)
SCORES = (
    *FIVE,
    "constraint_preservation_per_request",
    "critical_completeness_with_critical",
    "additions",
)
# Who may have decided whether an answer is correct, and whether it is supported.
CORRECT_BY = ("person", "rule")
SUPPORT_BY = ("person", "model", "rule", "error")
MEASURED = ("latency_ms", "calls", "cost")
# Of the latency a mean says little: one time-out in a hundred moves it, and nobody waits that long.
PERCENTILES = {"latency_ms_p50": 50, "latency_ms_p95": 95}
NOT_MEASURED = "Not measured."


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One score of one arm. `estimate` counts open judgements as lost, `best` as kept (None: none
    open). Correct answers whose judge of support failed are open too, and in no estimate.

    `not_applicable` counts assessed requests that the score does not apply to, such as those
    without a gold.
    """

    estimate: Estimate
    best: Estimate | None = None
    open: int = 0
    not_applicable: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "estimate": self.estimate.to_json(),
            "best": self.best.to_json() if self.best else None,
            "open": self.open,
            "not_applicable": self.not_applicable,
        }


@dataclass(frozen=True, slots=True)
class ArmScores:
    """One arm in one scope (a request class or "all"). Cases that failed are in `statuses` and
    nowhere else, but for what they took.

    `coverage` is assessed / all requests. `evidence_items` counts required items hit, near-miss and
    missing. `measured` has the mean latency (ms), calls and cost (USD) per request, and the
    latency within which 50 and 95 % of the requests were done, over the requests that have it: a
    logged request that failed took its time and cost as well.
    `reading` says what became of the assessed cases' answers (`_reading`), `rewriting` what became
    of their rewriting (`count_rewriting`).
    `answer_rules` has the mean of every answer rule over the assessed, resolved requests that it
    applies to; `gold_types` counts those with a gold by its type, and `judged_by` who decided what
    of their answers. `evidence_depths` says how much of the evidence came, and how early, at the
    same depths for every arm. No verdict reads these four.
    """

    arm: str
    scope: str
    statuses: Mapping[str, int]
    coverage: Estimate
    vacuous: int
    evidence_items: Mapping[str, int]
    scores: Mapping[str, ScoreCell]
    measured: Mapping[str, Estimate]
    reading: Mapping[str, int]
    rewriting: Mapping[str, int]
    answer_rules: Mapping[str, ScoreCell]
    gold_types: Mapping[str, int]
    judged_by: Mapping[str, Mapping[str, int]]
    evidence_depths: EvidenceDepths

    def to_json(self) -> dict[str, Any]:
        return {
            "arm": self.arm,
            "scope": self.scope,
            "statuses": dict(self.statuses),
            "coverage": self.coverage.to_json(),
            "vacuous": self.vacuous,
            "evidence_items": dict(self.evidence_items),
            "scores": {name: self.scores[name].to_json() for name in SCORES},
            "measured": {name: self.measured[name].to_json() for name in (*MEASURED, *PERCENTILES)},
            "reading": dict(self.reading),
            "rewriting": dict(self.rewriting),
            "answer_rules": {name: self.answer_rules[name].to_json() for name in RULES},
            "gold_types": dict(self.gold_types),
            "judged_by": {what: dict(counts) for what, counts in self.judged_by.items()},
            "evidence_depths": self.evidence_depths.to_json(),
        }


def arm_scores(
    arm: str,
    scope: str,
    outcomes: list[CaseOutcome],
    depths: tuple[int, ...],
    settings: Mapping[str, Any],
) -> ArmScores:
    """Return the scores of one arm's cases in one scope; `settings` are level, resamples, seed."""
    rows = scored(outcomes)
    cells = _cells(outcomes, rows, settings)
    required = sum(o.evidence_required for o in rows)
    hit, near = sum(o.evidence_hit for o in rows), sum(o.near_misses for o in rows)
    assessed = sum(o.assessed for o in outcomes)
    return ArmScores(
        arm=arm,
        scope=scope,
        statuses=count_statuses([o.status for o in outcomes]),
        coverage=wilson(assessed, len(outcomes), level=settings["level"]),
        vacuous=cells["critical_completeness_with_critical"].not_applicable,
        evidence_items={"hit": hit, "near-miss": near, "missing": required - hit - near},
        scores=cells,
        measured={name: _measured(name, outcomes, settings) for name in MEASURED}
        | {name: _percentile(outcomes, share) for name, share in PERCENTILES.items()},
        reading=_reading(outcomes),
        rewriting=count_rewriting(outcomes),
        answer_rules={name: _rule_cell(name, rows, settings) for name in RULES},
        gold_types={t: n for t in TYPES if (n := sum(o.gold_type == t for o in rows))},
        judged_by={
            "correct": _count(CORRECT_BY, [o.correct_by for o in rows]),
            "supported": _count(SUPPORT_BY, [o.support_by for o in rows]),
        },
        evidence_depths=evidence_depths(rows, depths, level=settings["level"]),
    )


def _reading(outcomes: list[CaseOutcome]) -> dict[str, int]:
    """Count the assessed cases that asked back, and of the resolved others those with a query or an
    answer (`read`), those without either (`nothing`), and those whose reader abstained.
    """
    rows = [o for o in outcomes if o.assessed]
    rest = [o for o in rows if not (o.asked or o.unresolved)]
    nothing = sum(not o.query_texts and o.status == "abstained" for o in rest)
    return {
        "asked_unresolved": sum(o.asked and o.unresolved for o in rows),
        "asked_resolved": sum(o.asked and not o.unresolved for o in rows),
        "nothing": nothing,
        "read": len(rest) - nothing,
        "abstained": sum(o.status == "abstained" for o in rest) - nothing,
    }


def _cells(
    outcomes: list[CaseOutcome], rows: list[CaseOutcome], settings: Mapping[str, Any]
) -> dict[str, ScoreCell]:
    level = settings["level"]
    kept = preservation(outcomes, **settings)
    complete = critical_completeness(outcomes, level=level)
    asking = clarification(outcomes, level=level)
    bare = sum(not o.judgements for o in rows)
    bounded = {
        "constraint_preservation": (kept.pooled, bare),
        "constraint_preservation_per_request": (kept.per_request, bare),
        "critical_completeness": (complete.overall, 0),
        "critical_completeness_with_critical": (complete.with_critical, complete.vacuous),
    }
    cells = {
        name: ScoreCell(b.worst, None if b.settled else b.best, b.open, absent)
        for name, (b, absent) in bounded.items()
    }
    cells["additions"] = ScoreCell(kept.additions)
    cells["evidence_recall"] = _evidence_cell(rows, settings)
    cells["supported_correct"] = _answer_cell(rows, level)
    cells["asked_when_unresolved"] = ScoreCell(asking.asked_when_unresolved)
    cells["silent_when_resolved"] = ScoreCell(asking.silent_when_resolved)
    return cells


def _evidence_cell(rows: list[CaseOutcome], settings: Mapping[str, Any]) -> ScoreCell:
    shares = [o.evidence_hit / o.evidence_required for o in rows if o.evidence_required]
    absent = len(rows) - len(shares)
    if not shares:
        reason = "No assessed, resolved request records required evidence."
        return ScoreCell(Estimate.undefined(reason), not_applicable=absent)
    return ScoreCell(bootstrap_interval(shares, **settings), not_applicable=absent)


def _answer_cell(rows: list[CaseOutcome], level: float) -> ScoreCell:
    right = [o.supported_in_rates for o in rows if o.supported_in_rates is not None]
    failed = sum(o.supported_correct is None and o.support_by == "error" for o in rows)
    absent = len(rows) - len(right) - failed
    if not right:
        reason = "No assessed, resolved request has an answer that could be judged."
        return ScoreCell(Estimate.undefined(reason), open=failed, not_applicable=absent)
    rate = wilson(sum(right), len(right), level=level)
    return ScoreCell(rate, open=failed, not_applicable=absent)


def _rule_cell(name: str, rows: list[CaseOutcome], settings: Mapping[str, Any]) -> ScoreCell:
    """The mean of one answer rule; a rate with its counts where the rule says only 0 or 1."""
    given = [o.answer_rules[name] for o in rows if name in o.answer_rules]
    values = [value for value in given if value is not None]
    absent = len(rows) - len(values)
    if not values:
        reason = "No assessed, resolved request has a gold answer that this rule applies to."
        return ScoreCell(Estimate.undefined(reason), not_applicable=absent)
    if name in GRADED:
        return ScoreCell(bootstrap_interval(values, **settings), not_applicable=absent)
    right = sum(value == 1.0 for value in values)
    return ScoreCell(wilson(right, len(values), level=settings["level"]), not_applicable=absent)


def _count(names: tuple[str, ...], found: list[str]) -> dict[str, int]:
    return {name: found.count(name) for name in names}


def _measured(name: str, outcomes: list[CaseOutcome], settings: Mapping[str, Any]) -> Estimate:
    values = [value for o in outcomes if (value := taken(o, name)) is not None]
    if all(getattr(o, name) is None for o in outcomes):
        values = []  # requests without a call do not make a cost that nobody names
    return bootstrap_interval(values, **settings) if values else Estimate.undefined(NOT_MEASURED)


def _percentile(outcomes: list[CaseOutcome], share: int) -> Estimate:
    """The least measured latency (ms) that `share` % of the measured requests do not exceed
    (nearest rank): a time that one of them took. It has no interval.
    """
    values = sorted(float(o.latency_ms) for o in outcomes if o.latency_ms is not None)
    if not values:
        return Estimate.undefined(NOT_MEASURED)
    place = -(-share * len(values) // 100)
    return Estimate(values[place - 1], "", len(values), method=f"percentile_{share}_nearest_rank")
