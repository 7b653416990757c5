"""Freezing: everything that decides a result is written down and hashed before anything runs."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Corpus, HumanRewrite, Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused
from contracts.models import Contract
from evaluation.models import Arm, Conditions
from evaluation.retrieval import PartError
from evaluation.runs.code import code_sha256
from evaluation.runs.parts import reader_for, retriever_for, rewriter_for
from evaluation.scoring.support import SUPPORT_SHARE

ORIGINAL_FORMS = ("last", "joined")
JUDGE = "matcher/1"
MAX_K = 1000


def freeze_conditions(
    *,
    actor: Person,
    project: Project,
    retriever: str = "bm25",
    retriever_parameters: Mapping[str, Any] | None = None,
    k: int = 5,
    reader: str = "extractive",
    reader_parameters: Mapping[str, Any] | None = None,
    original: str = "last",
    token_budget: int = 2048,
) -> Conditions:
    """Freeze the project's corpus, requests, contracts and parts; the same content gives the same
    Conditions.

    `original` says what the original arm sends: the last turn, or the permitted turns joined with
    it.
    `token_budget` is the most words of passages that the reader is given.
    """
    require(actor, "run", project)
    corpus = Corpus.objects.latest_of(project)
    if corpus is None:
        raise Refused(_("Import a corpus first: there is nothing to search."))
    if original not in ORIGINAL_FORMS:
        raise Refused(_("The original arm sends “last” or “joined”."))
    if not 1 <= k <= MAX_K or token_budget < 1:
        raise Refused(_("k must be from 1 to 1000, and the token budget at least 1."))
    try:
        parts = {
            "retriever": retriever_for(corpus, retriever, retriever_parameters or {}).describe(),
            "reader": reader_for(reader, reader_parameters or {}, only_described=True).describe(),
        }
    except PartError as fault:
        raise Refused(str(fault)) from fault
    content = {
        "schema": "conditions/1",
        "code": {"version": settings.VERSION, "sha256": code_sha256()},
        "corpus": {"sha256": corpus.sha256, "version": corpus.version},
        # Of the requests that bring none.
        "reference_date": project.reference_date.isoformat() if project.reference_date else None,
        **_frozen_requests(project),
        **parts,
        "k": min(k, corpus.document_count),
        "original": original,
        "token_budget": token_budget,
        "sampling": {"temperature": 0.0, "seed": 0},
        "judge": JUDGE,
        "support_share": SUPPORT_SHARE,
    }
    return _keep(actor, project, corpus, content)


def describe_arm(arm: Arm) -> dict[str, Any]:
    """Return what the arm is now: the part of a run's frozen content that differs between its
    arms.
    """
    if arm.source == Arm.Source.ENGINE:
        rewriter = rewriter_for(arm.rewriter, arm.parameters, only_described=True)
        return {"source": arm.source, "rewriter": rewriter.describe()}
    if arm.source == Arm.Source.HUMAN:
        standing = HumanRewrite.objects.standing().filter(
            request__project=arm.project, kind=HumanRewrite.Kind.STANDALONE
        )
        references = standing.values_list("request__key", "sha256")
        return {"source": arm.source, "references": dict(references)}
    if arm.source == Arm.Source.UPLOADED:
        return {
            "source": arm.source,
            "rewrites": _uploaded_hash(arm.uploaded_rewrites),
            "runs": _uploaded_hash(arm.uploaded_runs),
        }
    return {"source": arm.source}


def _frozen_requests(project: Project) -> dict[str, Any]:
    contracts = {
        contract.request_id: contract
        for contract in Contract.objects.current(project).only("request_id", "version", "sha256")
    }
    requests = list(project.requests.only("pk", "key", "sha256"))
    if project.takes_contracts:
        requests = [request for request in requests if request.pk in contracts]
        if not requests:
            raise Refused(_("No request has an approved contract yet: settle some on the bench."))
    if not requests:
        raise Refused(_("Import requests first."))
    return {
        "requests": {request.key: request.sha256 for request in requests},
        "contracts": {
            request.key: {
                "version": contracts[request.pk].version,
                "sha256": contracts[request.pk].sha256,
            }
            for request in requests
            if request.pk in contracts
        },
        "twins": content_hash(
            sorted(
                project.twin_pairs.values_list(
                    "key", "family", "base__key", "twin__key", "constraint"
                )
            )
        ),
    }


@transaction.atomic
def _keep(actor: Person, project: Project, corpus: Corpus, content: dict[str, Any]) -> Conditions:
    sha256 = content_hash(content)
    conditions, created = Conditions.objects.get_or_create(
        project=project,
        sha256=sha256,
        defaults={"content": content, "corpus": corpus, "frozen_by": actor},
    )
    if created:
        ledger.record(
            project=project,
            kind="conditions.frozen",
            subject=f"conditions {sha256[:12]}",
            content={"sha256": sha256},
            actor=actor,
        )
    return conditions


def _uploaded_hash(rows: Any) -> str | None:
    found = sorted(rows.values_list("request__key", "content"), key=lambda row: row[0])
    return content_hash([list(row) for row in found]) if found else None
