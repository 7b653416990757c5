"""The contrastive loss of the robust retriever, and which passages count as negatives.

Source: QE-RAG (Zhang et al. 2025, arXiv 2504.04062), equation (1), with cosines as s:
L_i = -log(e^(s+/tau) / (e^(s+/tau) + sum_j e^(s_j-/tau))).
The matrices are torch tensors, but nothing here imports torch: their own methods are enough.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # torch takes seconds; who has a tensor has it already
    import torch


def negatives_of(
    golds: Sequence[Collection[str]],
    positives: Sequence[str],
    extras: Sequence[str],
    *,
    others_extras: bool = False,
) -> NDArray[np.bool_]:
    """Return which passages of a batch are negatives of which query; shape (queries, 2 queries).

    The columns are the `positives`, one a query, then the `extras`, one a query: passage ids.
    Negatives of a query are the positives of the others and its own extra one, and with
    `others_extras` theirs too. A passage that is any gold of the query never is one: two questions
    may share a gold paragraph. A passage that stands in two columns counts twice, as in the sum.
    """
    n = len(positives)
    if not len(golds) == len(extras) == n:
        raise ValueError(
            f"There are {len(golds)} queries, {n} positives and {len(extras)} extra passages: "
            "each query needs one of both."
        )
    own = np.eye(n, dtype=np.bool_)
    extra = np.ones((n, n), dtype=np.bool_) if others_extras else own
    candidates = np.concatenate([~own, extra], axis=1)
    columns = [*positives, *extras]
    gold = np.array([[column in known for column in columns] for known in golds], dtype=np.bool_)
    return candidates & ~gold.reshape(n, 2 * n)


def losses(
    similarities: "torch.Tensor", negatives: "torch.Tensor", *, tau: float
) -> "torch.Tensor":
    """Return the loss of each query; shape (queries,).

    `similarities` are cosines of shape (queries, passages), of which passage i is the positive of
    query i; `negatives` is the mask of the same shape from `negatives_of`. A query without a
    negative has the loss 0. Raises ValueError when tau is not above 0.
    """
    if not tau > 0:
        raise ValueError(f"tau must be above 0, not {tau}.")
    scaled = similarities / tau
    positive = scaled.diagonal()
    # The positive itself belongs into the sum below the line; everything else is out of it.
    counted = negatives.clone()
    counted.diagonal().fill_(True)
    below = scaled.masked_fill(~counted, float("-inf")).logsumexp(dim=1)
    return below - positive
