"""The documents that an arm retrieved for a request: which are required, which only a twin
requires, and which query found them. Knows no model: built from the rows' JSON.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.records import Document, Hit
from evaluation.reports.case.stages import found_by
from evaluation.scoring.percentages import MINUS


@dataclass(frozen=True, slots=True)
class HitShown:
    """One retrieved document; `mark` is "required", "near_miss" (`twins` require it) or empty.

    `anchor` is its place on the page, `found` what found it (a text for each list that it stood
    in), `cited` whether the answer cites it. `queries` are the numbers (from 0) of the searched
    queries that found it.
    """

    id: str
    rank: int
    score: str
    title: str
    mark: str
    anchor: str
    found: tuple[str, ...] = ()
    cited: bool = False
    twins: tuple[str, ...] = ()
    queries: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Marks:
    """What is said of documents: who they are, and whether they are required."""

    documents: Mapping[str, Document]
    required: set[str]
    near_misses: Mapping[str, tuple[str, ...]]


def hits_shown(
    case_pk: int,
    found: Mapping[str, Any],
    queries: Sequence[str],
    citations: Sequence[str],
    marks: Marks,
) -> tuple[HitShown, ...]:
    """Return what the retrieval row `found`, of a rewrite with these `queries`, in its order."""
    sent = found.get("searched") or queries
    added = frozenset(n for n, text in enumerate(sent) if text not in queries)
    return tuple(
        _hit(hit, f"hit-{case_pk}-{at}", marks, found_by(hit, len(sent), added), citations)
        for at, hit in enumerate(found.get("hits", ()), start=1)
    )


def _hit(
    hit: Mapping[str, Any],
    anchor: str,
    marks: Marks,
    found: tuple[str, ...],
    citations: Sequence[str],
) -> HitShown:
    key = hit["id"]
    near = key in marks.near_misses
    mark = "required" if key in marks.required else "near_miss" if near else ""
    document = marks.documents.get(key)
    lists = Hit.from_json(hit).found
    return HitShown(
        id=key,
        rank=hit["rank"],
        score=_score(hit["score"]),
        title=document.title if document else "",
        mark=mark,
        anchor=anchor,
        found=found,
        cited=key in citations,
        twins=marks.near_misses[key] if mark == "near_miss" else (),
        queries=frozenset(one.query for one in lists) or frozenset([hit.get("query", 0)]),
    )


def _score(value: float) -> str:
    """Fused scores are small: 1/61 and 1/62 are to look unlike."""
    return (f"{value:.2f}" if abs(value) >= 1 else f"{value:.4f}").replace("-", MINUS)
