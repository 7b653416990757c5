"""Starting a run: its cases written, its arms frozen, its messages sent."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from contracts.models import Contract
from contracts.services.standalone import mark_references_read
from evaluation.models import Arm, Case, Conditions, Protocol, Run
from evaluation.models.inserting import insert
from evaluation.retrieval import PartError
from evaluation.runs.freezing import describe_arm
from evaluation.runs.tasks import conclude_run, work_on_run
from evaluation.services.arms import arm_named
from evaluation.services.protocols import require_before_results, require_standing

# Messages sent for one run: each keeps one worker process busy.
MESSAGES = 2


@transaction.atomic
def start_run(
    *,
    actor: Person,
    project: Project,
    protocol: Protocol | None,
    conditions: Conditions,
    arm_names: Sequence[str],
    fresh: bool = False,
) -> Run:
    """Write the run with all its cases and send it to the workers. Arms are frozen as they are
    now. The same run that is not over yet is returned instead of a second one. Refused under a
    protocol that is superseded, or that was registered after a result of one of the requests, and
    where a pair that it demands was made after the results of both its requests.

    Stages of equal cases of earlier runs are taken over, unless `fresh` has all computed anew.
    """
    require(actor, "run", project)
    if protocol is None and project.takes_contracts:
        raise Refused(_("Register a protocol first: verdicts need rules made before results."))
    lock(project)
    if protocol is not None:
        require_standing(protocol)
        require_before_results(protocol, conditions)
    names = list(dict.fromkeys(arm_names))
    if "original" not in names:
        raise Refused(_("Every run needs the arm “original” to compare with."))
    arms = [arm_named(project, name) for name in names]
    try:
        arm_content = {arm.name: describe_arm(arm) for arm in arms}
    except PartError as fault:
        raise Refused(str(fault)) from fault
    if any(arm.source == Arm.Source.HUMAN for arm in arms):
        mark_references_read(project)
    same = project.runs.filter(protocol=protocol, conditions=conditions, fresh=fresh)
    for twin in same.exclude(state__in=Run.OVER):
        if twin.arm_content == arm_content:
            return twin  # a double click, or somebody else a moment ago
    last = project.runs.order_by("-number").values_list("number", flat=True).first()
    run = Run.objects.create(
        project=project,
        number=last + 1 if last else 1,
        protocol=protocol,
        conditions=conditions,
        arm_content=arm_content,
        fresh=fresh,
        started_by=actor,
    )
    run.arms.set(arms)
    _write_cases(run, arms)
    ledger.record(
        project=project,
        kind="run.started",
        subject=f"run {run.number}",
        content={
            "conditions": conditions.sha256,
            "protocol": protocol.sha256 if protocol else None,
            "arms": arm_content,
            **({"fresh": True} if fresh else {}),
        },
        actor=actor,
    )
    send(run)
    return run


def send(run: Run) -> None:
    """Tell the workers, once the transaction stands, that there is work."""
    for _number in range(MESSAGES):
        work_on_run.delay_on_commit(run.pk)


def reconclude(run: Run) -> None:
    """Have the verdicts computed, or computed again after people judged; never of a cancelled
    run.
    """
    if run.state != Run.State.CANCELLED:
        conclude_run.delay_on_commit(run.pk)


def latest_run(
    project: Project, protocol: Protocol | None, conditions: Conditions, arms: Sequence[str]
) -> Run | None:
    """Return the newest run with exactly these rules, conditions and arms as they are now; a
    cancelled one is none to go on with.
    """
    runs = project.runs.filter(protocol=protocol, conditions=conditions)
    for run in runs.exclude(state=Run.State.CANCELLED).order_by("-number"):
        if set(run.arm_content) == set(arms) and _arms_unchanged(run):
            return run
    return None


def _write_cases(run: Run, arms: Sequence[Arm]) -> None:
    """A row for every arm × request; of contracts only their ids and hashes are read."""
    frozen: dict[str, Any] = run.conditions.content
    wanted: Mapping[str, str] = frozen["requests"]
    sealed: Mapping[str, Any] = frozen["contracts"]
    current = Contract.objects.current(run.project).order_by()
    contracts = {
        request: (pk, sha256)
        for request, pk, sha256 in current.values_list("request_id", "pk", "sha256")
    }
    rows: list[tuple[int, int, int | None]] = []
    requests = run.project.requests.order_by("position", "pk").values_list("pk", "key")
    for request, key in requests:
        if key not in wanted:
            continue
        contract, sha256 = contracts.get(request, (None, ""))
        if contract and key in sealed and sha256 != sealed[key]["sha256"]:
            raise Refused(
                _("The contract of %(request)s changed since these Conditions: freeze new ones.")
                % {"request": key}
            )
        rows += [(arm.pk, request, contract) for arm in arms]
    _insert_cases(run, rows)


def _insert_cases(run: Run, rows: Sequence[tuple[int, int, int | None]]) -> None:
    """Insert a waiting case for each (arm, request, contract), in their order.

    Not with `bulk_create`: 30,000 objects take it seconds, in which nobody else can write to
    SQLite; these statements take a tenth of that.
    """
    insert(Case, rows, names=("arm_id", "request_id", "contract_id"), run=run)


def _arms_unchanged(run: Run) -> bool:
    return all(describe_arm(arm) == run.arm_content[arm.name] for arm in run.arms.all())
