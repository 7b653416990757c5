"""Evidence recall against the original intent: the contract's required items, never the
rewrite's."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.scoring.ranking import require_unique
from evaluation.statistics import Estimate

HIT, NEAR_MISS, MISSING = "hit", "near-miss", "missing"
NOT_APPLICABLE = "The request records no required evidence, so evidence recall is not applicable."


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One required item: `ids` that satisfy it, its status, and the document that decided it, if
    any."""

    ids: tuple[str, ...]
    status: str
    document: str | None = None


@dataclass(frozen=True, slots=True)
class EvidenceRecall:
    """Items hit / items required for one request (`n` counts items), with each item's status."""

    recall: Estimate
    items: tuple[EvidenceItem, ...] = ()

    def count(self, status: str) -> int:
        return sum(item.status == status for item in self.items)

    def to_json(self) -> dict[str, Any]:
        items = [
            {"ids": list(i.ids), "status": i.status, "document": i.document} for i in self.items
        ]
        return {"recall": self.recall.to_json(), "items": items}


def evidence_recall(
    required: Sequence[Sequence[str]],
    ranked_ids: Sequence[str],
    near_misses: Collection[str] = (),
) -> EvidenceRecall:
    """Return which required items were retrieved (protocol rule R27).

    Every inner sequence of `required` is one item that any of its ids satisfies. An item that is
    not retrieved is a near miss when a document of `near_misses` (right topic, wrong qualifier) was
    retrieved in its place, else missing: each such document stands for one item, the best ranked
    for the first. Nothing retrieved is 0, nothing required is not applicable. Raises ValueError for
    an item without ids and for a document listed twice.
    """
    require_unique(ranked_ids)
    if not required:
        return EvidenceRecall(Estimate.undefined(NOT_APPLICABLE))
    wanted = {document for item in required for document in item}
    near = iter([d for d in ranked_ids if d in near_misses and d not in wanted])
    items = tuple(_item(position, item, ranked_ids, near) for position, item in enumerate(required))
    hits = sum(item.status == HIT for item in items)
    recall = Estimate(
        hits / len(items),
        "",
        len(items),
        numerator=hits,
        method=f"evidence_recall@{len(ranked_ids)}",
    )
    return EvidenceRecall(recall, items)


def _item(
    position: int, ids: Sequence[str], ranked_ids: Sequence[str], near: Iterator[str]
) -> EvidenceItem:
    if not ids:
        raise ValueError(
            f"Required item {position + 1} names no document: give an id that satisfies it."
        )
    found = next((document for document in ranked_ids if document in ids), None)
    if found is not None:
        return EvidenceItem(tuple(ids), HIT, found)
    instead = next(near, None)
    return EvidenceItem(tuple(ids), MISSING if instead is None else NEAR_MISS, instead)
