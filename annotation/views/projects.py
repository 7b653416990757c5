from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.forms import SettingsForm
from annotation.models import Corpus, Project
from annotation.next_acts import missing, next_acts
from annotation.permissions import may
from annotation.progress import all_counts, own_counts, sees_all_counts
from annotation.services.projects import change_project


@require_safe
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """The study: what it is about, how far it is, its people, and what the reader can do next."""
    found = open_project(request, slug, "see_project")
    person = reader(request)
    whole = sees_all_counts(person, found)
    context = {
        "project": found,
        "acts": next_acts(person, found),
        "missing": missing(person, found),
        "whole": whole,
        "counts": all_counts(found) if whole else own_counts(person, found),
        "corpus": Corpus.objects.latest_of(found) if whole else None,
        "classes": _classes(found) if whole else (),
        "requests": found.requests.count() if whole else None,
        "memberships": (
            found.memberships.current().select_related("person").prefetch_related("roles")
            if may(person, "manage_people", found).allowed
            else ()
        ),
    }
    return render(request, "annotation/project.html", context)


def _classes(project: Project) -> list[tuple[str, int]]:
    counted = project.request_classes.annotate(size=Count("requests")).order_by("name")
    return list(counted.values_list("name", "size"))


def project_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """What an owner may change of a project later."""
    found = open_project(request, slug, "manage_project")
    # The form writes into its instance while it checks; the page keeps showing what is stored.
    form = SettingsForm(request.POST or None, instance=Project.objects.get(pk=found.pk))
    if request.method == "POST" and form.is_valid():
        change_project(actor=reader(request), project=found, **form.cleaned_data)
        messages.success(request, _("The settings were saved."))
        return redirect("project-settings", slug)
    return render(
        request,
        "annotation/project_settings.html",
        {"project": found, "form": form},
        status=422 if form.is_bound else 200,
    )
