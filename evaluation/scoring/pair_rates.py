"""Twin pairs in the scorecard: how many of each family pass, in every class, and candidate -
original.
"""

from collections.abc import Sequence
from typing import Any

from evaluation.scoring.differences import mean_differences
from evaluation.scoring.families import family_results
from evaluation.scoring.pairs import PairResult
from evaluation.scoring.scorecard import ALL_CLASSES, ORIGINAL
from evaluation.statistics import Estimate

NO_SETTLED_PAIR = "No pair of this family is settled under both arms."


def pair_rates(
    pairs: Sequence[PairResult], *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> dict[str, Any]:
    """Return, as JSON, under "arms" the passes of every arm, scope and family, and under
    "differences" candidate - original over the pairs that are settled under both. Bases are drawn
    with all their pairs: `n` counts them, `rows` the pairs.
    """
    drawing: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed}
    scopes = [ALL_CLASSES, *sorted({pair.request_class for pair in pairs})] if pairs else []
    arms, found = [], []
    for scope in scopes:
        here = [pair for pair in pairs if scope in (ALL_CLASSES, pair.request_class)]
        for arm in sorted({pair.arm for pair in here}, key=lambda name: (name != ORIGINAL, name)):
            rows = [pair for pair in here if pair.arm == arm]
            for family in family_results(rows, **drawing):
                named = {"arm": arm, "scope": scope, "family": family.family}
                passes = {"passes": family.passes.to_json(), "not_assessed": family.not_assessed}
                arms.append({**named, **passes})
                if arm != ORIGINAL:
                    estimate = _difference(here, arm, family.family, drawing)
                    found.append({**named, "difference": estimate.to_json()})
    return {"arms": arms, "differences": found}


def _difference(
    pairs: Sequence[PairResult], arm: str, family: str, drawing: dict[str, Any]
) -> Estimate:
    rows = [pair for pair in pairs if pair.family == family and pair.passed is not None]
    before = {pair.id: pair.passed for pair in rows if pair.arm == ORIGINAL}
    values, bases = [], {}
    for pair in sorted(rows, key=lambda row: row.id):
        if pair.arm == arm and pair.id in before:
            values.append((pair.id, float(bool(pair.passed)) - float(bool(before[pair.id]))))
            bases[pair.id] = pair.base
    reasons = {family: NO_SETTLED_PAIR}
    return mean_differences({family: values}, reasons=reasons, clusters=bases, **drawing)[family]
