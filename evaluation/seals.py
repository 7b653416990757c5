"""What the ledger's entries of this app sealed, computed anew from the rows."""

from datetime import datetime
from typing import Any

from annotation.canonical import content_hash
from annotation.models import Project
from annotation.services.ledger import Seal
from evaluation.models import VariationSet
from evaluation.varying.sealing import as_sealed

Hashes = dict[tuple[str, Any], set[str]]


def _protocols(project: Project) -> Hashes:
    return {(str(p), None): {content_hash(p.content)} for p in project.protocols.all()}


def _registered(project: Project) -> dict[str, datetime]:
    """What may be decided follows from this time."""
    return {str(p): p.registered_at for p in project.protocols.all()}


def _conditions(project: Project) -> Hashes:
    return {
        (f"conditions {c.sha256[:12]}", None): {content_hash(c.content)}
        for c in project.conditions.all()
    }


def _variations(project: Project) -> Hashes:
    withdrawn = frozenset(
        (entry.subject, str(entry.content["sha256"]))
        for entry in project.ledger.filter(kind="paraphrase.withdrawn")
    )
    made = project.variation_sets.filter(state=VariationSet.State.MADE)
    return {
        (f"variations {one.number}", None): {as_sealed(one, withdrawn)} for one in made.iterator()
    }


PROTOCOLS = Seal("protocol.registered", "", _protocols, _registered)
CONDITIONS = Seal("conditions.frozen", "", _conditions)
VARIATIONS = Seal("variations.sealed", "", _variations)
