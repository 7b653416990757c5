"""What the ledger's entries of this app sealed, computed anew from the rows."""

from collections import defaultdict
from typing import Any

from annotation.canonical import content_hash
from annotation.models import Project
from annotation.seals import rewrites_sealed
from annotation.services.ledger import Seal
from contracts.models import CONTROL, Contract, Control, Sheet, TwinPair
from contracts.terms import ContractTerms

Hashes = dict[tuple[str, Any], set[str]]


def _sheets(project: Project) -> Hashes:
    rows = Sheet.objects.filter(request__project=project)
    found: Hashes = defaultdict(set)
    for s in rows.select_related("request", "annotator").prefetch_related("constraints"):
        found[s.request.key, s.annotator.username].add(s.terms.sha256)
    return found


def _contracts(project: Project) -> Hashes:
    """The canonical content, and the constraint rows that repeat it, must say the same."""
    rows = Contract.objects.filter(request__project=project)
    found: Hashes = {}
    for contract in rows.select_related("request").prefetch_related("constraints"):
        terms = contract.terms
        repeated = ContractTerms(
            tuple(c.terms for c in contract.constraints.all()),
            terms.ambiguity,
            terms.admissible_rewrites,
        )
        same = terms.sha256 == repeated.sha256
        key = (contract.request.key, contract.version)
        found[key] = {terms.sha256 if same else "its constraint rows differ"}
    return found


def pair_sha256(pair: TwinPair) -> str:
    """The hash of a pair: its line in twins.jsonl, the words of both requests, and the reasons."""
    return content_hash(
        {
            "id": pair.key,
            "family": pair.family,
            "constraint": pair.constraint,
            "base": {"id": pair.base.key, "sha256": pair.base.sha256},
            "twin": {"id": pair.twin.key, "sha256": pair.twin.sha256},
            "reasons": pair.reasons,
        }
    )


def control_sha256(control: Control) -> str:
    """The hash of a control: its line in twins.jsonl and the reasons."""
    return content_hash(
        {
            "id": control.key,
            "family": CONTROL,
            "base": {"id": control.base.key, "sha256": control.base.sha256},
            "accepts": control.accepts,
            "reasons": control.reasons,
        }
    )


def _twins(project: Project) -> Hashes:
    """What was approved here; imported fixtures have no entry of their own."""
    found: Hashes = {}
    for pair in project.twin_pairs.select_related("base", "twin"):
        found[pair.key, pair.family] = {pair_sha256(pair)}
    for control in project.controls.select_related("base"):
        found[control.key, CONTROL] = {control_sha256(control)}
    return found


SHEETS = Seal("sheet.sealed", "annotator", _sheets)
CONTRACTS = Seal("contract.approved", "version", _contracts)
REFERENCES = Seal("standalone.sealed", "author", rewrites_sealed("standalone"))
TWINS = Seal("twin.approved", "family", _twins)
