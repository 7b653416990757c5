"""How a page finds its project: strangers get 404, members without the role get 403 with the
reason.
"""

from typing import cast

from django.db.models import F
from django.http import Http404, HttpRequest

from annotation.models import Membership, Person, Project
from annotation.permissions import remember_roles, require

NOT_FOUND = "There is no such project, or you are not in it."


def reader(request: HttpRequest) -> Person:
    """The logged-in person; every page but the log-in page has one (LoginRequiredMiddleware)."""
    return cast(Person, request.user)


def open_project(request: HttpRequest, slug: str, act: str) -> Project:
    """Return the project if the reader may do `act` in it: found with their roles in one query."""
    person = reader(request)
    current = Membership.objects.current().filter(person=person, project__slug=slug).order_by()
    found = list(current.select_related("project").annotate(role=F("roles__name")))
    if not found:
        raise Http404(NOT_FOUND)
    project: Project = found[0].project
    remember_roles(person, project, frozenset(filter(None, (vars(row)["role"] for row in found))))
    require(person, act, project)
    return project


def own_project(request: HttpRequest, slug: str) -> Project:
    """Return a project in which the reader is, for a view whose service asks for the role."""
    project = Project.objects.visible_to(reader(request)).filter(slug=slug).first()
    if project is None:
        raise Http404(NOT_FOUND)
    return project
