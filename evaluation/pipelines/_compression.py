"""What LongLLMLingua computes from losses: which passages and which tokens are kept. Pure.

Source: Jiang et al. 2024, "LongLLMLingua", arXiv 2310.06839, sections 4.1 to 4.3.
"""

import math
from collections.abc import Sequence


def within_budget(lengths: Sequence[int], budget: float) -> int:
    """Return how many passages are kept, from the first on, until their tokens have spent the
    `budget`; the one that spends the last of it is kept too. At least one, where there is any.
    """
    left = budget
    for place, length in enumerate(lengths):
        left -= length
        if left < 0:
            return place + 1
    return len(lengths)


def ratio_shifts(count: int, delta: float) -> list[float]:
    """Return what is added to the keeping ratio of each of `count` passages, best first: linear
    from +delta to -delta; 0 for a single one.
    """
    if count < 2:
        return [0.0] * count
    return [delta * (count - 1 - 2 * place) / (count - 1) for place in range(count)]


def keeping_ratios(lengths: Sequence[int], target: float, delta: float) -> list[float]:
    """Return the share of its tokens that each passage keeps, best first, between 0 and 1: the same
    for all to reach `target` tokens, then shifted by rank.
    """
    base = min(1.0, target / max(1, sum(lengths)))
    return [min(1.0, max(0.0, base + shift)) for shift in ratio_shifts(len(lengths), delta)]


def contrast(without: Sequence[float], given: Sequence[float]) -> list[float]:
    """Return the loss of each token without the question less that with it; shape (n,).

    The greater, the more the question speaks for the token.
    """
    return [plain - conditional for plain, conditional in zip(without, given, strict=True)]


def kept_places(values: Sequence[float], ratio: float) -> list[int]:
    """Return the places of the greatest `ratio` of the values, rounded down, in their own order;
    among equal ones the earlier.
    """
    count = math.floor(round(ratio * len(values), 9))  # .29 of 100 is 29, not 28
    best = sorted(range(len(values)), key=lambda place: -values[place])[:count]
    return sorted(best)


def mean(losses: Sequence[float]) -> float:
    """Return the mean loss of a text's tokens; that of no token is 0."""
    return math.fsum(losses) / len(losses) if losses else 0.0
