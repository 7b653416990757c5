"""Runs as JSON, for pipelines that wait for a verdict."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from annotation.api.fields import Shown
from annotation.api.operations import Call, operation, resource
from annotation.api.pagination import Page
from evaluation.models import Run
from evaluation.reports.summary import run_json
from evaluation.services.runs import progress
from evaluation.services.showing import require_shown


class RunLine(Shown):
    number = serializers.IntegerField()
    state = serializers.ChoiceField(Run.State.values)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class ProtocolNamed(Shown):
    name = serializers.CharField()
    version = serializers.IntegerField()
    sha256 = serializers.CharField()


class CasesCounted(Shown):
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()


class RunShown(Shown):
    """A run with its progress; `result` and `verdicts` once it is concluded."""

    run = serializers.CharField()
    state = serializers.ChoiceField(Run.State.values)
    error = serializers.CharField(allow_null=True)
    arms = serializers.DictField()
    conditions = serializers.CharField()
    protocol = ProtocolNamed(allow_null=True)
    result_sha256 = serializers.CharField(allow_null=True)
    result = serializers.DictField(allow_null=True)
    verdicts = serializers.ListField(child=serializers.DictField())
    progress = CasesCounted()


@operation("GET", scope="read", act="see_results", answer=RunLine, paged=True)
def runs(call: Call) -> Page:
    """Every run, the newest first."""
    return call.page(call.project.runs.all(), "number", newest=True)


@operation("GET", scope="read", act="see_results", answer=RunShown)
def run(call: Call, number: int) -> dict[str, Any]:
    """One run: its state, its progress, and once it is concluded its result and its verdicts,
    which is recorded as shown. Refused while one of its requests is open to whoever asks.
    """
    rows = call.project.runs.select_related("protocol", "conditions", "project")
    found = get_object_or_404(rows, number=number)
    found.project = call.project  # whose roles are read already
    if found.state == Run.State.FINISHED:
        require_shown(actor=call.person, run=found)
    return {**run_json(found), "progress": progress(found)}


urlpatterns = [
    path("runs/", resource(runs), name="api-runs"),
    path("runs/<int:number>/", resource(run), name="api-run"),
]
