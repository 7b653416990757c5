"""Reciprocal rank fusion: several rankings of one corpus made into one.

Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods" (SIGIR 2009): a document's score is the sum of 1 / (k + rank) over the rankings
that it stands in, with k = 60 there and `constant` here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.records import Found

CONSTANT = 60


@dataclass(frozen=True, slots=True)
class Ranking:
    """Positions of documents, best first, that one list has for one query. `weight` is >= 0."""

    positions: Sequence[int]
    query: int
    weight: float = 1.0
    by: str = ""


@dataclass(frozen=True, slots=True)
class Fused:
    """A document's place in the fused order. `query` is that of the list that gave it most."""

    position: int
    score: float
    query: int
    found: tuple[Found, ...]


def fuse(rankings: Sequence[Ranking], *, k: int, constant: int = CONSTANT) -> list[Fused]:
    """Return up to `k` documents by falling sum of weight / (constant + rank), ranks from 1.

    Equal sums fall to the lower position. They are equal to the last bit whatever order the lists
    come in, because the sum is rounded once. A list of weight 0 adds no document.
    """
    places: dict[int, list[tuple[Ranking, int]]] = {}
    shares: dict[int, list[float]] = {}
    for ranking in rankings:
        if not ranking.weight:
            continue
        for rank, position in enumerate(ranking.positions, start=1):
            places.setdefault(position, []).append((ranking, rank))
            shares.setdefault(position, []).append(ranking.weight / (constant + rank))
    scores = {position: math.fsum(given) for position, given in shares.items()}
    best = sorted(scores, key=lambda at: (-scores[at], at))[:k]
    return [
        Fused(
            at,
            scores[at],
            _most(places[at], constant),
            tuple(Found(ranking.query, rank, ranking.by) for ranking, rank in places[at]),
        )
        for at in best
    ]


def _most(places: Sequence[tuple[Ranking, int]], constant: int) -> int:
    """Return the query whose list gave most; of several, the first."""
    return min((-list_.weight / (constant + rank), list_.query) for list_, rank in places)[1]
