"""What the ledger's entries of this app sealed, computed anew from the rows."""

from collections import defaultdict
from typing import Any

from annotation.models import Project
from annotation.seals import rewrites_sealed
from annotation.services.ledger import Seal
from contracts.models import Contract, Sheet
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


SHEETS = Seal("sheet.sealed", "annotator", _sheets)
CONTRACTS = Seal("contract.approved", "version", _contracts)
REFERENCES = Seal("standalone.sealed", "author", rewrites_sealed("standalone"))
