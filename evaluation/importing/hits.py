"""The hits of a logged run: checked one by one, in the order of their ranks. No Django here."""

from collections import Counter
from collections.abc import Collection
from typing import Any, TypeGuard

from annotation.importing.fields import Fields, composed
from annotation.importing.showing import quoted
from evaluation.importing.unknown import Unknown

MAX_RANK = 1_000_000
_HIT = ("id", "rank", "score", "query", "found")


def hits_of(
    fields: Fields, documents: Collection[str], unknown: Unknown
) -> list[dict[str, Any]] | None:
    """Return the hits by rank, equal ranks by falling id as trec_eval has it; None if not logged.

    A document twice is a fault, and one that the corpus lacks, unless `unknown` allows it.
    """
    given = fields.objects("hits")
    if given is None:
        return None
    hits: list[dict[str, Any]] = []
    seen: set[str] = set()
    for position, logged in enumerate(given, start=1):
        key = logged.get("id")
        hit = {**logged, "id": composed(key) if isinstance(key, str) else key}
        if isinstance(key, str) and hit["id"] not in documents:
            unknown.hit(hit["id"])
            if unknown.allowed:
                continue
        if fault := _fault(hit, seen, documents):
            fields.fault("hits", fault[0], f"hit {position}: {fault[1]}", part=position)
            continue
        seen.add(hit["id"])
        hits.append(_kept(hit))
        if others := sorted(logged.keys() - set(_HIT)):
            sentence = f"hit {position}: {', '.join(map(quoted, others))} is not kept."
            fields.warn("hits", "not_kept", sentence)
    _warn_of_ties(fields, hits)
    hits.sort(key=lambda hit: hit["id"], reverse=True)
    return sorted(hits, key=lambda hit: hit["rank"])


def citations_of(
    fields: Fields, hits: list[dict[str, Any]] | None, documents: Collection[str], unknown: Unknown
) -> list[str]:
    """Return the cited documents, each once: hits of the row, or without logged hits documents of
    the corpus.
    """
    found: list[str] = []
    retrieved = None if hits is None else {hit["id"] for hit in hits}
    for key in map(composed, fields.texts("citations") or []):
        if key not in documents:
            unknown.citations += 1
            if not unknown.allowed:
                sentence = f"the corpus has no document {quoted(key)}."
                fields.fault("citations", "unknown_document", sentence)
        elif retrieved is not None and key not in retrieved:
            sentence = f"{quoted(key)} is cited and is not among the hits of this row."
            fields.fault("citations", "unknown_citation", sentence)
        elif key not in found:
            found.append(key)
    return found


def _kept(hit: dict[str, Any]) -> dict[str, Any]:
    kept = {**{part: hit[part] for part in _HIT[:3]}, "query": hit.get("query", 0)}
    return {**kept, "found": hit["found"]} if hit.get("found") else kept


def _fault(
    hit: dict[str, Any], seen: set[str], documents: Collection[str]
) -> tuple[str, str] | None:
    key, rank, score, query = hit["id"], hit.get("rank"), hit.get("score"), hit.get("query", 0)
    if not isinstance(key, str) or key not in documents:
        return "unknown_document", f"the corpus has no document {quoted(key)}."
    if key in seen:
        return "duplicate_hit", f"{quoted(key)} stands twice."
    if lacking := [part for part in ("rank", "score") if hit.get(part) is None]:
        said = " and ".join(lacking)
        return f"bad_{lacking[0]}", (
            f"{said} missing: each hit needs its rank (1 is the best) and the search's score, such "
            'as {"id": "d17", "rank": 1, "score": 9.1}.'
        )
    if not _is_count(rank) or not 1 <= rank <= MAX_RANK:
        return "bad_rank", f"the rank must be 1, 2, 3 …, not {quoted(rank)}."
    if isinstance(score, bool) or not isinstance(score, int | float):
        return "bad_score", f"the score must be a number such as 9.1, not {quoted(score)}."
    if not _is_count(query) or not 0 <= query <= MAX_RANK:
        return "bad_query", f"the query must be 0, 1, 2 …, not {quoted(query)}."
    if not _names_lists(hit.get("found")):
        return (
            "bad_found",
            'found must be a list of {"query": 0, "rank": 1}, each with "by" or not.',
        )
    return None


def _names_lists(found: object) -> bool:
    """Return whether `found` can be the lists that a fused hit stood in; most hits have none."""
    if found is None:
        return True
    return isinstance(found, list) and all(
        isinstance(one, dict)
        and one.keys() <= {"query", "rank", "by"}
        and _is_count(one.get("query"))
        and _is_count(one.get("rank"))
        and 0 <= one["query"] <= MAX_RANK
        and 1 <= one["rank"] <= MAX_RANK
        and isinstance(one.get("by", ""), str)
        for one in found
    )


def _warn_of_ties(fields: Fields, hits: list[dict[str, Any]]) -> None:
    places = Counter((hit["query"], hit["rank"]) for hit in hits)
    tied = sorted(rank for (_query, rank), count in places.items() if count > 1)
    if tied:
        ranks = ", ".join(map(str, tied[:10]))
        fields.warn("hits", "tied_rank", f"hits share the rank {ranks}: the higher id comes first.")


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
