"""Percentile bootstrap that resamples requests, never rows."""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.estimate import NO_SPREAD, Estimate, require_level

STATISTICS = ("mean", "median")
# Few enough that what is drawn stays in the processor's cache; no result depends on it.
_CHUNK_CELLS = 200_000

Unit = tuple[float, ...]
Labels = Sequence[Hashable] | None
Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def bootstrap_interval(
    values: Sequence[float],
    *,
    clusters: Labels = None,
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
    (only,) = bootstrap_intervals(
        [values],
        clusters=[clusters],
        statistic=statistic,
        level=level,
        resamples=resamples,
        seed=seed,
    )
    return only


def bootstrap_intervals(
    columns: Sequence[Sequence[float]],
    *,
    clusters: Sequence[Labels] | None = None,
    statistic: str = "mean",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> tuple[Estimate, ...]:
    """Return for each of the `columns` what `bootstrap_interval` says of it, to the last digit.

    Columns with equally many clusters share what is drawn, so ten measures of the same requests
    take little longer than one. `clusters` has the labels of each column's rows, None for a column
    without. Same errors, and ValueError unless every column has its labels.
    """
    require_level(level)
    if statistic not in STATISTICS:
        raise ValueError(f"statistic is {statistic!r}: choose one of {', '.join(STATISTICS)}.")
    if resamples < 2:
        raise ValueError(f"resamples is {resamples}: draw at least two, better 10,000.")
    labels = [None] * len(columns) if clusters is None else clusters
    if len(labels) != len(columns):
        raise ValueError(
            f"There are {len(columns)} columns but {len(labels)} lists of cluster labels: give one"
            " a column."
        )
    found = [_units(*both) for both in zip(columns, labels, strict=True)]
    drawn = _draws(found, statistic, resamples, seed)
    return tuple(
        _estimate(units, draws, statistic, level, resamples, seed)
        for units, draws in zip(found, drawn, strict=True)
    )


def _estimate(
    units: list[Unit], draws: Floats, statistic: str, level: float, resamples: int, seed: int
) -> Estimate:
    if not units:
        return Estimate.undefined("There is no request to average over.")
    rows = [row for unit in units for row in unit]
    value = math.fsum(rows) / len(rows) if statistic == "mean" else float(np.median(rows))
    if len(units) < 2:
        reason = "One request gives no interval: at least two are needed."
        return Estimate(value, reason, 1, rows=len(rows))
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(
        value,
        _caveat(rows, draws),
        len(units),
        low=float(low),
        high=float(high),
        method=f"bootstrap_{statistic}",
        level=level,
        standard_error=float(draws.std(ddof=1)),
        resamples=resamples,
        seed=seed,
        rows=len(rows),
    )


def _units(values: Sequence[float], clusters: Labels) -> list[Unit]:
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


def _caveat(rows: list[float], draws: Floats) -> str:
    if min(rows) == max(rows):
        return f"Every request has the same value, so {NO_SPREAD}."
    same = float(draws.min()) == float(draws.max())
    return f"Every resample has the same value, so {NO_SPREAD}." if same else ""


def _draws(found: Sequence[list[Unit]], statistic: str, resamples: int, seed: int) -> list[Floats]:
    """Return the statistic of each column in each resample; nothing for one without two clusters.
    Every column sees the draws that it would see alone."""
    draws = [np.empty(resamples if len(units) > 1 else 0) for units in found]
    for n in {len(units) for units in found if len(units) > 1}:
        columns = [
            (_rule(units, statistic), into)
            for units, into in zip(found, draws, strict=True)
            if len(units) == n
        ]
        for begin, drawn in _drawn(n, resamples, seed):
            for rule, into in columns:
                into[begin : begin + len(drawn)] = rule(drawn)
    return draws


def _drawn(n: int, resamples: int, seed: int) -> Iterator[tuple[int, Places]]:
    """Yield which of the `n` clusters each resample has, some resamples at a time."""
    generator = np.random.default_rng(seed)
    step = max(1, _CHUNK_CELLS // n)
    for begin in range(0, resamples, step):
        rows = min(step, resamples - begin)
        # Draws of 32 bits are the same numbers as those of 64 and take less time.
        yield begin, generator.integers(0, n, size=(rows, n), dtype=np.uint32).astype(np.intp)


def _rule(units: list[Unit], statistic: str) -> Callable[[Places], Floats]:
    """Return what gives the statistic of each row of drawn clusters."""
    sums = np.array([math.fsum(unit) for unit in units])
    sizes = np.array([float(len(unit)) for unit in units])
    if statistic == "mean" and sizes.min() == sizes.max():
        return lambda drawn: _sums(sums, drawn) / sizes.sum()
    if statistic == "mean":
        return lambda drawn: _sums(sums, drawn) / _sums(sizes, drawn)
    if sizes.max() == 1.0:
        return lambda drawn: np.asarray(np.median(sums[drawn], axis=1), dtype=np.float64)
    rows = [np.array(unit) for unit in units]
    return lambda drawn: np.array([np.median(np.concatenate([rows[i] for i in d])) for d in drawn])


def _sums(of_unit: Floats, drawn: Places) -> Floats:
    found: Floats = of_unit.take(drawn, mode="clip").sum(axis=1)
    return found
