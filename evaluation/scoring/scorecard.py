"""The five scores per arm, never merged, and candidate - original (protocol rules R24 to R30)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from evaluation.scoring.arm_scores import (
    MEASURED,
    NOT_MEASURED,
    PERCENTILES,
    SCORES,
    ArmScores,
    ScoreCell,
    arm_scores,
)
from evaluation.scoring.comparison import Comparison, compare, pair_up
from evaluation.scoring.depths import depths_of
from evaluation.scoring.differences import mean_differences, measured_values, paired_values
from evaluation.scoring.outcomes import CaseOutcome, index_by_request
from evaluation.scoring.protocol import CORRECTIONS
from evaluation.statistics import Estimate, holm

__all__ = [
    "ALL_CLASSES",
    "MEASURED",
    "NOT_MEASURED",
    "ORIGINAL",
    "PERCENTILES",
    "SCORES",
    "ArmDifference",
    "ArmScores",
    "ScoreCell",
    "Scorecard",
    "scorecard",
]

ALL_CLASSES = "all"
ORIGINAL = "original"


@dataclass(frozen=True, slots=True)
class ArmDifference:
    """One arm - original in one scope: a paired mean per score and of what a request took, and the
    discordant answers.

    `adjusted` is the p-value of `answers.test` after Holm over this arm's classes; None in scope
    "all", which is not a member of that family.
    """

    arm: str
    scope: str
    differences: Mapping[str, Estimate]
    answers: Comparison
    measured: Mapping[str, Estimate]
    adjusted: Estimate | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "arm": self.arm,
            "scope": self.scope,
            "differences": {k: v.to_json() for k, v in sorted(self.differences.items())},
            "answers": self.answers.to_json(),
            "measured": {name: self.measured[name].to_json() for name in MEASURED},
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
    depths = depths_of(o for by_request in arms.values() for o in by_request.values())
    rows, pairs = [], []
    for scope in scopes if requests else []:
        for arm, by_request in arms.items():
            here = _in_scope(by_request, scope)
            rows.append(arm_scores(arm, scope, here, depths, settings))
            if arm == ORIGINAL or ORIGINAL not in arms:
                continue
            before = _in_scope(arms[ORIGINAL], scope)
            both = pair_up(before, here)
            values, took = paired_values(both), measured_values(both)
            means = mean_differences({**values, **took}, clusters=clusters, **settings)
            answers = compare(
                before,
                here,
                test=test,
                clusters=clusters,
                difference=means["supported_correct"],
                **settings,
            )
            pairs.append(
                ArmDifference(
                    arm,
                    scope,
                    {name: means[name] for name in values},
                    answers,
                    {name: means[name] for name in took},
                )
            )
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


def _corrected(pairs: list[ArmDifference], correction: str) -> tuple[ArmDifference, ...]:
    if correction not in CORRECTIONS:
        raise ValueError(f"correction is {correction!r}: choose holm or none.")
    adjusted: dict[tuple[str, str], Estimate] = {}
    for arm in sorted({pair.arm for pair in pairs}) if correction == "holm" else ():
        family = [p for p in pairs if p.arm == arm and p.scope != ALL_CLASSES]
        for pair, value in zip(family, holm([p.answers.test.value for p in family]), strict=True):
            adjusted[arm, pair.scope] = value
    return tuple(replace(pair, adjusted=adjusted.get((pair.arm, pair.scope))) for pair in pairs)
