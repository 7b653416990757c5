"""What a set of variations is when it is made: its manifest, and its rows as a file has them.

The manifest names every text by its hash and holds none. A row of the file has what the manifest
says of it and the words: whoever has the rows and the recipe can compute the set's hash again.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.canonical import content_hash
from evaluation.models import VariationItem, VariationSet
from evaluation.varying.making import HUMAN

SCHEMA = "variations/1"
# What a row of the file and an item of the manifest share.
SEALED = (
    *("position", "request", "request_sha256", "kind", "text_sha256", "generator", "version"),
    *("seed", "attempts", "paraphrase_sha256", "rejected", "failed", "sampled"),
)


def text_hash(text: str) -> str:
    """The SHA-256 (hex) of the words as they stand."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def manifest_of(recipe: Mapping[str, Any], items: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The manifest, from the recipe and what is sealed of the items; rows of the file will do."""
    sealed = [{name: item[name] for name in SEALED} for item in items]
    return {"schema": SCHEMA, "recipe": dict(recipe), "items": sealed}


def manifest_hash(recipe: Mapping[str, Any], items: Iterable[Mapping[str, Any]]) -> str:
    """The hash of the set that has these items or rows of its file."""
    return content_hash(manifest_of(recipe, items))


def sealed_of(item: VariationItem) -> dict[str, Any]:
    """What is sealed of one item. `rejected` counts the texts that might not stand, `failed` is
    whether its kind has no variation; a clean item has its request's own text.
    """
    row = item.variation
    text = item.request.text if not item.kind else row.text if row else None
    return {
        "position": item.position,
        "request": item.request.key,
        "request_sha256": item.request.sha256,
        "kind": item.kind,
        "text_sha256": text_hash(text) if text is not None else None,
        "generator": row.generator if row else "",
        "version": row.version if row else "",
        "seed": row.seed if row else None,
        "attempts": row.attempts if row else None,
        "paraphrase_sha256": row.validation.get("paraphrase_sha256") if row else None,
        "rejected": len(item.rejected),
        "failed": bool(item.kind) and row is None,
        "sampled": item.sampled,
    }


def sealed_items(of: VariationSet) -> Iterator[dict[str, Any]]:
    """What is sealed of every item, in their order."""
    rows = of.items.select_related("request", "variation").order_by("position")
    for item in rows.iterator(chunk_size=500):
        yield sealed_of(item)


def rows_of(of: VariationSet) -> Iterator[dict[str, Any]]:
    """The rows of a made set's file, in the order of its items. A text that was withdrawn since is
    null, and its row keeps what was sealed of it.
    """
    sealed = {one["position"]: one for one in (of.manifest or {}).get("items", ())}
    rows = of.items.select_related("request", "variation").order_by("position")
    for item in rows.iterator(chunk_size=500):
        yield row_of(item, sealed.get(item.position) or sealed_of(item))


def row_of(item: VariationItem, sealed: Mapping[str, Any]) -> dict[str, Any]:
    """One row: what was sealed, and the words beside it."""
    row = item.variation
    notes = row.validation if row else {}
    return {
        **sealed,
        "original": item.request.text,
        "text": item.request.text if not item.kind else row.text if row else None,
        "why": item.why,
        "rejected_texts": item.rejected,
        "checks": notes.get("checks", []),
        "edited": notes.get("edited", []),
        "flags": notes.get("flags", {}),
        "notes": notes.get("notes", {}),
    }


def as_sealed(of: VariationSet, withdrawn: frozenset[tuple[str, str]]) -> str:
    """The hash of a made set, computed anew from its rows. `withdrawn` are the requests' ids and
    hashes of paraphrases whose authors withdrew them: these answer with what was sealed.
    """
    sealed = {one["position"]: one for one in (of.manifest or {}).get("items", ())}
    items = []
    for now in sealed_items(of):
        then = sealed.get(now["position"], now)
        gone = now["kind"] == HUMAN and now["failed"] and not then["failed"]
        if gone and (now["request"], str(then["paraphrase_sha256"])) in withdrawn:
            now = then
        items.append(now)
    return manifest_hash(of.recipe, items)
