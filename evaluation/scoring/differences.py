"""Candidate - original, score by score, as means of paired differences over requests."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from evaluation.scoring.arm_scores import MEASURED, NOT_MEASURED
from evaluation.scoring.comparison import pair_up, paired_difference
from evaluation.scoring.outcomes import CaseOutcome, taken
from evaluation.statistics import Estimate
from evaluation.statistics.bootstrap import bootstrap_intervals

Pair = tuple[CaseOutcome, CaseOutcome]
# One difference: the request that it belongs to, and candidate - original.
Value = tuple[str, float]

PRESERVATION = "constraint_preservation"
NO_SETTLED = "No constraint is judged and settled under both arms."
REASONS = {
    "critical_completeness": "No request is judged and settled under both arms.",
    "evidence_recall": "No request with required evidence was assessed under both arms.",
    "supported_correct": "No request has an answer that could be judged under both arms.",
    "asked_when_unresolved": "No unresolved request was assessed under both arms.",
    "silent_when_resolved": "No resolved request was assessed under both arms.",
    PRESERVATION: NO_SETTLED,
}


def differences(
    original: Sequence[CaseOutcome],
    candidate: Sequence[CaseOutcome],
    *,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, Estimate]:
    """Return candidate - original per score; `n` counts base cases, intervals resample them.

    Only requests assessed under both arms enter; open judgements leave their constraint (or, for
    completeness, their request) out. Raises ValueError unless both arms hold the same requests.
    """
    return mean_differences(
        paired_values(pair_up(original, candidate)),
        clusters=clusters,
        level=level,
        resamples=resamples,
        seed=seed,
    )


def paired_values(pairs: Iterable[Pair]) -> dict[str, list[Value]]:
    """Return of each score the differences that its mean is over: one a request, for preservation
    one a constraint that is settled under both arms. Positive is better under every score.
    """
    both = [(a, c) for a, c in pairs if a.assessed and c.assessed]
    found = {
        name: [(pair[0].request, v) for pair in both if (v := rule(pair)) is not None]
        for name, rule in _RULES.items()
    }
    return found | {PRESERVATION: [row for pair in both for row in _constraint_rows(pair)]}


def measured_values(pairs: Sequence[Pair]) -> dict[str, list[Value]]:
    """Return of latency (ms), calls and cost (USD) the differences that their means are over: of
    each request of which both are known. A logged one that failed took its time as well. Less is
    better.
    """
    found = {
        name: [
            (before.request, c - a)
            for before, after in pairs
            if (a := taken(before, name)) is not None and (c := taken(after, name)) is not None
        ]
        for name in MEASURED
    }
    # Where neither arm names a cost, requests without a call do not make one.
    if all(outcome.cost is None for pair in pairs for outcome in pair):
        found["cost"] = []
    return found


def mean_differences(
    found: Mapping[str, Sequence[Value]],
    *,
    clusters: Mapping[str, str] | None,
    level: float,
    resamples: int,
    seed: int,
    reasons: Mapping[str, str] | None = None,
) -> dict[str, Estimate]:
    """Return the mean of each list of differences with an interval over base cases, or why there
    is none.
    """
    known = clusters or {}
    names = [name for name, values in found.items() if values]
    drawn = bootstrap_intervals(
        [[value for _request, value in found[name]] for name in names],
        clusters=[[known.get(request, request) for request, _ in found[name]] for name in names],
        level=level,
        resamples=resamples,
        seed=seed,
    )
    estimates = dict(zip(names, drawn, strict=True))
    why = reasons or REASONS
    return {
        name: estimates.get(name) or Estimate.undefined(why.get(name, NOT_MEASURED))
        for name in found
    }


def evidence_gain(
    original: Sequence[CaseOutcome],
    candidate: Sequence[CaseOutcome],
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """Return the mean per-request difference of evidence recall over resolved requests."""
    pairs = [(a, c) for a, c in pair_up(original, candidate) if a.assessed and c.assessed]
    found = {p[0].request: v for p in pairs if (v := _evidence(p)) is not None}
    return paired_difference(
        found,
        reason=REASONS["evidence_recall"],
        clusters=None,
        level=level,
        resamples=resamples,
        seed=seed,
    )


def _constraint_rows(pair: Pair) -> list[Value]:
    before, after = pair
    if before.unresolved:
        return []
    known = {j.constraint: j for j in before.judgements if not j.open}
    return [
        (after.request, float(j.kept) - float(known[j.constraint].kept))
        for j in after.judgements
        if not j.open and j.constraint in known
    ]


def _completeness(pair: Pair) -> float | None:
    before, after = pair
    if before.unresolved or before.open_critical or after.open_critical:
        return None
    return float(after.complete(open_as_kept=False)) - float(before.complete(open_as_kept=False))


def _evidence(pair: Pair) -> float | None:
    before, after = pair
    if before.unresolved or not before.evidence_required or not after.evidence_required:
        return None
    return (
        after.evidence_hit / after.evidence_required
        - before.evidence_hit / before.evidence_required
    )


def _answers(pair: Pair) -> float | None:
    before, after = pair
    a, c = before.supported_in_rates, after.supported_in_rates
    return None if before.unresolved or a is None or c is None else float(c) - float(a)


def _asked(pair: Pair) -> float | None:
    before, after = pair
    return float(after.asked) - float(before.asked) if before.unresolved else None


def _silent(pair: Pair) -> float | None:
    before, after = pair
    return None if before.unresolved else float(before.asked) - float(after.asked)


_RULES: dict[str, Callable[[Pair], float | None]] = {
    "critical_completeness": _completeness,
    "evidence_recall": _evidence,
    "supported_correct": _answers,
    "asked_when_unresolved": _asked,
    "silent_when_resolved": _silent,
}
