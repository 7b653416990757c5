"""The five scores per arm, never merged, and candidate - original (protocol rules R24 to R30)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.scoring.clarification import clarification
from evaluation.scoring.comparison import Comparison, compare
from evaluation.scoring.completeness import critical_completeness, preservation
from evaluation.scoring.differences import differences
from evaluation.scoring.outcomes import (
    CaseOutcome,
    count_statuses,
    index_by_request,
    scored,
)
from evaluation.statistics import Estimate, bootstrap_interval, holm, wilson

ALL_CLASSES = "all"
ORIGINAL = "original"
# The five scores (clarification has two rates), then what their rules want shown beside them.
SCORES = (
    "constraint_preservation",
    "critical_completeness",
    "evidence_recall",
    "supported_correct",
    "asked_when_unresolved",
    "silent_when_resolved",
    "constraint_preservation_per_request",
    "critical_completeness_with_critical",
    "additions",
)
MEASURED = ("latency_ms", "calls", "cost")
NOT_MEASURED = "Not measured."


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One score of one arm. `estimate` counts open judgements as lost, `best` as kept (None: none
    open).

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
    nowhere else.

    `coverage` is assessed / all requests. `evidence_items` counts required items hit, near-miss and
    missing. `measured` has the mean latency (ms), calls and cost (USD) per request, over requests
    that have it. `reading` says what became of the assessed cases' answers (`_reading`).
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

    def to_json(self) -> dict[str, Any]:
        return {
            "arm": self.arm,
            "scope": self.scope,
            "statuses": dict(self.statuses),
            "coverage": self.coverage.to_json(),
            "vacuous": self.vacuous,
            "evidence_items": dict(self.evidence_items),
            "scores": {name: self.scores[name].to_json() for name in SCORES},
            "measured": {name: self.measured[name].to_json() for name in MEASURED},
            "reading": dict(self.reading),
        }


@dataclass(frozen=True, slots=True)
class ArmDifference:
    """One arm - original in one scope: a paired mean per score, and the discordant answers.

    `adjusted` is the p-value of `answers.test` after Holm over this arm's classes; None in scope
    "all", which is not a member of that family.
    """

    arm: str
    scope: str
    differences: Mapping[str, Estimate]
    answers: Comparison
    adjusted: Estimate | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "arm": self.arm,
            "scope": self.scope,
            "differences": {k: v.to_json() for k, v in sorted(self.differences.items())},
            "answers": self.answers.to_json(),
            "adjusted": self.adjusted.to_json() if self.adjusted else None,
        }


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Arms by scope ("all" first, then classes by name), the original first among arms."""

    arms: tuple[ArmScores, ...]
    differences: tuple[ArmDifference, ...]

    def arm(self, arm: str, scope: str = ALL_CLASSES) -> ArmScores:
        """Return one arm's scores in one scope; raises KeyError if there are none."""
        for row in self.arms:
            if (row.arm, row.scope) == (arm, scope):
                return row
        raise KeyError(f"The scorecard has no arm {arm!r} in scope {scope!r}.")

    def difference(self, arm: str, scope: str = ALL_CLASSES) -> ArmDifference:
        """Return one arm's differences in one scope; raises KeyError if there are none."""
        for row in self.differences:
            if (row.arm, row.scope) == (arm, scope):
                return row
        raise KeyError(f"The scorecard has no difference of {arm!r} in scope {scope!r}.")

    def to_json(self) -> dict[str, Any]:
        return {
            "arms": [row.to_json() for row in self.arms],
            "differences": [row.to_json() for row in self.differences],
        }


def scorecard(
    outcomes: Iterable[CaseOutcome],
    *,
    clusters: Mapping[str, str] | None = None,
    test: str = "mcnemar_exact",
    correction: str = "holm",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Scorecard:
    """Return the scorecard of all arms in `outcomes`, overall and per request class.

    A request that an arm lacks counts there as "not_run". `clusters` names a twin's base case, so
    that twins are resampled together in the differences. Raises ValueError when a request occurs
    twice under an arm, has two classes, or is unresolved in one arm only.
    """
    arms = _complete_arms(list(outcomes))
    requests = next(iter(arms.values()), {})
    scopes = [ALL_CLASSES, *sorted({outcome.request_class for outcome in requests.values()})]
    settings: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed}
    rows, pairs = [], []
    for scope in scopes if requests else []:
        for arm, by_request in arms.items():
            here = _in_scope(by_request, scope)
            rows.append(_arm_scores(arm, scope, here, settings))
            if arm == ORIGINAL or ORIGINAL not in arms:
                continue
            before = _in_scope(arms[ORIGINAL], scope)
            answers = compare(before, here, test=test, clusters=clusters, **settings)
            means = differences(before, here, clusters=clusters, **settings)
            pairs.append(ArmDifference(arm, scope, means, answers))
    return Scorecard(tuple(rows), _corrected(pairs, correction))


def _complete_arms(outcomes: list[CaseOutcome]) -> dict[str, dict[str, CaseOutcome]]:
    """Return arm -> request -> outcome, every arm with every request, the original first."""
    names = sorted({o.arm for o in outcomes}, key=lambda name: (name != ORIGINAL, name))
    found = {arm: index_by_request(o for o in outcomes if o.arm == arm) for arm in names}
    known: dict[str, CaseOutcome] = {}
    for outcome in outcomes:
        first = known.setdefault(outcome.request, outcome)
        if (first.request_class, first.unresolved) != (outcome.request_class, outcome.unresolved):
            raise ValueError(
                f"Request {outcome.request!r} has another class or ambiguity under {outcome.arm!r}"
                f" than under {first.arm!r}: all arms share one contract."
            )
    return {
        arm: {
            request: found[arm].get(request) or _not_run(arm, known[request])
            for request in sorted(known)
        }
        for arm in names
    }


def _not_run(arm: str, other: CaseOutcome) -> CaseOutcome:
    return CaseOutcome(
        other.request, other.request_class, arm, unresolved=other.unresolved, status="not_run"
    )


def _in_scope(by_request: Mapping[str, CaseOutcome], scope: str) -> list[CaseOutcome]:
    return [o for o in by_request.values() if scope in (ALL_CLASSES, o.request_class)]


def _arm_scores(
    arm: str, scope: str, outcomes: list[CaseOutcome], settings: Mapping[str, Any]
) -> ArmScores:
    complete = critical_completeness(outcomes, level=settings["level"])
    rows = scored(outcomes)
    required = sum(o.evidence_required for o in rows)
    hit, near = sum(o.evidence_hit for o in rows), sum(o.near_misses for o in rows)
    assessed = sum(o.assessed for o in outcomes)
    return ArmScores(
        arm=arm,
        scope=scope,
        statuses=count_statuses([o.status for o in outcomes]),
        coverage=wilson(assessed, len(outcomes), level=settings["level"]),
        vacuous=complete.vacuous,
        evidence_items={"hit": hit, "near-miss": near, "missing": required - hit - near},
        scores=_cells(outcomes, rows, settings),
        measured={name: _measured(name, outcomes, settings) for name in MEASURED},
        reading=_reading(outcomes),
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
    right = [o.supported_correct for o in rows if o.supported_correct is not None]
    absent = len(rows) - len(right)
    if not right:
        reason = "No assessed, resolved request has an answer that could be judged."
        return ScoreCell(Estimate.undefined(reason), not_applicable=absent)
    return ScoreCell(wilson(sum(right), len(right), level=level), not_applicable=absent)


def _measured(name: str, outcomes: list[CaseOutcome], settings: Mapping[str, Any]) -> Estimate:
    values = [float(v) for o in outcomes if (v := getattr(o, name)) is not None]
    return bootstrap_interval(values, **settings) if values else Estimate.undefined(NOT_MEASURED)


def _corrected(pairs: list[ArmDifference], correction: str) -> tuple[ArmDifference, ...]:
    if correction not in ("holm", "none"):
        raise ValueError(f"correction is {correction!r}: choose holm or none.")
    adjusted: dict[tuple[str, str], Estimate] = {}
    for arm in sorted({pair.arm for pair in pairs}) if correction == "holm" else ():
        family = [p for p in pairs if p.arm == arm and p.scope != ALL_CLASSES]
        for pair, value in zip(family, holm([p.answers.test.value for p in family]), strict=True):
            adjusted[arm, pair.scope] = value
    return tuple(
        ArmDifference(p.arm, p.scope, p.differences, p.answers, adjusted.get((p.arm, p.scope)))
        for p in pairs
    )
