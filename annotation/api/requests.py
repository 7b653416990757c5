"""What was asked: the words for those who may list them, answers and evidence with a record of who
was shown them.
"""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from annotation.api.fields import PageFilters, Shown
from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.models import Request, Turn
from annotation.services.exposure import expose, needs_consent
from annotation.views.requests import EXPOSED


class TurnShown(Shown):
    role = serializers.ChoiceField(Turn.Speaker.values)
    text = serializers.CharField()


class RequestShown(Shown):
    """The words of a request; nothing that only scoring may know."""

    id = serializers.CharField(source="key")
    turns = TurnShown(many=True)
    text = serializers.CharField()
    reference_date = serializers.DateField(allow_null=True)

    def get_fields(self) -> dict[str, Any]:
        # `class` is a word of Python's, so it cannot be declared above.
        return {**super().get_fields(), "class": serializers.CharField(source="request_class.name")}


class StoryShown(RequestShown):
    """`closed` tells that answers and evidence are withheld: this person still may annotate, and
    seeing them would cost them the sheet. POST to `exposure/` asks for them all the same.
    """

    closed = serializers.BooleanField()
    answers = serializers.ListField(child=serializers.CharField(), allow_null=True)
    evidence = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), allow_null=True
    )
    metadata = serializers.DictField()


class RequestFilters(PageFilters):
    def get_fields(self) -> dict[str, Any]:
        named = serializers.CharField(required=False, max_length=60)
        return {**super().get_fields(), "class": named}


@operation(
    "GET",
    scope="read",
    act="see_requests",
    query=RequestFilters,
    answer=RequestShown,
    paged=True,
)
def requests(call: Call) -> Page:
    """The requests in their order, without answers and evidence."""
    rows = _requests(call)
    if named := call.query.get("class"):
        rows = rows.filter(request_class__name=named)
    return call.page(rows, "position", "pk")


@operation("GET", scope="read", act="see_requests", answer=StoryShown)
def request(call: Call, key: str) -> dict[str, Any]:
    """One request with answers and evidence. That they were shown is recorded."""
    asked = get_object_or_404(_requests(call), key=key)
    closed = needs_consent(person=call.person, project=call.project, subject=asked.key)
    if not closed:
        expose(person=call.person, project=call.project, subject=asked.key, what=EXPOSED)
    return _story(asked, closed)


@operation("POST", scope="read", act="see_requests", answer=StoryShown)
def request_exposure(call: Call, key: str) -> dict[str, Any]:
    """Ask for answers and evidence although I annotate too: recorded, and it costs me the sheet."""
    asked = get_object_or_404(_requests(call), key=key)
    expose(person=call.person, project=call.project, subject=asked.key, what=EXPOSED)
    return _story(asked, closed=False)


def _requests(call: Call) -> QuerySet[Request]:
    return call.project.requests.with_words()


def _story(asked: Request, closed: bool) -> dict[str, Any]:
    known: dict[str, Any] = {"answers": None, "evidence": None, "metadata": {}}
    if not closed:
        known = {name: getattr(asked, name) for name in known}
    words = ("key", "turns", "text", "reference_date", "request_class")
    return {name: getattr(asked, name) for name in words} | {"closed": closed, **known}
