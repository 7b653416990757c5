"""Twin pairs by family: passes as units, components, and the paired accuracy of the rankings (R23).

The unit is the pair, but pairs that share a base are no independent observations (R34): then
intervals come from a bootstrap that draws base requests with all their pairs, not from Wilson. A
bootstrap of pairs that all pass (or all fail) has no width, which would hide how few they are:
there each base counts as one observation of Wilson's.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation.scoring.bounded import Bounded
from evaluation.scoring.pairs import COMPONENTS, PairResult
from evaluation.scoring.preference import CHANCE_BOTH
from evaluation.statistics import Estimate, bootstrap_interval, wilson

NO_PREFERENCE = "No assessed pair requires documents on both sides that the other does not."
NO_RANKING = "No assessed pair has a ranking on both sides."


@dataclass(frozen=True, slots=True)
class PairedAccuracy:
    """How often rankings tell the two sides apart (NevIR, Weller et al. 2024).

    `paired` is the share of pairs in which both sides rank their own evidence above the other's;
    chance is `CHANCE_BOTH`. `single` (sides, each by itself) and `same_first` (both rankings begin
    with the same document) are diagnostics. `bases` counts the base requests of the `pairs`.
    """

    paired: Estimate
    single: Estimate
    same_first: Estimate
    pairs: int
    bases: int

    def to_json(self) -> dict[str, Any]:
        return {
            "paired": self.paired.to_json(),
            "chance": CHANCE_BOTH,
            "single": self.single.to_json(),
            "same_first": self.same_first.to_json(),
            "pairs": self.pairs,
            "bases": self.bases,
        }


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """Passes of one family: pairs as units, and each component by itself as a diagnostic.

    `not_assessed` counts pairs with a failed or missing side, which are in no denominator.
    """

    family: str
    passes: Bounded
    rewrite: Estimate
    evidence: Estimate
    answer: Estimate
    ranking: PairedAccuracy
    not_assessed: int

    def to_json(self) -> dict[str, Any]:
        return {
            "family": self.family,
            "passes": self.passes.to_json(),
            **{name: getattr(self, name).to_json() for name in COMPONENTS},
            "ranking": self.ranking.to_json(),
            "not_assessed": self.not_assessed,
        }


def family_results(
    pairs: Iterable[PairResult], *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> tuple[FamilyResult, ...]:
    """Return the result of every family among one arm's `pairs`, sorted by name."""
    rows = sorted(pairs, key=lambda pair: pair.id)
    rate = _rates(level, resamples, seed)
    return tuple(
        _family(name, [pair for pair in rows if pair.family == name], rate)
        for name in sorted({pair.family for pair in rows})
    )


def paired_accuracy(
    pairs: Iterable[PairResult], *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> PairedAccuracy:
    """Return the paired accuracy over one arm's `pairs` of all families."""
    rows = sorted((pair for pair in pairs if pair.assessed), key=lambda pair: pair.id)
    return _ranking(rows, _rates(level, resamples, seed))


_Result = tuple[str, bool | None]  # the base request and what is counted; None is left out
_Rate = Callable[[Sequence[_Result], str], Estimate]


def _rates(level: float, resamples: int, seed: int) -> _Rate:
    """Return the function from (base, result) to a rate, with the interval that fits the bases."""

    def rate(results: Sequence[_Result], reason: str) -> Estimate:
        known = [(base, result) for base, result in results if result is not None]
        if not known:
            return Estimate.undefined(reason)
        right = sum(result for _base, result in known)
        bases = [base for base, _result in known]
        count = len(set(bases))
        if count == len(known):
            return wilson(right, len(known), level=level)
        if right in (0, len(known)):
            alike = wilson(count if right else 0, count, level=level)
            return replace(alike, numerator=right, rows=len(known))
        drawn = bootstrap_interval(
            [float(result) for _base, result in known],
            clusters=bases,
            level=level,
            resamples=resamples,
            seed=seed,
        )
        return replace(drawn, numerator=right)

    return rate


def _family(name: str, pairs: list[PairResult], rate: _Rate) -> FamilyResult:
    rows = [pair for pair in pairs if pair.assessed]
    none = "No pair of this family was assessed."
    waiting = "Every rewrite of this family waits for a person."

    def by(part: str, reason: str) -> Estimate:
        return rate([(pair.base, getattr(pair, part)) for pair in rows], reason)

    return FamilyResult(
        family=name,
        passes=Bounded(
            by("worst", none), by("best", none), sum(pair.passed is None for pair in rows)
        ),
        rewrite=by("rewrite", waiting if rows else none),
        evidence=by("evidence", "No pair records required evidence on both sides."),
        answer=by("answer", "No pair has gold answers."),
        ranking=_ranking(rows, rate),
        not_assessed=len(pairs) - len(rows),
    )


def _ranking(rows: Sequence[PairResult], rate: _Rate) -> PairedAccuracy:
    sides = [(pair.base, first) for pair in rows for first in (pair.base_first, pair.twin_first)]
    return PairedAccuracy(
        paired=rate([(pair.base, pair.both_first) for pair in rows], NO_PREFERENCE),
        single=rate(sides, NO_PREFERENCE),
        same_first=rate([(pair.base, pair.same_first) for pair in rows], NO_RANKING),
        pairs=len(rows),
        bases=len({pair.base for pair in rows}),
    )
