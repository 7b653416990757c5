"""Extending a run: a new one with more arms, or over what came since, that takes over what equal
cases computed. Nothing that was concluded is changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Corpus, Person, Project
from annotation.permissions import require
from annotation.services.projects import Refused
from contracts.models import Contract
from evaluation.models import Conditions, Protocol, Run
from evaluation.runs.code import code_sha256
from evaluation.runs.freezing import freeze_conditions
from evaluation.runs.seen import newest_registration, unseen
from evaluation.services.runs.control import names_of, record_origin
from evaluation.services.runs.starting import start_run


@dataclass(frozen=True)
class Newer:
    """What a run's Conditions do not have yet: numbers of requests and of new versions of
    contracts, the version of a newer corpus, and whether the code that computes results is
    another.
    """

    requests: int
    contracts: int
    corpus: int | None
    code: bool

    @property
    def anything(self) -> bool:
        return bool(self.requests or self.contracts or self.corpus or self.code)

    @property
    def computes_all_anew(self) -> bool:
        """With another corpus or another code no earlier case is equal."""
        return bool(self.corpus or self.code)


def newer_than(run: Run) -> Newer:
    """Compare what is there now with what the run's Conditions froze."""
    frozen, project = run.conditions.content, run.project
    contracts: dict[str, str] = {}
    keys = set(project.requests.order_by().values_list("key", flat=True))
    if project.takes_contracts:
        current = Contract.objects.current(project).order_by()
        contracts = dict(current.values_list("request__key", "sha256"))
        keys = set(contracts)
    if frozen.get("only_unseen"):
        keys &= _unseen_keys(project, run.protocol)
    sealed = {key: contract["sha256"] for key, contract in frozen["contracts"].items()}
    corpus = Corpus.objects.latest_of(project)
    newest = corpus.version if corpus and corpus.pk != run.conditions.corpus_id else None
    return Newer(
        requests=len(keys - frozen["requests"].keys()),
        contracts=sum(contracts.get(key, sha256) != sha256 for key, sha256 in sealed.items()),
        corpus=newest,
        code=frozen["code"]["sha256"] != code_sha256(),
    )


def extend_run(
    *, actor: Person, run: Run, arm_names: Sequence[str] = (), with_new_requests: bool = False
) -> Run:
    """Start a run with the arms of this one and the named ones, under the same Conditions, or
    under ones frozen anew with the same parts over the present requests and contracts. Refused as
    `start_run` is: a superseded protocol decides nothing more.
    """
    require(actor, "run", run.project)
    if not run.is_over:
        raise Refused(
            _("Run %(n)d is %(state)s: it can be extended once it is over.")
            % {"n": run.number, "state": run.get_state_display()}
        )
    added = [name for name in dict.fromkeys(arm_names) if name not in run.arm_content]
    newer = newer_than(run)
    again = with_new_requests and newer.anything
    if not added and not again:
        raise Refused(
            _("Nothing would be new: choose an arm that run %(n)d lacks, or wait for new requests.")
            % {"n": run.number}
        )
    if newer.code and not again:
        raise Refused(
            _(
                "Another version of the code computes results now, so these Conditions cannot be "
                "used again: have them frozen anew, with the requests of now."
            )
        )
    conditions = frozen_anew(actor, run.conditions, run.protocol) if again else run.conditions
    with transaction.atomic():
        extended = start_run(
            actor=actor,
            project=run.project,
            protocol=run.protocol,
            conditions=conditions,
            arm_names=[*names_of(run), *added],
        )
        requests = newer.requests if again else 0
        record_origin(actor, extended, "run.extended", run, arms=added, requests=requests)
    return extended


def frozen_anew(
    actor: Person, conditions: Conditions, protocol: Protocol | None = None
) -> Conditions:
    """Freeze the same parts over the corpus, the requests and the contracts of now; where only
    requests without a result were wanted, those that had none when the protocol was registered.
    """
    content = conditions.content
    parts: dict[str, Any] = {}
    for kind in ("retriever", "reader", "support", "constraint_judge"):
        if kind in content:  # the usual judges are not named
            parts[kind] = content[kind]["name"]
            parts[f"{kind}_parameters"] = content[kind]["parameters"]
    return freeze_conditions(
        actor=actor,
        project=conditions.project,
        k=content["k"],
        original=content["original"],
        token_budget=content["token_budget"],
        only_unseen=bool(content.get("only_unseen")),
        unseen_before=protocol.registered_at if protocol else None,
        **parts,
    )


def _unseen_keys(project: Project, protocol: Protocol | None) -> set[str]:
    """The requests on which the protocol can decide, as `frozen_anew` would take them."""
    before = protocol.registered_at if protocol else newest_registration(project)
    rows = project.requests.order_by().only("pk", "key")
    return {request.key for request in unseen(project, rows, before)}
