"""How a page finds its project: strangers get 404, members without the role get 403 with the
reason.
"""

from typing import cast

from django.http import Http404, HttpRequest

from annotation.models import Person, Project
from annotation.permissions import remember_roles, require


def reader(request: HttpRequest) -> Person:
    """The logged-in person; every page but the log-in page has one (LoginRequiredMiddleware)."""
    return cast(Person, request.user)


def open_project(request: HttpRequest, slug: str, act: str) -> Project:
    """Return the project if the reader may do `act` in it."""
    project = own_project(request, slug)
    remember_roles(reader(request), project)
    require(reader(request), act, project)
    return project


def own_project(request: HttpRequest, slug: str) -> Project:
    """Return a project in which the reader is, for a view whose service asks for the role."""
    project = Project.objects.visible_to(reader(request)).filter(slug=slug).first()
    if project is None:
        raise Http404("There is no such project, or you are not in it.")
    return project
