"""Adjusted p-values for a family of tests that was declared before the run."""

from collections.abc import Sequence

from evaluation.statistics.estimate import Estimate

UNTESTABLE = "This test could not be made; it keeps its place in the family with p = 1."


def holm(p: Sequence[float | None]) -> tuple[Estimate, ...]:
    """Return Holm's adjusted p-values in the order given (Holm 1979); `n` is the size of the
    family.

    adj_(i) = max over j <= i of min(1, (m - j + 1) p_(j)). An untestable member (None) keeps its
    place with p = 1 and says so in `reason`. An empty family returns (). Raises ValueError for p
    outside 0 to 1.
    """
    values = _completed(p)
    order = sorted(range(len(values)), key=lambda i: (values[i], i))
    adjusted = [1.0] * len(values)
    running = 0.0
    for position, index in enumerate(order):
        running = max(running, min(1.0, (len(values) - position) * values[index]))
        adjusted[index] = running
    return _estimates(p, adjusted, "holm")


def benjamini_hochberg(p: Sequence[float | None]) -> tuple[Estimate, ...]:
    """Return the false-discovery adjusted p-values in the order given, for exploration only.

    adj_(i) = min over j >= i of min(1, m p_(j) / j) (Benjamini and Hochberg 1995). None as in
    `holm`.
    """
    values = _completed(p)
    order = sorted(range(len(values)), key=lambda i: (values[i], i))
    adjusted = [1.0] * len(values)
    running = 1.0
    for rank in range(len(values), 0, -1):
        index = order[rank - 1]
        running = min(running, len(values) * values[index] / rank)
        adjusted[index] = running
    return _estimates(p, adjusted, "benjamini_hochberg")


def _completed(p: Sequence[float | None]) -> list[float]:
    for index, value in enumerate(p):
        # Written so that NaN is refused too.
        if value is not None and not 0.0 <= value <= 1.0:
            raise ValueError(f"p[{index}] is {value}: a p-value lies between 0 and 1.")
    return [1.0 if value is None else float(value) for value in p]


def _estimates(
    p: Sequence[float | None], adjusted: list[float], method: str
) -> tuple[Estimate, ...]:
    return tuple(
        Estimate(value, UNTESTABLE if raw is None else "", len(p), method=method)
        for raw, value in zip(p, adjusted, strict=True)
    )
