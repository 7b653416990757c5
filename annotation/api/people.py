"""The members of a project and their roles; owners only."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers

from annotation.api.fields import Choice, Sent, Shown
from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.models import Membership, Person
from annotation.models.people import ROLES
from annotation.services.projects import end_membership, set_member


class MemberShown(Shown):
    """`pseudonym` is the name in exports; `ended_at` is set for a former member."""

    username = serializers.CharField(source="person.username")
    name = serializers.CharField(source="person.shown_name")
    pseudonym = serializers.CharField()
    roles = serializers.ListField(child=serializers.ChoiceField(ROLES), source="role_names")
    joined_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class RolesSent(Sent):
    roles = serializers.ListField(child=Choice(choices=ROLES), allow_empty=False, max_length=4)


@operation("GET", scope="manage", act="manage_people", answer=MemberShown, paged=True)
def people(call: Call) -> Page:
    """Members and former members, in the order in which they came."""
    rows = call.project.memberships.select_related("person").prefetch_related("roles")
    return call.page(rows, "pk")


@operation("GET", scope="manage", act="manage_people", answer=MemberShown)
def member(call: Call, username: str) -> Membership:
    """One member."""
    return _member(call, username)


@operation("PUT", scope="manage", act="manage_people", body=RolesSent, answer=MemberShown)
def member_set(call: Call, username: str) -> Membership:
    """Give somebody who has an account exactly these roles; who was no member becomes one."""
    person = get_object_or_404(Person, username=username)
    set_member(actor=call.person, project=call.project, person=person, roles=call.body["roles"])
    return _member(call, username)


@operation("DELETE", scope="manage", act="manage_people", status=204)
def member_ended(call: Call, username: str) -> Any:
    """End a membership; what the person did stays."""
    found = get_object_or_404(
        call.project.memberships.current().select_related("person"), person__username=username
    )
    end_membership(actor=call.person, project=call.project, person=found.person)


def _member(call: Call, username: str) -> Membership:
    rows = call.project.memberships.select_related("person").prefetch_related("roles")
    return get_object_or_404(rows, person__username=username)
