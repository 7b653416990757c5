"""What people decide about a run that has started: pause, resume, cancel, retry, conclude without.

Each act moves the run's state by compare-and-swap and is in the ledger. Workers look at the state
between batches: they finish and keep what is under way, and give the rest back.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from evaluation.models import Case, Conditions, Protocol, Run
from evaluation.runs.leases import free_abandoned
from evaluation.services.runs.starting import latest_run, reconclude, send, start_run

State = Run.State
LONGEST_REASON = 1000


@transaction.atomic
def pause_run(*, actor: Person, run: Run) -> Run:
    """Let no worker begin another case; what is under way is finished and kept."""
    require(actor, "run", run.project)
    lock(run.project)  # before the run, as everybody does: else two wait for each other
    if _move(run, Run.WORKED_ON, State.PAUSED, notice=""):
        _record(actor, run, "run.paused", {})
    elif run.state != State.PAUSED:
        raise Refused(_over(run, _("there is nothing to pause")))
    return run


@transaction.atomic
def cancel_run(*, actor: Person, run: Run) -> Run:
    """End the run for good, without a verdict. What it computed is kept for later runs."""
    require(actor, "run", run.project)
    lock(run.project)
    unfinished = (*Run.WORKED_ON, State.PAUSED)
    if _move(run, unfinished, State.CANCELLED, notice="", finished_at=timezone.now()):
        closed = run.cases.exclude(state__in=[Case.State.PENDING, Case.State.RUNNING]).count()
        _record(actor, run, "run.cancelled", {"closed": closed, "of": run.cases.count()})
    elif run.state != State.CANCELLED:
        raise Refused(_over(run, _("there is nothing to cancel")))
    return run


@transaction.atomic
def resume_run(*, actor: Person, run: Run) -> Run:
    """Send the run to the workers again; what is done stays.

    Cases that failed or were given up go back, and every case that nobody works on has all its
    attempts again. A finished run stays as it is.
    """
    require(actor, "run", run.project)
    if run.state == State.FINISHED:
        return run
    lock(run.project)
    fresh_start = {"error": "", "notice": "", "without_failed": False, "finished_at": None}
    moved = _move(run, (State.PAUSED, State.FAILED), State.QUEUED, **fresh_start)
    if not moved and not run.is_worked_on:
        raise Refused(
            _("Run %(n)d was cancelled, which is final. A new run takes over what it kept.")
            % {"n": run.number}
        )
    free_abandoned()
    lost = _put_back(run)
    if lost:
        Run.objects.filter(pk=run.pk).update(without_failed=False)
        run.without_failed = False
    if moved or lost:
        _record(actor, run, "run.resumed", {"cases": lost})
    send(run)
    return run


@transaction.atomic
def retry_failed(*, actor: Person, run: Run) -> Run:
    """Try the failed cases again, in this run. A finished run is sealed: a new one takes over what
    it computed, and tries the rest. Return the run that does it.
    """
    require(actor, "run", run.project)
    if not run.cases.lost().exists():
        raise Refused(_("No case of run %(n)d failed.") % {"n": run.number})
    if run.state != State.FINISHED:
        return resume_run(actor=actor, run=run)
    again = start_run(
        actor=actor,
        project=run.project,
        protocol=run.protocol,
        conditions=run.conditions,
        arm_names=names_of(run),
    )
    record_origin(actor, again, "run.retried", run)
    return again


@transaction.atomic
def conclude_without_failed(*, actor: Person, run: Run, reason: str) -> Run:
    """Have the run concluded although cases failed: they are counted and never scored. Who decided
    that, and why, is in the ledger.
    """
    require(actor, "leave_out_failed", run.project)
    reason = reason.strip()
    if not reason:
        raise Refused(_("Say why the run may be concluded without them: it is kept with the run."))
    if len(reason) > LONGEST_REASON:
        raise Refused(_("Say it in at most %(n)d characters.") % {"n": LONGEST_REASON})
    lock(run.project)
    run.refresh_from_db(fields=["state"])
    if run.state != State.FAILED:
        raise Refused(_over(run, _("only a failed run can be concluded without its failed cases")))
    lost = dict(
        run.cases.lost().order_by().values_list("arm__name").annotate(n=Count("pk")).values_list(
            "arm__name", "n"
        )
    )  # fmt: skip
    if not lost:
        raise Refused(_("No case of run %(n)d failed: resume it.") % {"n": run.number})
    if waiting := run.cases.open().count():
        raise Refused(
            ngettext(
                "%(n)d case still waits: resume the run first.",
                "%(n)d cases still wait: resume the run first.",
                waiting,
            )
            % {"n": waiting}
        )
    done = {"error": "", "notice": "", "without_failed": True, "finished_at": None}
    _move(run, (State.FAILED,), State.QUEUED, **done)
    counted = {"cases": sum(lost.values()), "of": run.cases.count(), "by_arm": lost}
    _record(actor, run, "run.failed_left_out", {"reason": reason, **counted})
    reconclude(run)
    return run


def resume_or_start(
    *,
    actor: Person,
    project: Project,
    protocol: Protocol | None,
    conditions: Conditions,
    arm_names: Sequence[str],
    fresh: bool = False,
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
        fresh=fresh,
    )


def names_of(run: Run) -> list[str]:
    """The names of the run's arms, in the order in which they were made."""
    return list(run.arms.order_by("pk").values_list("name", flat=True))


def record_origin(actor: Person, run: Run, kind: str, earlier: Run, **more: Any) -> None:
    """Record once that a new run goes on from an earlier one."""
    if not run.project.ledger.filter(kind=kind, subject=f"run {run.number}").exists():
        _record(actor, run, kind, {"run": earlier.number, **more})


def _move(run: Run, states: Sequence[str], to: str, **more: Any) -> bool:
    """Compare-and-swap: whether it was this act that moved the run. It is read anew either way."""
    moved = Run.objects.filter(pk=run.pk, state__in=states).update(state=to, **more)
    run.refresh_from_db(fields=["state", "error", "notice", "without_failed", "finished_at"])
    return moved == 1


def _put_back(run: Run) -> int:
    """Put the failed and the given-up cases back; return how many. The kept stages stay."""
    again = {"attempts": 0, "beside_others": 0, "status": "", "error": ""}
    lost = run.cases.lost().update(
        state=Case.State.PENDING, closed_at=None, lease_owner="", leased_until=None, **again
    )
    run.cases.filter(state=Case.State.PENDING).update(**again)
    return lost


def _record(actor: Person, run: Run, kind: str, content: dict[str, Any]) -> None:
    ledger.record(
        project=run.project,
        kind=kind,
        subject=f"run {run.number}",
        content=content,
        actor=actor,
    )


def _over(run: Run, consequence: str) -> str:
    return _("Run %(n)d is %(state)s: %(consequence)s.") % {
        "n": run.number,
        "state": run.get_state_display(),
        "consequence": consequence,
    }
