"""Intervals and bounds for rates of requests."""

import math
from statistics import NormalDist

from evaluation.statistics.estimate import Estimate, require_level

SIDES = ("two", "upper", "lower")
NO_CASE = "There is no request in the denominator."


def wilson(k: int, n: int, *, level: float = 0.95) -> Estimate:
    """Return the rate k / n with Wilson's score interval, the one for display (Wilson 1927;
    Newcombe 1998).

    Raises ValueError unless 0 <= k <= n and 0 < level < 1. No case (n = 0) gives no value, with the
    reason.
    """
    _require_counts(k, n)
    require_level(level)
    if n == 0:
        return _no_case()
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate = k / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low = 0.0 if k == 0 else max(0.0, centre - half)
    high = 1.0 if k == n else min(1.0, centre + half)
    return Estimate(rate, "", n, low, high, numerator=k, method="wilson", level=level)


def clopper_pearson(k: int, n: int, *, level: float = 0.95, side: str = "two") -> Estimate:
    """Return the rate k / n with the exact binomial interval, the one for a safety bound.

    `side` "two" gives both ends at `level`; "upper" gives only `high`, "lower" only `low`, each at
    the full `level`. Source: Clopper and Pearson 1934, by the beta quantile. Same errors as
    `wilson`.
    """
    _require_counts(k, n)
    require_level(level)
    if side not in SIDES:
        raise ValueError(f"side is {side!r}: choose one of {', '.join(SIDES)}.")
    if n == 0:
        return _no_case()
    tail = (1 - level) / (2 if side == "two" else 1)
    low = None if side == "upper" else _lower(k, n, tail)
    high = None if side == "lower" else _upper(k, n, tail)
    method = "clopper_pearson" if side == "two" else f"clopper_pearson_{side}"
    return Estimate(k / n, "", n, low, high, numerator=k, method=method, level=level)


def zero_failure_upper(n: int, *, level: float = 0.95) -> Estimate:
    """Return the exact one-sided upper bound of a failure rate after `n` clean requests: 1 - (1 -
    level)^(1/n).

    About 3 / n at 95 % (rule of three, Hanley and Lippman-Hand 1983), which overstates below some
    30. Raises ValueError for a negative n or a bad level. No request gives no value, with the
    reason.
    """
    require_level(level)
    _require_counts(0, n)
    if n == 0:
        return _no_case()
    bound = -math.expm1(math.log1p(-level) / n)
    return Estimate(bound, "", n, high=bound, numerator=0, method="zero_failure_upper", level=level)


def clean_requests_needed(ceiling: float, *, level: float = 0.95, failures: int = 0) -> Estimate:
    """Return how many requests with `failures` failures bring the exact upper bound to `ceiling` or
    below.

    `n` is the whole number to print and `value` the same. Without failures it is ln(1 - level) /
    ln(1 - ceiling), rounded up. A ceiling of 0 can never be shown: no value, with the reason.
    Raises ValueError for a ceiling outside 0 to 1, a bad level or negative failures.
    """
    require_level(level)
    if not 0.0 <= ceiling <= 1.0:
        raise ValueError(f"ceiling is {ceiling}: a rate lies between 0 and 1.")
    if failures < 0:
        raise ValueError(f"failures is {failures}: a count cannot be negative.")
    if ceiling == 0.0:
        return Estimate.undefined("No number of requests can show a failure rate of exactly 0.")
    low, high = failures, max(failures + 1, 1)
    while not _bounded(failures, high, ceiling, level):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _bounded(failures, middle, ceiling, level) else (middle, high)
    return Estimate(
        float(high), "", high, numerator=failures, method="clopper_pearson_upper", level=level
    )


def _bounded(failures: int, n: int, ceiling: float, level: float) -> bool:
    return _upper(failures, n, 1 - level) <= ceiling


def _lower(k: int, n: int, tail: float) -> float:
    from scipy.special import betaincinv  # Lazily: SciPy takes a moment to load.

    return 0.0 if k == 0 else float(betaincinv(k, n - k + 1, tail))


def _upper(k: int, n: int, tail: float) -> float:
    if k == n:
        return 1.0
    if k == 0:
        return -math.expm1(math.log(tail) / n)
    from scipy.special import betaincinv

    return float(betaincinv(k + 1, n - k, 1 - tail))


def _no_case() -> Estimate:
    return Estimate.undefined(NO_CASE)


def _require_counts(k: int, n: int) -> None:
    if n < 0 or not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no rate: counts must satisfy 0 <= k <= n.")
