"""How several distributions over the next token become one. Pure; natural logarithms."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = Sequence[Sequence[float]]


def softmax(scores: Sequence[float]) -> list[float]:
    """Return e^s over the sum of all e^s; shape (n,). REPLUG, section 3.2."""
    powers = np.exp(np.asarray(scores, dtype=np.float64) - max(scores))
    return [float(weight) for weight in powers / powers.sum()]


def shares(scores: Sequence[float]) -> list[float]:
    """Return each score over the sum of all, as FlashRAG weighs documents; shape (n,).

    Raises ValueError on a negative score or when all are 0: then the shares are no weights.
    """
    if min(scores) < 0 or sum(scores) <= 0:
        raise ValueError(
            'the rule "flashrag" divides the scores of the search by their sum, and '
            f"{'one of them is negative' if min(scores) < 0 else 'their sum is 0'}; take the rule "
            '"probabilities" with this retriever'
        )
    return [score / sum(scores) for score in scores]


def mixed_probabilities(log_probs: Rows, weights: Sequence[float]) -> NDArray[np.float64]:
    """Return the weighted mean of the probabilities; (documents, vocabulary) → (vocabulary,).

    p(y) = Σ λ_d p(y | d): REPLUG (Shi et al. 2024, arXiv 2301.12652), section 3.2.
    """
    mixed = np.zeros(len(log_probs[0]))
    for row, weight in zip(log_probs, weights, strict=True):
        mixed += weight * np.exp(np.asarray(row, dtype=np.float64))
    return mixed


def mixed_logits(log_probs: Rows, weights: Sequence[float]) -> NDArray[np.float64]:
    """Return the softmax of the weighted mean of the logits; (documents, vocabulary) →
    (vocabulary,).

    With weights that sum to 1, log-probabilities do as well: they differ from the logits of their
    document by a constant.
    """
    mean = np.zeros(len(log_probs[0]))
    for row, weight in zip(log_probs, weights, strict=True):
        if weight > 0:  # 0 times an impossible token's -inf is no number
            mean += weight * np.asarray(row, dtype=np.float64)
    return np.asarray(softmax(mean.tolist()))


def likeliest(values: Sequence[float] | NDArray[np.float64]) -> int:
    """Return the place of the greatest value, the first on a tie."""
    return int(np.argmax(np.asarray(values)))
