"""Runs: started, resumed, watched. What they compute is in `evaluation.runs`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from contracts.models import Contract
from contracts.services.standalone import mark_references_read
from evaluation.models import Arm, Case, Conditions, Protocol, Run
from evaluation.retrieval import PartError
from evaluation.rewriters import rewriter_names
from evaluation.runs.freezing import describe_arm
from evaluation.runs.leases import free_abandoned
from evaluation.runs.tasks import conclude_run, work_on_run

# Messages sent for one run: each keeps one worker process busy.
MESSAGES = 2


@dataclass(frozen=True)
class Progress:
    """How far a run is: cases by state, in all and by arm."""

    total: int
    done: int
    failed: int
    by_arm: dict[str, dict[str, int]]

    @property
    def closed(self) -> int:
        return self.done + self.failed


def arm_named(project: Project, name: str) -> Arm:
    """Return the arm of this name, making `original`, `human` and the rewriters that run here on
    first use.
    """
    arm = project.arms.filter(name=name).first()
    if arm:
        return arm
    if name in Arm.RESERVED:
        return Arm.objects.create(project=project, name=name, source=name)
    if name in rewriter_names():
        return Arm.objects.create(
            project=project, name=name, source=Arm.Source.ENGINE, rewriter=name
        )
    raise Refused(
        _("There is no arm “%(name)s”: import its rewrites, or use one of %(known)s.")
        % {"name": name, "known": ", ".join([*Arm.RESERVED, *rewriter_names()])}
    )


@transaction.atomic
def start_run(
    *,
    actor: Person,
    project: Project,
    protocol: Protocol | None,
    conditions: Conditions,
    arm_names: Sequence[str],
) -> Run:
    """Write the run with all its cases and send it to the workers. Arms are frozen as they are
    now. The same run that is not over yet is returned instead of a second one.
    """
    require(actor, "run", project)
    if protocol is None and project.takes_contracts:
        raise Refused(_("Register a protocol first: verdicts need rules made before results."))
    lock(project)
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
    twin = project.runs.filter(
        protocol=protocol, conditions=conditions, state__in=[Run.State.QUEUED, Run.State.RUNNING]
    ).first()
    if twin and twin.arm_content == arm_content:
        return twin  # a double click, or somebody else a moment ago
    last = project.runs.order_by("-number").first()
    run = Run.objects.create(
        project=project,
        number=last.number + 1 if last else 1,
        protocol=protocol,
        conditions=conditions,
        arm_content=arm_content,
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
        },
        actor=actor,
    )
    send(run)
    return run


@transaction.atomic
def resume_run(*, actor: Person, run: Run) -> Run:
    """Put the failed cases back and send the run to the workers again; what is done stays.

    Every case that nobody works on has all its attempts again.
    """
    require(actor, "run", run.project)
    if run.state == Run.State.FINISHED:
        return run
    free_abandoned()
    run.cases.filter(state__in=[Case.State.FAILED, Case.State.PENDING]).update(
        state=Case.State.PENDING, attempts=0, status="", error=""
    )
    Run.objects.filter(pk=run.pk).update(state=Run.State.QUEUED, error="", finished_at=None)
    run.refresh_from_db()
    send(run)
    return run


def send(run: Run) -> None:
    """Tell the workers, once the transaction stands, that there is work."""
    for _number in range(MESSAGES):
        work_on_run.delay_on_commit(run.pk)


def reconclude(run: Run) -> None:
    """Have the verdicts computed again, after people judged."""
    conclude_run.delay_on_commit(run.pk)


def latest_run(
    project: Project, protocol: Protocol | None, conditions: Conditions, arms: Sequence[str]
) -> Run | None:
    """Return the newest run with exactly these rules, conditions and arms as they are now."""
    for run in project.runs.filter(protocol=protocol, conditions=conditions).order_by("-number"):
        if set(run.arm_content) == set(arms) and _arms_unchanged(run):
            return run
    return None


def resume_or_start(
    *,
    actor: Person,
    project: Project,
    protocol: Protocol | None,
    conditions: Conditions,
    arm_names: Sequence[str],
) -> Run:
    """Go on with the newest run of exactly these, or start one."""
    if run := latest_run(project, protocol, conditions, arm_names):
        return resume_run(actor=actor, run=run)
    return start_run(
        actor=actor,
        project=project,
        protocol=protocol,
        conditions=conditions,
        arm_names=arm_names,
    )


def progress(run: Run) -> Progress:
    """Count the run's cases; the rows are the only source."""
    counts: dict[str, dict[str, int]] = {}
    rows = run.cases.values("arm__name", "state").annotate(n=Count("pk")).order_by("arm_id")
    for row in rows:
        counts.setdefault(row["arm__name"], {})[row["state"]] = row["n"]
    return Progress(
        total=sum(n for arm in counts.values() for n in arm.values()),
        done=sum(arm.get("done", 0) for arm in counts.values()),
        failed=sum(arm.get("failed", 0) for arm in counts.values()),
        by_arm=counts,
    )


def _write_cases(run: Run, arms: Sequence[Arm]) -> None:
    frozen: dict[str, Any] = run.conditions.content
    requests = run.project.requests.filter(key__in=frozen["requests"]).order_by("position")
    contracts = {c.request_id: c for c in Contract.objects.current(run.project)}
    rows = []
    for request in requests:
        contract = contracts.get(request.pk)
        frozen_contract = frozen["contracts"].get(request.key)
        if contract and frozen_contract and contract.sha256 != frozen_contract["sha256"]:
            raise Refused(
                _("The contract of %(request)s changed since these Conditions: freeze new ones.")
                % {"request": request.key}
            )
        for arm in arms:
            rows.append(Case(run=run, arm=arm, request=request, contract=contract))
    Case.objects.bulk_create(rows, batch_size=500)


def _arms_unchanged(run: Run) -> bool:
    return all(describe_arm(arm) == run.arm_content[arm.name] for arm in run.arms.all())
