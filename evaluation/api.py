"""Runs as JSON, for pipelines that wait for a verdict, and the acts on a run that has started."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.api.fields import Flag, Sent, Shown, Text
from annotation.api.operations import Call, operation, resource
from annotation.api.pagination import Page
from evaluation.compare_api import urlpatterns as compare_urls
from evaluation.models import Run
from evaluation.reports.summary import run_json
from evaluation.services.runs import (
    ArmProgress,
    cancel_run,
    conclude_without_failed,
    extend_run,
    pause_run,
    progress,
    resume_run,
    retry_failed,
)
from evaluation.services.runs.control import LONGEST_REASON
from evaluation.services.runs.progress import STAGES
from evaluation.services.showing import require_shown
from evaluation.variations_api import urlpatterns as variations_urls


class VoidBy(Shown):
    """The newer version of the protocol that voids the run's verdicts."""

    version = serializers.IntegerField()
    registered_at = serializers.DateTimeField()


class RunLine(Shown):
    number = serializers.IntegerField()
    state = serializers.ChoiceField(Run.State.values)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    void = serializers.SerializerMethodField(
        help_text="The newer version of the protocol that voids the run's verdicts."
    )

    @extend_schema_field(VoidBy(allow_null=True))
    def get_void(self, run: Any) -> dict[str, Any] | None:
        if run.void_version is None:
            return None
        return {"version": run.void_version, "registered_at": run.void_at.isoformat()}


class ProtocolNamed(Shown):
    name = serializers.CharField()
    version = serializers.IntegerField()
    sha256 = serializers.CharField()


class CasesCounted(Shown):
    """Cases: how many of `total` ended how, and how many have the rows of each of the `stages`."""

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    dead = serializers.IntegerField()
    stages = serializers.DictField(child=serializers.IntegerField())


class RunProgress(CasesCounted):
    """All cases and those of each arm. `recent` were closed in the last minute, `workers` have a
    case in hand; `no_estimate` says why there is no `estimate` of the time left.
    """

    arms = serializers.DictField(child=CasesCounted())
    recent = serializers.IntegerField()
    workers = serializers.IntegerField()
    estimate = serializers.CharField(allow_null=True)
    no_estimate = serializers.CharField(allow_null=True)


class RunState(Shown):
    """Where a run stands after an act on it. `notice` is what its workers wait for."""

    run = serializers.CharField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(Run.State.values)
    error = serializers.CharField(allow_null=True)
    notice = serializers.CharField(allow_null=True)
    without_failed = serializers.BooleanField()
    progress = RunProgress()


class ExtendSent(Sent):
    """More arms by their names, and whether the requests and contracts of now are frozen anew."""

    arms = serializers.ListField(child=Text(max_length=80), required=False, default=list)
    with_new_requests = Flag(required=False, default=False)


class WithoutFailedSent(Sent):
    """Why the run may be concluded without them; kept in the ledger."""

    reason = Text(max_length=LONGEST_REASON)


class RunShown(Shown):
    """A run with its progress; `result`, its `judging` and `verdicts` once it is concluded. They
    are void where a newer version of the protocol is named under `void`.
    """

    run = serializers.CharField()
    state = serializers.ChoiceField(Run.State.values)
    error = serializers.CharField(allow_null=True)
    notice = serializers.CharField(allow_null=True)
    without_failed = serializers.BooleanField()
    arms = serializers.DictField()
    conditions = serializers.CharField()
    protocol = ProtocolNamed(allow_null=True)
    void = VoidBy(allow_null=True)
    result_sha256 = serializers.CharField(allow_null=True)
    result = serializers.DictField(allow_null=True)
    judging = serializers.DictField(allow_null=True)
    verdicts = serializers.ListField(child=serializers.DictField())
    progress = RunProgress()


@operation("GET", scope="read", act="see_results", answer=RunLine, paged=True)
def runs(call: Call) -> Page:
    """Every run, the newest first."""
    return call.page(call.project.runs.with_void(), "number", newest=True)


@operation("GET", scope="read", act="see_results", answer=RunShown)
def run(call: Call, number: int) -> dict[str, Any]:
    """One run: its state, its progress, and once it is concluded its result and its verdicts,
    which is recorded as shown. Refused while one of its requests is open to whoever asks.
    """
    found = _run_of(call, number)
    if found.state == Run.State.FINISHED:
        require_shown(actor=call.person, run=found)
    return {**run_json(found), **_standing(found)}


@operation("POST", scope="run", act="run", answer=RunState)
def run_paused(call: Call, number: int) -> dict[str, Any]:
    """Let no worker begin another case; what is under way is finished and kept."""
    return _state(pause_run(actor=call.person, run=_run_of(call, number)))


@operation("POST", scope="run", act="run", answer=RunState)
def run_resumed(call: Call, number: int) -> dict[str, Any]:
    """Send a paused or failed run to the workers again; failed cases get all attempts again. A
    finished run stays as it is.
    """
    return _state(resume_run(actor=call.person, run=_run_of(call, number)))


@operation("POST", scope="run", act="run", answer=RunState)
def run_cancelled(call: Call, number: int) -> dict[str, Any]:
    """End a run for good, without a verdict; what it computed is kept for later runs."""
    return _state(cancel_run(actor=call.person, run=_run_of(call, number)))


@operation("POST", scope="run", act="run", answer=RunState)
def run_retried(call: Call, number: int) -> dict[str, Any]:
    """Try the failed cases again. A finished run is sealed: a new run does it, and is answered."""
    return _state(retry_failed(actor=call.person, run=_run_of(call, number)))


@operation("POST", scope="run", act="leave_out_failed", body=WithoutFailedSent, answer=RunState)
def run_concluded(call: Call, number: int) -> dict[str, Any]:
    """Have a failed run concluded without its failed cases: they are counted, never scored."""
    run, reason = _run_of(call, number), call.body["reason"]
    return _state(conclude_without_failed(actor=call.person, run=run, reason=reason))


@operation("POST", scope="run", act="run", body=ExtendSent, answer=RunState, status=201)
def run_extended(call: Call, number: int) -> dict[str, Any]:
    """Start a run with more arms, or over the requests of now, that takes over what this one
    computed. Refused when nothing would be new.
    """
    extended = extend_run(
        actor=call.person,
        run=_run_of(call, number),
        arm_names=call.body["arms"],
        with_new_requests=call.body["with_new_requests"],
    )
    return _state(extended)


def _run_of(call: Call, number: int) -> Run:
    rows = call.project.runs.select_related("protocol", "conditions", "project")
    found: Run = get_object_or_404(rows, number=number)
    found.project = call.project  # whose roles are read already
    return found


def _state(run: Run) -> dict[str, Any]:
    named = {"run": f"{run.project.slug}/{run.number}", "number": run.number}
    return {**named, "state": run.state, "error": run.error or None, **_standing(run)}


def _standing(run: Run) -> dict[str, Any]:
    counted = progress(run)
    told = {
        **_counted(counted.all),
        "arms": {arm.arm: _counted(arm) for arm in counted.arms},
        "recent": counted.recent,
        "workers": counted.workers,
        "estimate": counted.estimate,
        "no_estimate": counted.no_estimate or None,
    }
    return {"notice": run.notice or None, "without_failed": run.without_failed, "progress": told}


def _counted(cases: ArmProgress) -> dict[str, Any]:
    return {
        "total": cases.total,
        "done": cases.done,
        "failed": cases.failed,
        "dead": cases.dead,
        "stages": dict(zip(STAGES, cases.stages, strict=True)),
    }


urlpatterns = [
    *compare_urls,
    *variations_urls,
    path("runs/", resource(runs), name="api-runs"),
    path("runs/<int:number>/", resource(run), name="api-run"),
    path("runs/<int:number>/pause/", resource(run_paused), name="api-run-pause"),
    path("runs/<int:number>/resume/", resource(run_resumed), name="api-run-resume"),
    path("runs/<int:number>/cancel/", resource(run_cancelled), name="api-run-cancel"),
    path("runs/<int:number>/retry/", resource(run_retried), name="api-run-retry"),
    path("runs/<int:number>/conclude/", resource(run_concluded), name="api-run-conclude"),
    path("runs/<int:number>/extend/", resource(run_extended), name="api-run-extend"),
]
