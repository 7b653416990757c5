"""Who I am, my projects, and how far each is."""

from typing import Any

from rest_framework import serializers

from annotation.api.fields import Shown
from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.models import ApiToken, Project
from annotation.models.people import ROLES
from annotation.permissions import roles_of
from annotation.progress import (
    all_counts,
    by_kind,
    own_by_kind,
    own_counts,
    sees_all_counts,
)


class TokenShown(Shown):
    name = serializers.CharField()
    prefix = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField(allow_null=True)


class MembershipShown(Shown):
    project = serializers.CharField(source="project.slug")
    roles = serializers.ListField(child=serializers.ChoiceField(ROLES), source="role_names")


class MeShown(Shown):
    username = serializers.CharField()
    name = serializers.CharField(source="shown_name")
    memberships = MembershipShown(many=True)
    token = TokenShown(allow_null=True)


class ProjectShown(Shown):
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    purpose = serializers.ChoiceField(Project.Purpose.values)
    hypothetical = serializers.BooleanField()
    roles = serializers.ListField(child=serializers.ChoiceField(ROLES))


class KindShown(Shown):
    """The seats of one kind of work; done is `sealed` + `given_up`. For one person `wanted` counts
    the requests on which the work is wanted.
    """

    kind = serializers.CharField(source="kind.name")
    sealed = serializers.IntegerField()
    given_up = serializers.IntegerField()
    at_work = serializers.IntegerField()
    wanted = serializers.IntegerField()


class CountShown(Shown):
    label = serializers.CharField()  # type: ignore[assignment] # a field of that name
    done = serializers.IntegerField()
    wanted = serializers.IntegerField()
    given_up = serializers.IntegerField()


class ProgressShown(Shown):
    """`whose` is “own” for whoever annotates: they are told about their own work only."""

    whose = serializers.ChoiceField(["own", "all"])
    kinds = KindShown(many=True)
    counts = CountShown(many=True)


@operation("GET", scope="read", answer=MeShown)
def me(call: Call) -> dict[str, Any]:
    """Who I am here, my roles in each project, and the token that was used, if any."""
    memberships = call.person.memberships.current().select_related("project")
    return {
        "username": call.person.username,
        "shown_name": call.person.shown_name,
        "memberships": memberships.prefetch_related("roles").order_by("project__slug"),
        "token": call.http.auth if isinstance(call.http.auth, ApiToken) else None,
    }


@operation("GET", scope="read", answer=ProjectShown, paged=True)
def projects(call: Call) -> Page:
    """The projects in which I am."""
    page = call.page(Project.objects.visible_to(call.person), "slug")
    held = call.person.memberships.current().filter(project__in=page.results)
    roles = {m.project_id: m.role_names for m in held.prefetch_related("roles")}
    shown = [_with_roles(project, roles.get(project.pk, ())) for project in page.results]
    return Page(shown, page.next, page.previous)


@operation("GET", scope="read", act="see_project", answer=ProjectShown)
def project(call: Call) -> dict[str, Any]:
    """One of my projects."""
    held = roles_of(call.person, call.project)
    return _with_roles(call.project, tuple(role for role in ROLES if role in held))


@operation("GET", scope="read", act="see_project", answer=ProgressShown)
def progress(call: Call) -> dict[str, Any]:
    """How far the study is, as on its page: “done” of “wanted”."""
    whole = sees_all_counts(call.person, call.project)
    if whole:
        kinds, counts = by_kind(call.project), all_counts(call.project)
    else:
        kinds = own_by_kind(call.person, call.project)
        counts = own_counts(call.person, call.project)
    return {"whose": "all" if whole else "own", "kinds": kinds, "counts": counts}


def _with_roles(found: Project, roles: tuple[str, ...]) -> dict[str, Any]:
    names = ("slug", "name", "description", "purpose", "hypothetical")
    return {name: getattr(found, name) for name in names} | {"roles": roles}
