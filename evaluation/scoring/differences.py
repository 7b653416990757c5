"""Candidate - original, score by score, as means of paired differences over requests."""

from collections.abc import Callable, Mapping, Sequence

from evaluation.scoring.comparison import pair_up, paired_difference
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.statistics import Estimate, bootstrap_interval

Pair = tuple[CaseOutcome, CaseOutcome]

NO_SETTLED = "No constraint is judged and settled under both arms."
_REASONS = {
    "critical_completeness": "No request is judged and settled under both arms.",
    "evidence_recall": "No request with required evidence was assessed under both arms.",
    "supported_correct": "No request has an answer that could be judged under both arms.",
    "asked_when_unresolved": "No unresolved request was assessed under both arms.",
    "silent_when_resolved": "No resolved request was assessed under both arms.",
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
    pairs = [(a, c) for a, c in pair_up(original, candidate) if a.assessed and c.assessed]

    def mean(name: str, value: Callable[[Pair], float | None]) -> Estimate:
        found = {pair[0].request: v for pair in pairs if (v := value(pair)) is not None}
        return paired_difference(
            found,
            reason=_REASONS[name],
            clusters=clusters,
            level=level,
            resamples=resamples,
            seed=seed,
        )

    result = {name: mean(name, rule) for name, rule in _RULES.items()}
    rows = [row for pair in pairs for row in _constraint_rows(pair)]
    labels = [(clusters or {}).get(request, request) for request, _ in rows]
    values = [value for _, value in rows]
    result["constraint_preservation"] = (
        bootstrap_interval(values, clusters=labels, level=level, resamples=resamples, seed=seed)
        if rows
        else Estimate.undefined(NO_SETTLED)
    )
    return result


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
        reason=_REASONS["evidence_recall"],
        clusters=None,
        level=level,
        resamples=resamples,
        seed=seed,
    )


def _constraint_rows(pair: Pair) -> list[tuple[str, float]]:
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
    a, c = before.supported_correct, after.supported_correct
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
