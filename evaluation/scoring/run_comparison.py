"""Two arms under equal Conditions, A and B, request by request: what B − A is under each of the
five scores, which requests got worse or better, and whether that can be chance.

The differences, tests and intervals are those of candidate - original: A stands for the original.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation.scoring.arm_scores import FIVE
from evaluation.scoring.comparison import TESTS, Comparison, compare, pair_up, why_dropped
from evaluation.scoring.differences import (
    PRESERVATION,
    REASONS,
    Pair,
    Value,
    mean_differences,
    measured_values,
    paired_values,
)
from evaluation.scoring.outcomes import CaseOutcome, count_statuses
from evaluation.scoring.protocol import CORRECTIONS
from evaluation.scoring.request_changes import RequestChange, as_lost, request_changes
from evaluation.scoring.scorecard import ALL_CLASSES
from evaluation.statistics import Estimate, holm, sign_flip

# Scores that are a share for each request: McNemar's test has no place there.
GRADED = (PRESERVATION, "evidence_recall")


@dataclass(frozen=True, slots=True)
class Settings:
    """How everything is computed: as a Protocol says, or the product's own defaults."""

    test: str = "mcnemar_exact"
    correction: str = "holm"
    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One score in one scope: B - A over the `tested` requests, of which so many got worse, better,
    or (of several constraints) both.

    `test` is McNemar's on the discordant requests, or the sign-flip test of a graded score, base
    cases flipped whole; `by_base` is the sign-flip test of a score that is right or wrong, where
    twins make requests dependent. `adjusted` is `test` after Holm over the classes. `worst` is B -
    A with everything that failed, is open or unjudged under B counted as lost, None where nothing
    is. `dropped` counts the other requests by reason, `open` constraints left out.
    """

    score: str
    tested: int
    worse: int
    better: int
    both: int
    difference: Estimate
    test: Estimate
    by_base: Estimate | None
    worst: Estimate | None
    dropped: Mapping[str, int]
    open: int
    adjusted: Estimate | None = None

    def to_json(self) -> dict[str, Any]:
        optional = {
            name: found.to_json() if (found := getattr(self, name)) else None
            for name in ("by_base", "worst", "adjusted")
        }
        return {
            "score": self.score,
            **{name: getattr(self, name) for name in ("tested", "worse", "better", "both", "open")},
            "difference": self.difference.to_json(),
            "test": self.test.to_json(),
            **optional,
            "dropped": dict(self.dropped),
        }


@dataclass(frozen=True, slots=True)
class ScopeComparison:
    """All scores in one scope (a class or "all"), the answers that were lost and gained, and what
    requests took (ms, calls, USD; less is better). `statuses` counts A's and B's cases.
    """

    scope: str
    requests: int
    scores: tuple[ScoreChange, ...]
    answers: Comparison
    measured: Mapping[str, Estimate]
    statuses: tuple[Mapping[str, int], Mapping[str, int]]

    def to_json(self) -> dict[str, Any]:
        return {
            "scope": self.scope,
            "requests": self.requests,
            "scores": {change.score: change.to_json() for change in self.scores},
            "answers": self.answers.to_json(),
            "measured": {name: value.to_json() for name, value in self.measured.items()},
            "statuses": {"a": dict(self.statuses[0]), "b": dict(self.statuses[1])},
        }


@dataclass(frozen=True, slots=True)
class RunComparison:
    """B against A: the scopes, "all" first, and every request that changed or failed."""

    settings: Settings
    scopes: tuple[ScopeComparison, ...]
    requests: tuple[RequestChange, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "settings": self.settings.to_json(),
            "scopes": [scope.to_json() for scope in self.scopes],
            "requests": [request.to_json() for request in self.requests],
        }


def compare_arms(
    a: Sequence[CaseOutcome],
    b: Sequence[CaseOutcome],
    *,
    clusters: Mapping[str, str] | None = None,
    settings: Settings | None = None,
) -> RunComparison:
    """Return the comparison of B with A over the same requests, paired by their ids; `clusters`
    names a twin's base case. Raises ValueError when the sets of requests differ, a request is
    unresolved in one arm only, or the settings are unknown.
    """
    settings = settings or Settings()
    if settings.correction not in CORRECTIONS:
        raise ValueError(f"correction is {settings.correction!r}: choose holm or none.")
    pairs = pair_up(a, b)
    classes = sorted({before.request_class for before, _ in pairs})
    scopes = [
        _scope(scope, rows, clusters or {}, settings)
        for scope in (ALL_CLASSES, *classes)
        if (rows := [p for p in pairs if scope in (ALL_CLASSES, p[0].request_class)])
    ]
    changes = tuple(request_changes(pairs, clusters))
    return RunComparison(settings, _corrected(scopes, settings.correction), changes)


def _scope(
    scope: str, pairs: list[Pair], clusters: Mapping[str, str], settings: Settings
) -> ScopeComparison:
    drawing: dict[str, Any] = {n: getattr(settings, n) for n in ("level", "resamples", "seed")}
    before, after = [a for a, _ in pairs], [b for _, b in pairs]
    values, took = paired_values(pairs), measured_values(pairs)
    worst = paired_values((a, as_lost(a, b)) for a, b in pairs)
    means = mean_differences({**values, **took}, clusters=clusters, **drawing)
    return ScopeComparison(
        scope=scope,
        requests=len(pairs),
        scores=tuple(
            _score(name, pairs, values[name], worst[name], means[name], clusters, settings)
            for name in FIVE
        ),
        answers=compare(
            before,
            after,
            test=settings.test,
            clusters=clusters,
            difference=means["supported_correct"],
            **drawing,
        ),
        measured={name: means[name] for name in took},
        statuses=(
            count_statuses([o.status for o in before]),
            count_statuses([o.status for o in after]),
        ),
    )


def _score(
    name: str,
    pairs: list[Pair],
    values: list[Value],
    worst: list[Value],
    difference: Estimate,
    clusters: Mapping[str, str],
    settings: Settings,
) -> ScoreChange:
    tested = {request for request, _ in values}
    worse = {request for request, value in values if value < 0}
    better = {request for request, value in values if value > 0}
    test, by_base = _tests(name, values, (len(worse), len(better)), clusters, settings)
    return ScoreChange(
        score=name,
        tested=len(tested),
        worse=len(worse),
        better=len(better),
        both=len(worse & better),
        difference=difference,
        test=test,
        by_base=by_base,
        worst=_bare_mean(worst, clusters) if len(worst) > len(values) else None,
        dropped=dict(
            sorted(Counter(_why(name, a, b) for a, b in pairs if a.request not in tested).items())
        ),
        open=_open_constraints(pairs) if name == PRESERVATION else 0,
    )


def _tests(
    name: str,
    values: list[Value],
    discordant: tuple[int, int],
    clusters: Mapping[str, str],
    settings: Settings,
) -> tuple[Estimate, Estimate | None]:
    if not values:
        return Estimate.undefined(REASONS[name]), None
    labels = [clusters.get(request, request) for request, _ in values]

    def flipped() -> Estimate:
        return sign_flip(
            [value for _, value in values],
            clusters=labels,
            resamples=settings.resamples,
            seed=settings.seed,
        )

    if name in GRADED:
        return flipped(), None
    together = len(set(labels)) < len(labels)
    return TESTS[settings.test](*discordant), flipped() if together else None


def _bare_mean(values: list[Value], clusters: Mapping[str, str]) -> Estimate:
    """The mean alone: a bound that assumes the worst has no interval."""
    bases = {clusters.get(request, request) for request, _ in values}
    mean = math.fsum(value for _, value in values) / len(values)
    return Estimate(mean, "", len(bases), method="worst_case", rows=len(values))


def _why(name: str, before: CaseOutcome, after: CaseOutcome) -> str:
    """Why the request has no difference under this score; A is the original."""
    if before.unresolved != (name == "asked_when_unresolved"):
        return "unresolved request" if before.unresolved else "resolved request"
    for arm, outcome in (("original", before), ("candidate", after)):
        if not outcome.assessed:
            return f"{arm} {outcome.status}"
    return _WHY[name](before, after)


def _why_no_evidence(before: CaseOutcome, after: CaseOutcome) -> str:
    if not (before.evidence_required or after.evidence_required):
        return "no required evidence"
    return "original not logged" if not before.evidence_required else "candidate not logged"


def _why_no_constraint(before: CaseOutcome, after: CaseOutcome) -> str:
    return "constraints open" if before.judgements or after.judgements else "no constraint"


def _why_open(before: CaseOutcome, _after: CaseOutcome) -> str:
    return "original open" if before.open_critical else "candidate open"


_WHY: Mapping[str, Callable[[CaseOutcome, CaseOutcome], str]] = {
    PRESERVATION: _why_no_constraint,
    "critical_completeness": _why_open,
    "evidence_recall": _why_no_evidence,
    "supported_correct": why_dropped,
}


def _open_constraints(pairs: list[Pair]) -> int:
    """Constraints of requests assessed under both arms that are open under either."""
    both = [(a, b) for a, b in pairs if a.assessed and b.assessed and not a.unresolved]
    return sum(len({j.constraint for o in pair for j in o.judgements if j.open}) for pair in both)


def _corrected(scopes: list[ScopeComparison], correction: str) -> tuple[ScopeComparison, ...]:
    """The scopes with Holm's p-values: the family of a score are the classes."""
    classes = [scope for scope in scopes if scope.scope != ALL_CLASSES]
    if correction != "holm" or not classes:
        return tuple(scopes)
    families = [
        holm([scope.scores[place].test.value for scope in classes]) for place in range(len(FIVE))
    ]
    adjusted = [
        replace(
            scope,
            scores=tuple(
                replace(change, adjusted=family[number])
                for change, family in zip(scope.scores, families, strict=True)
            ),
        )
        for number, scope in enumerate(classes)
    ]
    return (*(scope for scope in scopes if scope.scope == ALL_CLASSES), *adjusted)
