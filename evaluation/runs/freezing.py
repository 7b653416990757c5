"""Freezing: everything that decides a result is written down and hashed before anything runs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.importing.requests import RESERVED_CLASSES
from annotation.models import Corpus, HumanRewrite, Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused
from contracts.models import Contract
from evaluation.constraint_judges.base import DEFAULT as DEFAULT_CONSTRAINT_JUDGE
from evaluation.models import Arm, Conditions
from evaluation.retrieval import PartError
from evaluation.runs.code import code_sha256
from evaluation.runs.inputs import hash_of_pairs
from evaluation.runs.parts import (
    constraint_judge_for,
    reader_for,
    retriever_for,
    rewriter_for,
    support_for,
)
from evaluation.runs.seen import newest_registration, unseen
from evaluation.scoring.support import SUPPORT_SHARE
from evaluation.support.base import DEFAULT as DEFAULT_SUPPORT

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
    support: str = DEFAULT_SUPPORT,
    support_parameters: Mapping[str, Any] | None = None,
    constraint_judge: str = DEFAULT_CONSTRAINT_JUDGE,
    constraint_judge_parameters: Mapping[str, Any] | None = None,
    only_unseen: bool = False,
    unseen_before: datetime | None = None,
) -> Conditions:
    """Freeze the project's corpus, requests, contracts and parts; the same content gives the same
    Conditions.

    `original` says what the original arm sends: the last turn, or the permitted turns joined with
    it.
    `token_budget` is the most words of passages that the reader is given.
    `support` is the judge of whether passages support an answer. Conditions name it under "support"
    unless it is the lexical one as it comes, which "support_share" describes.
    `constraint_judge` may settle what the matchers leave unsure; Conditions name one under that
    key, and none where none is chosen.
    `only_unseen` leaves out requests that had a result at `unseen_before`: unless it is given, when
    the newest protocol was registered, which decides on the others alone.
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
        judge = support_for(support, support_parameters or {}, only_described=True).describe()
        usual = support_for(DEFAULT_SUPPORT, {}, only_described=True).describe()
        settles = _settling(constraint_judge, constraint_judge_parameters or {})
    except PartError as fault:
        raise Refused(str(fault)) from fault
    content = {
        "schema": "conditions/1",
        "code": {"version": settings.VERSION, "sha256": code_sha256()},
        "corpus": {"sha256": corpus.sha256, "version": corpus.version},
        # Of the requests that bring none.
        "reference_date": project.reference_date.isoformat() if project.reference_date else None,
        **_frozen_requests(project, only_unseen, unseen_before),
        **parts,
        "k": min(k, corpus.document_count),
        "original": original,
        "token_budget": token_budget,
        "sampling": {"temperature": 0.0, "seed": 0},
        "judge": JUDGE,
        "support_share": judge["parameters"].get("share", SUPPORT_SHARE),
        **({"support": judge} if judge != usual else {}),
        **settles,
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


def _settling(name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    judge = constraint_judge_for(name, parameters, only_described=True)
    return {} if name == DEFAULT_CONSTRAINT_JUDGE else {"constraint_judge": judge.describe()}


def _frozen_requests(
    project: Project, only_unseen: bool, unseen_before: datetime | None
) -> dict[str, Any]:
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
    _refuse_class_of_all(project)
    if only_unseen:
        requests = unseen(project, requests, unseen_before or newest_registration(project))
        if not requests:
            raise Refused(_("Every request has a result already: settle new requests first."))
    return {
        # Conditions without it are as they were before it could be asked for.
        **({"only_unseen": True} if only_unseen else {}),
        "requests": {request.key: request.sha256 for request in requests},
        "contracts": {
            request.key: {
                "version": contracts[request.pk].version,
                "sha256": contracts[request.pk].sha256,
            }
            for request in requests
            if request.pk in contracts
        },
        "twins": hash_of_pairs(project.twin_pairs.all()),
    }


def _refuse_class_of_all(project: Project) -> None:
    """A class that is called as what stands for every class would be scored over every request.
    Imports refuse such a name; earlier ones took it.
    """
    taken = project.request_classes.filter(name__in=RESERVED_CLASSES).values_list("name", flat=True)
    if names := sorted(taken):
        raise Refused(
            _(
                "A class is called “%(name)s”, which stands for every class: its scores would be "
                "those of all requests. Import the requests into a new project under another class."
            )
            % {"name": names[0]}
        )


@transaction.atomic
def _keep(actor: Person, project: Project, corpus: Corpus, content: dict[str, Any]) -> Conditions:
    sha256 = content_hash(content)
    conditions, created = Conditions.objects.get_or_create(
        project=project,
        sha256=sha256,
        defaults={"content": content, "corpus": corpus, "frozen_by": actor},
    )
    if created:
        # By the clock of the ledger, which knows when twin pairs came to stand.
        conditions.frozen_at = ledger.database_time()
        conditions.save(update_fields=["frozen_at"])
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
