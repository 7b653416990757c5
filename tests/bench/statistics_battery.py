"""How long the whole battery of tests and intervals takes: alone by
`python -m tests.bench.statistics_battery`, or as a part of `make bench`.
"""

import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from evaluation.statistics import (
    bootstrap_interval,
    bootstrap_intervals,
    clopper_pearson,
    holm,
    mcnemar_exact,
    sign_flip,
    smallest_detectable,
    wilson,
)

REQUESTS, METRICS, RESAMPLES = 10_000, 10, 10_000
Columns = list[list[float]]


def study(requests: int = REQUESTS, metrics: int = METRICS) -> tuple[Columns, list[str]]:
    """Differences candidate - original of each request: half of the metrics yes or no, the others
    shares of a few items or any number; and the base case of each request, two to a base.
    """
    rng = np.random.default_rng(7)
    kinds: tuple[Callable[[], np.ndarray], ...] = (
        lambda: rng.choice([-1.0, 0.0, 1.0], requests, p=[0.1, 0.77, 0.13]),
        lambda: rng.integers(0, 4, requests) / 3 - rng.integers(0, 4, requests) / 3,
        lambda: rng.choice([-1.0, 0.0, 1.0], requests, p=[0.04, 0.9, 0.06]),
        lambda: rng.normal(0.0, 0.3, requests),
    )
    columns = [kinds[number % len(kinds)]().tolist() for number in range(metrics)]
    return columns, [f"base {number // 2}" for number in range(requests)]


def battery(columns: Columns, clusters: Sequence[str] | None) -> None:
    """Everything that a scorecard can ask of each metric."""
    bootstrap_intervals(columns, clusters=[clusters] * len(columns), resamples=RESAMPLES)
    tests = [sign_flip(column, clusters=clusters, resamples=RESAMPLES) for column in columns]
    for column in columns:
        lost, gained = sum(v < 0 for v in column), sum(v > 0 for v in column)
        tests.append(mcnemar_exact(lost, gained))
        wilson(lost, len(column))
        clopper_pearson(lost, len(column), side="upper")
    holm([test.value for test in tests])


def statistics(rows: list[tuple[str, str, str]]) -> None:
    columns, bases = study()
    bootstrap_interval(columns[0][:10], resamples=10)  # imports
    clopper_pearson(1, 2)
    alone = _processor(lambda: battery(columns, None))
    paired = _processor(lambda: battery(columns, bases))
    one = _processor(lambda: bootstrap_interval(columns[3], resamples=RESAMPLES))
    ten = _processor(lambda: bootstrap_intervals(columns, resamples=RESAMPLES))
    planned = _processor(lambda: smallest_detectable(100_000))
    size = f"{REQUESTS:,} requests × {METRICS} metrics × {RESAMPLES:,} resamples, processor time"
    each = "bootstrap, sign-flip, exact McNemar, Wilson, Clopper–Pearson, Holm"
    requests = f"{REQUESTS:,} requests × {RESAMPLES:,} resamples, processor time"
    rows.append(("All tests, with base cases and without", f"{alone + paired:.1f} s", size))
    rows.append(("Each request its own", f"{alone:.1f} s", each))
    rows.append(("Two requests to a base case", f"{paired:.1f} s", "the same"))
    rows.append(("One bootstrap interval", f"{one:.1f} s", requests))
    rows.append(("Ten that share their draws", f"{ten:.1f} s", "the same"))
    rows.append(("The smallest difference found", f"{planned:.1f} s", "100,000 planned requests"))


def _processor(act: Callable[[], object], times: int = 3) -> float:
    """The least processor time of the attempts, in seconds, over all threads."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        act()
        spent.append(time.process_time() - began)
    return min(spent)


if __name__ == "__main__":
    found: list[tuple[str, str, str]] = []
    statistics(found)
    sys.stdout.write("".join(f"{' | '.join(row)}\n" for row in found))
