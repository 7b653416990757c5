"""Ranking measures over an ordered list of document ids. Scores are never re-sorted here."""

import math
from collections.abc import Collection, Mapping, Sequence

from evaluation.statistics import Estimate

NOTHING_RELEVANT = "No document is judged relevant, so the measure is not applicable."


def recall_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> Estimate:
    """Return the share of the relevant documents among the first `k`; divides by all relevant ones.

    As in trec_eval: |relevant in the first k| / |relevant|, not min(k, |relevant|). An empty list
    of results is 0; no relevant document has no value. Raises ValueError for k below 1 or a
    document listed twice.
    """
    require_unique(ranked)
    _require_cutoff(k)
    wanted = set(relevant)
    if not wanted:
        return Estimate.undefined(NOTHING_RELEVANT)
    hits = sum(document in wanted for document in ranked[:k])
    return Estimate(hits / len(wanted), "", len(wanted), numerator=hits, method=f"recall@{k}")


def ndcg_at(ranked: Sequence[str], grades: Mapping[str, float], k: int) -> Estimate:
    """Return nDCG@k with gain = grade and discount log2(rank + 1) (Järvelin and Kekäläinen 2002).

    The ideal list is made of all judged documents, retrieved or not; negative grades count as 0,
    unjudged documents as 0. `n` counts documents with a positive grade. Same errors as `recall_at`,
    and ValueError for a grade that is not a finite number.
    """
    require_unique(ranked)
    _require_cutoff(k)
    for document, grade in grades.items():
        if not math.isfinite(grade):
            raise ValueError(f"The grade of {document!r} is {grade}: it must be a finite number.")
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    if not ideal:
        return Estimate.undefined(NOTHING_RELEVANT)
    gains = [max(0.0, grades.get(document, 0.0)) for document in ranked[:k]]
    return Estimate(_dcg(gains) / _dcg(ideal[:k]), "", len(ideal), method=f"ndcg@{k}")


def reciprocal_rank(
    ranked: Sequence[str], relevant: Collection[str], k: int | None = None
) -> Estimate:
    """Return 1 / rank of the first relevant document, 0 if none is listed (within `k`, if given).

    No relevant document at all has no value. Same errors as `recall_at`.
    """
    require_unique(ranked)
    if k is not None:
        _require_cutoff(k)
    wanted = set(relevant)
    if not wanted:
        return Estimate.undefined(NOTHING_RELEVANT)
    considered = ranked if k is None else ranked[:k]
    first = next((rank for rank, d in enumerate(considered, start=1) if d in wanted), None)
    method = "reciprocal_rank" if k is None else f"rr@{k}"
    return Estimate(1 / first if first else 0.0, "", len(wanted), method=method)


def require_unique(ranked: Sequence[str]) -> None:
    """Raise ValueError if a document is listed twice: it would be counted twice."""
    seen: set[str] = set()
    for rank, document in enumerate(ranked, start=1):
        if document in seen:
            raise ValueError(
                f"Document {document!r} is listed again at rank {rank}:"
                " merge its passages before scoring."
            )
        seen.add(document)


def _require_cutoff(k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}: a cutoff is at least 1.")


def _dcg(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
