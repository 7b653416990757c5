"""What the ledger's entries of this app sealed, computed anew from the rows."""

from typing import Any

from annotation.canonical import content_hash
from annotation.models import HumanRewrite, Project
from annotation.services.ledger import Seal
from contracts.models import Contract, Sheet
from contracts.terms import ContractTerms

Hashes = dict[tuple[str, Any], str]


def _sheets(project: Project) -> Hashes:
    rows = Sheet.objects.by_request(project).prefetch_related("constraints")
    return {(s.request.key, s.annotator.username): s.terms.sha256 for s in rows}


def _contracts(project: Project) -> Hashes:
    """The canonical content, and the constraint rows that repeat it, must say the same."""
    rows = Contract.objects.filter(request__project=project)
    found = {}
    for contract in rows.select_related("request").prefetch_related("constraints"):
        terms = contract.terms
        repeated = ContractTerms(
            tuple(c.terms for c in contract.constraints.all()),
            terms.ambiguity,
            terms.admissible_rewrites,
        )
        same = terms.sha256 == repeated.sha256
        key = (contract.request.key, contract.version)
        found[key] = terms.sha256 if same else "its constraint rows differ"
    return found


def _references(project: Project) -> Hashes:
    rows = HumanRewrite.objects.filter(request__project=project, kind="standalone")
    return {
        (r.request.key, r.author.username): content_hash(
            {"text": r.text, "clarification": r.clarification}
        )
        for r in rows.select_related("request", "author")
    }


SHEETS = Seal("sheet.sealed", "annotator", _sheets)
CONTRACTS = Seal("contract.approved", "version", _contracts)
REFERENCES = Seal("standalone.sealed", "author", _references)
