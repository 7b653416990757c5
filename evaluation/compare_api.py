"""Two arms of finished runs compared, as JSON: what the page shows, for programs."""

from typing import Any

from django.urls import path
from rest_framework import serializers

from annotation.api.fields import Filters, Shown
from annotation.api.operations import Call, operation, resource
from annotation.api.problems import Problem
from evaluation.reports.comparing.record import NotComparable, comparison_void
from evaluation.services.comparing import compare_sides


class SidesAsked(Filters):
    """The two sides, each an arm of a finished run."""

    a = serializers.CharField(
        required=False, default="", max_length=100, help_text="What you have: RUN:ARM."
    )
    b = serializers.CharField(
        required=False, default="", max_length=100, help_text="What would take its place: RUN:ARM."
    )


class ComparisonShown(Shown):
    """B against A. `scopes` has all classes, then each class; `requests` whatever got worse or
    better, and what could not be compared.
    """

    schema = serializers.CharField()
    project = serializers.CharField()
    conditions = serializers.CharField()
    a = serializers.DictField()
    b = serializers.DictField()
    protocols_alike = serializers.BooleanField()
    settings = serializers.DictField()
    scopes = serializers.ListField(child=serializers.DictField())
    requests = serializers.ListField(child=serializers.DictField())
    void = serializers.DictField(
        help_text="By side (a, b) the newer registration that voids its verdicts, or null."
    )


@operation(
    "GET",
    scope="read",
    act="see_results",
    query=SidesAsked,
    answer=ComparisonShown,
    refusals=(422,),
)
def compared(call: Call) -> dict[str, Any]:
    """Two arms of finished runs under equal conditions, request by request. Refused with what
    differs where the conditions are not equal.
    """
    try:
        a, b, record = compare_sides(
            actor=call.person, project=call.project, a=call.query["a"], b=call.query["b"]
        )
    except NotComparable as refused:
        differences = [one.to_json() for one in refused.differences]
        raise Problem(422, str(refused), more={"differences": differences}) from refused
    return {**record, "void": comparison_void(a, b)}


urlpatterns = [path("runs/compare/", resource(compared), name="api-run-compare")]
