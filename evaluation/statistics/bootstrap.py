"""Percentile bootstrap that resamples requests, never rows."""

import math
from collections.abc import Hashable, Sequence

import numpy as np

from evaluation.statistics.estimate import NO_SPREAD, Estimate, require_level

STATISTICS = ("mean", "median")
_CHUNK_CELLS = 2_000_000

Unit = tuple[float, ...]


def bootstrap_interval(
    values: Sequence[float],
    *,
    clusters: Sequence[Hashable] | None = None,
    statistic: str = "mean",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """Return the mean or median of `values` with its percentile interval and standard error.

    `values` has one entry a row; `clusters` names each row's request, so that a request's rows are
    drawn together (Efron and Tibshirani 1993, chapter 13; Davison and Hinkley 1997, 3.8 for
    clusters). `n` counts clusters, `rows` the values. Fewer than two clusters give the value
    without an interval, with the reason; `reason` also says when resampling shows no spread. Raises
    ValueError for an unknown statistic, unequal lengths, a number that is not finite, a bad level.
    """
    require_level(level)
    if statistic not in STATISTICS:
        raise ValueError(f"statistic is {statistic!r}: choose one of {', '.join(STATISTICS)}.")
    if resamples < 2:
        raise ValueError(f"resamples is {resamples}: draw at least two, better 10,000.")
    units = _units(values, clusters)
    if not units:
        return Estimate.undefined("There is no request to average over.")
    value = _statistic(units, statistic)
    if len(units) < 2:
        reason = "One request gives no interval: at least two are needed."
        return Estimate(value, reason, 1, rows=len(values))
    draws = _draws(units, statistic, resamples, seed)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(
        value,
        _caveat(units, draws),
        len(units),
        low=float(low),
        high=float(high),
        method=f"bootstrap_{statistic}",
        level=level,
        standard_error=float(draws.std(ddof=1)),
        resamples=resamples,
        seed=seed,
        rows=len(values),
    )


def _units(values: Sequence[float], clusters: Sequence[Hashable] | None) -> list[Unit]:
    """Return each cluster's rows; sorted, so that the order of the rows cannot change a seeded
    result."""
    if any(not math.isfinite(value) for value in values):
        raise ValueError("A value is not a finite number: leave the request out and count it.")
    if clusters is None:
        return sorted((float(value),) for value in values)
    if len(clusters) != len(values):
        raise ValueError(
            f"There are {len(values)} values but {len(clusters)} cluster labels: give one a row."
        )
    groups: dict[Hashable, list[float]] = {}
    for label, value in zip(clusters, values, strict=True):
        groups.setdefault(label, []).append(float(value))
    return sorted(tuple(sorted(group)) for group in groups.values())


def _caveat(units: list[Unit], draws: np.ndarray) -> str:
    if len({row for unit in units for row in unit}) == 1:
        return f"Every request has the same value, so {NO_SPREAD}."
    same = float(draws.min()) == float(draws.max())
    return f"Every resample has the same value, so {NO_SPREAD}." if same else ""


def _statistic(units: list[Unit], statistic: str) -> float:
    rows = [row for unit in units for row in unit]
    return math.fsum(rows) / len(rows) if statistic == "mean" else float(np.median(rows))


def _draws(units: list[Unit], statistic: str, resamples: int, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    if statistic == "median" and any(len(unit) > 1 for unit in units):
        return _median_of_clusters(units, resamples, generator)
    sums = np.array([math.fsum(unit) for unit in units])
    sizes = np.array([len(unit) for unit in units])
    draws = np.empty(resamples)
    step = max(1, _CHUNK_CELLS // len(units))
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        drawn = generator.integers(0, len(units), size=(stop - start, len(units)))
        if statistic == "mean":
            draws[start:stop] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
        else:
            draws[start:stop] = np.median(sums[drawn], axis=1)
    return draws


def _median_of_clusters(
    units: list[Unit], resamples: int, generator: np.random.Generator
) -> np.ndarray:
    rows = [np.array(unit) for unit in units]
    drawn = generator.integers(0, len(units), size=(resamples, len(units)))
    return np.array([np.median(np.concatenate([rows[i] for i in draw])) for draw in drawn])
