"""Twin pairs and controls, to be read. They name requests and a constraint; what these ask stands
with the contracts, where being shown it is recorded.
"""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from annotation.api.fields import PageFilters, Shown
from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.api.whose import pseudonyms_for
from annotation.permissions import may
from contracts.api.shapes import Line
from contracts.models import FAMILIES, Control, TwinPair


class _ApprovedShown(Shown):
    """By whom it was made and approved, as pseudonyms; null where it was imported, or for whoever
    is not told.
    """

    id = serializers.CharField()
    base = serializers.CharField()
    made_by = serializers.CharField(allow_null=True)
    approved_by = serializers.CharField(allow_null=True)
    approved_at = serializers.DateTimeField(allow_null=True)
    reasons = serializers.DictField(child=serializers.CharField(), allow_null=True)


class TwinPairShown(_ApprovedShown):
    """One line of twins.jsonl, with how it came to stand."""

    family = serializers.ChoiceField(FAMILIES)
    twin = serializers.CharField()
    constraint = serializers.CharField()


class ControlShown(_ApprovedShown):
    """A control of twins.jsonl, with how it came to stand."""

    family = serializers.ChoiceField(["control"])
    accepts = serializers.ListField(child=serializers.CharField())


class PairFilters(PageFilters):
    family = serializers.ChoiceField(FAMILIES, required=False)


@operation(
    "GET", scope="read", act="build_twins", query=PairFilters, answer=TwinPairShown, paged=True
)
def twins(call: Call) -> Page:
    """The twin pairs, in the order in which they came; of one family with `family`."""
    rows = _pairs(call)
    if "family" in call.query:
        rows = rows.filter(family=call.query["family"])
    page = call.page(rows, "pk")
    return Page([_pair(call, row) for row in page.results], page.next, page.previous)


@operation("GET", scope="read", act="build_twins", answer=TwinPairShown)
def twin(call: Call, key: str) -> Line:
    """One pair."""
    return _pair(call, get_object_or_404(_pairs(call), key=key))


@operation("GET", scope="read", act="build_twins", answer=ControlShown, paged=True)
def controls(call: Call) -> Page:
    """The controls, in the order in which they came."""
    page = call.page(_controls(call), "pk")
    return Page([_control(call, row) for row in page.results], page.next, page.previous)


@operation("GET", scope="read", act="build_twins", answer=ControlShown)
def control(call: Call, key: str) -> Line:
    """One control."""
    return _control(call, get_object_or_404(_controls(call), key=key))


def _pairs(call: Call) -> QuerySet[TwinPair]:
    return TwinPair.objects.filter(project=call.project).select_related("base", "twin")


def _controls(call: Call) -> QuerySet[Control]:
    return Control.objects.filter(project=call.project).select_related("base")


def _pair(call: Call, row: TwinPair) -> Line:
    return {
        **_approved(call, row),
        "family": row.family,
        "twin": row.twin.key,
        "constraint": row.constraint,
    }


def _control(call: Call, row: Control) -> Line:
    return {**_approved(call, row), "family": "control", "accepts": row.accepts}


def _approved(call: Call, row: TwinPair | Control) -> Line:
    told = may(call.person, "export", call.project).allowed and row.approved_at is not None
    names = pseudonyms_for(call.person, call.project) if told else {}
    return {
        "id": row.key,
        "base": row.base.key,
        "made_by": names.get(row.made_by_id or 0),
        "approved_by": names.get(row.approved_by_id or 0),
        "approved_at": row.approved_at,
        "reasons": row.reasons,
    }
