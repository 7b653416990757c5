"""What a planned number of requests can show, worked out before the run. Exact binomial sums."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.statistics.estimate import Estimate, require_level
from evaluation.statistics.proportions import (
    NO_CASE,
    clean_requests_needed,
    clopper_pearson,
)

TESTS = ("mcnemar_exact", "mcnemar_midp")
# p-values that miss alpha by a rounding are at alpha, and so reject.
_ROUNDING = 1e-12
_STEPS = 40  # of the bisection: 2^-40 of the discordant share


def largest_passing(n: int, *, ceiling: float, level: float = 0.95) -> Estimate:
    """Return the largest number of lost answers of `n` with which the exact one-sided upper bound
    stays at or below `ceiling`.

    `n` counts the answers that can be lost (requests that the original answers correctly);
    `numerator` is that number, `value` the same as a float, `high` its upper bound. No value where
    not even 0 losses do: the reason says how many clean answers are needed. Raises ValueError for a
    negative n, a ceiling outside 0 to 1 or a bad level. Source: Clopper and Pearson 1934.
    """
    _require_n(n)
    _require_rate("ceiling", ceiling)
    require_level(level)
    if n == 0 or _bound(0, n, level) > ceiling:
        return Estimate.undefined(_too_few(n, ceiling, level), n)
    low, high = 0, n + 1  # `low` passes, `high` does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _bound(middle, n, level) <= ceiling else (low, middle)
    return Estimate(
        float(low),
        "",
        n,
        high=_bound(low, n, level),
        numerator=low,
        method="clopper_pearson_upper",
        level=level,
    )


def release_power(n: int, *, rate: float, ceiling: float, level: float = 0.95) -> Estimate:
    """Return the probability that `n` answers pass `ceiling` when each is lost with probability
    `rate`: P(Bin(n, rate) <= the largest number of losses that passes).

    `n` and the errors are those of `largest_passing`; `numerator` is the number of losses that
    passes. 0 with the reason where no number of losses passes. Without an answer (n = 0) there is
    no value. Raises ValueError for a rate outside 0 to 1, too.
    """
    _require_rate("rate", rate)
    passing = largest_passing(n, ceiling=ceiling, level=level)
    if n == 0:
        return Estimate.undefined(passing.reason)
    if passing.numerator is None:
        return Estimate(0.0, passing.reason, n, method="release_power", level=level)
    chance = float(_at_most(passing.numerator, n, rate))
    return Estimate(chance, "", n, numerator=passing.numerator, method="release_power", level=level)


def mcnemar_power(
    n: int, *, regression: float, gain: float, alpha: float = 0.05, test: str = "mcnemar_exact"
) -> Estimate:
    """Return the probability that McNemar's test over `n` paired requests has p <= `alpha`.

    `regression` and `gain` are the shares of all `n` requests that are lost and won (not of those
    that the original answers or misses), so they sum to at most 1. Exact and unconditional: the
    number of discordant requests is binomial too (Duffy 1984; Lachin 1992 for the approximations).
    Equal shares give the chance of a false alarm, and `reason` says so. No request gives no value.
    Raises ValueError for a negative n, shares outside 0 to 1 or above 1 together, an alpha that
    does not lie strictly between 0 and 1, or an unknown test.
    """
    _require_n(n)
    _require_rate("regression", regression)
    _require_rate("gain", gain)
    if regression + gain > 1 + _ROUNDING:
        raise ValueError(
            f"regression and gain are {regression} and {gain}: both are shares of all requests, so"
            " they sum to at most 1."
        )
    _require_test(alpha, test)
    if n == 0:
        return Estimate.undefined(NO_CASE)
    reason = ""
    if regression == gain:
        reason = "The arms do not differ in truth, so this is the chance of a false alarm."
    chance = _Discordant.of(n, regression + gain, alpha, test).power(regression - gain)
    return Estimate(chance, reason, n, method=f"{test}_power")


def smallest_detectable(
    n: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    discordant: float = 0.2,
    test: str = "mcnemar_exact",
) -> Estimate:
    """Return the smallest difference gain - regression, as a share of `n` paired requests, that
    McNemar's test finds with probability `power` when `discordant` of the requests differ.

    By symmetry the smallest loss regression - gain is the same. No value where the test misses even
    a difference in one direction alone, with the reason. Source and errors as in `mcnemar_power`;
    `power` lies strictly between 0 and 1, `discordant` above 0 and at most 1.
    """
    _require_n(n)
    _require_test(alpha, test)
    _require_rate("discordant", discordant)
    if not 0.0 < power < 1.0:
        raise ValueError(f"power is {power}: a probability between 0 and 1, such as 0.8.")
    if discordant == 0.0:
        raise ValueError("discordant is 0: where no request differs there is nothing to find.")
    if n == 0:
        return Estimate.undefined(NO_CASE)
    found = _Discordant.of(n, discordant, alpha, test)
    most = found.power(discordant)
    if most < power:
        return Estimate.undefined(
            f"With {n:,} requests, {discordant:.3g} of which differ, the test finds even a"
            f" difference in one direction alone with probability {most:.2f} only: more requests"
            " are needed.",
            n,
        )
    low, high = 0.0, discordant
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if found.power(middle) >= power else (middle, high)
    return Estimate(high, "", n, method=f"{test}_power")


@dataclass(frozen=True, slots=True)
class _Discordant:
    """The numbers of discordant requests that can come about, each with its probability and with
    the most of the rarer kind at which the test rejects (-1 where it cannot).
    """

    share: float
    counts: Any
    chances: Any
    critical: Any

    @classmethod
    def of(cls, n: int, share: float, alpha: float, test: str) -> "_Discordant":
        share = min(1.0, share)
        # What lies further from the mean has less than 1e-25 of the probability (Bernstein).
        reach = 12 * math.sqrt(n * share * (1 - share)) + 50
        first, last = max(0, math.floor(n * share - reach)), min(n, math.ceil(n * share + reach))
        counts = np.arange(first, last + 1)
        chances = _at_most(counts, n, share) - _at_most(counts - 1, n, share)
        return cls(share, counts, chances, _critical(counts, alpha, test))

    def power(self, difference: float) -> float:
        """The probability of p <= alpha when the two kinds differ by `difference` of all
        requests.
        """
        if self.share == 0.0:
            return 0.0
        one = min(1.0, max(0.0, (1 + difference / self.share) / 2))
        can = self.critical >= 0
        counts, critical = self.counts[can], self.critical[can]
        rejected = _at_most(critical, counts, one) + _at_most(critical, counts, 1 - one)
        return min(1.0, float(self.chances[can] @ rejected))


def _critical(counts: Any, alpha: float, test: str) -> Any:
    """For each number of discordant requests, the largest count k of the rarer kind with p <=
    alpha, or -1.
    """
    from scipy.special import bdtrik

    # Twice P(at most k); mid-p counts half of P(exactly k).
    below = 0 if test == "mcnemar_exact" else 1

    def rejects(k: Any) -> Any:
        p = _at_most(k, counts, 0.5) + _at_most(k - below, counts, 0.5)
        return (k >= 0) & (p <= alpha * (1 + _ROUNDING))

    # The quantile of alpha / 2 is the largest k itself or next to it.
    middle = np.nan_to_num(np.floor(bdtrik(alpha / 2, counts, 0.5))).astype(np.int64)
    found = np.full(len(counts), -1, dtype=np.int64)
    for k in (middle - 1, middle, middle + 1):
        found = np.where(rejects(k), k, found)
    return found


def _at_most(k: Any, n: Any, share: float) -> Any:
    """P(Bin(n, share) <= k), 0 below 0."""
    from scipy.special import bdtr  # Lazily: SciPy takes a moment to load.

    return np.where(np.asarray(k) < 0, 0.0, bdtr(np.maximum(k, 0), n, share))


def _bound(k: int, n: int, level: float) -> float:
    high = clopper_pearson(k, n, level=level, side="upper").high
    return 1.0 if high is None else high


def _too_few(n: int, ceiling: float, level: float) -> str:
    needed = clean_requests_needed(ceiling, level=level)
    if needed.value is None:
        return needed.reason
    return (
        f"{n:,} answers without a loss do not show a rate of at most {ceiling:.4g} at a level of"
        f" {level:.4g}: {needed.n:,} are needed."
    )


def _require_n(n: int) -> None:
    if n < 0:
        raise ValueError(f"n is {n}: a number of requests cannot be negative.")


def _require_rate(name: str, rate: float) -> None:
    if not 0.0 <= rate <= 1.0:
        raise ValueError(f"{name} is {rate}: a share lies between 0 and 1.")


def _require_test(alpha: float, test: str) -> None:
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha is {alpha}: it lies between 0 and 1, such as 0.05.")
    if test not in TESTS:
        raise ValueError(f"test is {test!r}: choose one of {', '.join(TESTS)}.")
