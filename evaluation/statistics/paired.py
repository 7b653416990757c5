"""Tests for the same requests under two arms."""

import math
from collections.abc import Hashable, Sequence

import numpy as np

from evaluation.statistics.estimate import Estimate

EXACT_UNITS = 20
# Sums that differ by less than this share of the total are one tie (float noise, not evidence).
TIE_TOLERANCE = 1e-9
# Few enough that what is drawn stays in the processor's cache; no result depends on it.
_CHUNK_CELLS = 200_000


def mcnemar_exact(regressions: int, gains: int) -> Estimate:
    """Return McNemar's exact two-sided p-value: min(1, 2 P(Bin(b + c, 1/2) <= min(b, c))).

    `n` is the number of discordant requests and `numerator` the regressions. Without a discordant
    request p is 1. Raises ValueError for a negative count. Source: McNemar 1947; exact form as in
    Agresti 2013.
    """
    n, fewer = _discordant(regressions, gains)
    p = min(1.0, 2 * _at_most(fewer, n) / 2**n)
    return Estimate(p, _no_discordant(n), n, numerator=regressions, method="mcnemar_exact")


def mcnemar_midp(regressions: int, gains: int) -> Estimate:
    """Return McNemar's mid-p value: the exact p less the probability of the observed count.

    Holds its nominal size better than the exact test, which is conservative (Fagerland et al.
    2013). Choose it before the run. Same units and errors as `mcnemar_exact`.
    """
    n, fewer = _discordant(regressions, gains)
    p = min(1.0, (2 * _at_most(fewer, n) - math.comb(n, fewer)) / 2**n)
    return Estimate(p, _no_discordant(n), n, numerator=regressions, method="mcnemar_midp")


def sign_flip(
    differences: Sequence[float],
    *,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """Return the two-sided randomisation p-value of a mean paired difference of zero.

    `differences` has one entry a row (candidate - original); rows of one of the `clusters` (one
    label a row) flip together. Up to 20 units that differ are enumerated exactly, more give (hits +
    1) / (resamples + 1). Units without a difference change no pattern and are left out of the
    enumeration. `n` counts all units. Source: Fisher's randomisation test, as in Smucker et al.
    2007 for retrieval. Raises ValueError for unequal lengths, a number that is not finite, or
    resamples below 1.
    """
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}: draw at least one pattern.")
    totals = cluster_totals(differences, clusters)
    if not totals:
        return Estimate.undefined("There is no paired request, so nothing can be tested.")
    scale = math.fsum(abs(total) for total in totals)
    if scale == 0.0:
        return Estimate(
            1.0, "No request differs between the arms.", len(totals), method="sign_flip"
        )
    # Sorted, so that the order of the rows cannot change a seeded result.
    moving = np.array(sorted(t for t in totals if t != 0.0), dtype=np.float64)
    threshold = abs(math.fsum(moving)) - TIE_TOLERANCE * scale
    if len(moving) <= EXACT_UNITS:
        return Estimate(_exact_share(moving, threshold), "", len(totals), method="sign_flip_exact")
    hits = _random_hits(moving, threshold, resamples, seed)
    return Estimate(
        (hits + 1) / (resamples + 1),
        "",
        len(totals),
        method="sign_flip_monte_carlo",
        resamples=resamples,
        seed=seed,
    )


def cluster_totals(
    values: Sequence[float], clusters: Sequence[Hashable] | None
) -> tuple[float, ...]:
    """Return the sum of `values` in each cluster, in order of first sight; every row is one without
    labels."""
    if any(not math.isfinite(value) for value in values):
        raise ValueError("A difference is not a finite number: leave the request out and count it.")
    if clusters is None:
        return tuple(float(value) for value in values)
    if len(clusters) != len(values):
        raise ValueError(
            f"There are {len(values)} values but {len(clusters)} cluster labels: give one a row."
        )
    groups: dict[Hashable, list[float]] = {}
    for label, value in zip(clusters, values, strict=True):
        groups.setdefault(label, []).append(float(value))
    return tuple(math.fsum(group) for group in groups.values())


def _discordant(regressions: int, gains: int) -> tuple[int, int]:
    if regressions < 0 or gains < 0:
        raise ValueError(
            f"Discordant counts are {regressions} and {gains}: a count cannot be negative."
        )
    return regressions + gains, min(regressions, gains)


def _no_discordant(n: int) -> str:
    return "" if n else "No request differs between the arms."


def _at_most(k: int, n: int) -> int:
    """Return the number of the 2^n patterns with at most `k` successes, as an exact integer."""
    term, total = 1, 1
    for i in range(1, k + 1):
        term = term * (n - i + 1) // i
        total += term
    return total


def _exact_share(units: np.ndarray, threshold: float) -> float:
    # Mirrored patterns have equal |sum|, so the first unit's sign is fixed.
    sums = np.array([units[0]])
    for unit in units[1:]:
        sums = np.concatenate((sums + unit, sums - unit))
    return float(np.count_nonzero(np.abs(sums) >= threshold) / sums.size)


def _random_hits(units: np.ndarray, threshold: float, resamples: int, seed: int) -> int:
    """Return how many of the random sign patterns have a |sum| of at least `threshold`."""
    generator = np.random.default_rng(seed)
    whole = units.sum()
    step = max(1, _CHUNK_CELLS // len(units))
    hits = 0
    for start in range(0, resamples, step):
        shape = (min(step, resamples - start), len(units))
        # A sign is the first of 32 bits: what integers(0, 2) draws too, in twice the time.
        plus = generator.integers(0, 1 << 32, size=shape, dtype=np.uint32) >> 31
        sums = 2 * (plus.astype(np.float64) @ units) - whole
        hits += int(np.count_nonzero(np.abs(sums) >= threshold))
    return hits
