from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import reader
from annotation.forms import NewProjectForm
from annotation.next_acts import first_thing, next_acts
from annotation.services.projects import Refused, create_project


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What I can do now, in each of my projects."""
    person = reader(request)
    memberships = (
        person.memberships.current()
        .select_related("project")
        .prefetch_related("roles")
        .order_by("project__name", "project_id")
    )
    cards = [
        {
            "membership": membership,
            "first": first_thing(person, membership.project),
            "acts": next_acts(person, membership.project),
        }
        for membership in memberships
    ]
    return render(request, "annotation/home.html", {"cards": cards})


@require_http_methods(["GET", "HEAD", "POST"])
def project_new(request: HttpRequest) -> HttpResponse:
    """Create a project; whoever does is its first owner."""
    form = NewProjectForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            project = create_project(actor=reader(request), **form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The project “%(name)s” is ready.") % {"name": project})
            return redirect("project", project.slug)
    return render(
        request,
        "annotation/project_new.html",
        {"form": form},
        status=422 if request.method == "POST" else 200,
    )
