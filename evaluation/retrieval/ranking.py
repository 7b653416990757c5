"""From scores to hits: the best k with a total order, and several queries' lists made into one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.records import Found, Hit

Scored = tuple[str, float]


def best(
    scores: NDArray[np.floating], candidates: NDArray[np.bool_], k: int
) -> list[tuple[int, float]]:
    """Return up to `k` (position, score) among `candidates`, best first, ties by lower position.

    `scores` and `candidates` have shape (documents,).
    """
    positions = np.flatnonzero(candidates)
    values = scores[positions]
    if len(positions) > k:
        # Everything that ties with the k-th stays in, so that the order below decides, not numpy.
        least = np.partition(values, len(values) - k)[len(values) - k]
        positions, values = positions[values >= least], values[values >= least]
    order = np.argsort(-values, kind="stable")[:k]
    return [(int(positions[i]), float(values[i])) for i in order]


def merge_round_robin(lists: Sequence[Sequence[Scored]], k: int) -> list[Hit]:
    """Return up to `k` hits with unique ids: every query's first, then every query's second, ...

    A document that several queries found counts for the one that found it first in this order
    (`Hit.query`), with that query's score; `Hit.found` has all of them with its rank there. Scores
    of different queries are not comparable, so they do not decide the order; `rank` (from 1) does.
    """
    hits: list[Hit] = []
    found = _provenance(lists)
    seen: set[str] = set()
    for depth in range(max(map(len, lists), default=0)):
        for query, ranked in enumerate(lists):
            if depth >= len(ranked) or ranked[depth][0] in seen:
                continue
            if len(hits) == k:
                return hits
            identifier, score = ranked[depth]
            seen.add(identifier)
            hits.append(
                Hit(identifier, len(hits) + 1, score, query, tuple(found.get(identifier, ())))
            )
    return hits


def _provenance(lists: Sequence[Sequence[Scored]]) -> dict[str, list[Found]]:
    """Return where each document stands; nothing for one list, where that is the hit itself."""
    found: dict[str, list[Found]] = {}
    if len(lists) > 1:
        for query, ranked in enumerate(lists):
            for rank, (identifier, _score) in enumerate(ranked, start=1):
                found.setdefault(identifier, []).append(Found(query, rank))
    return found
