from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Corpus, Project
from annotation.next_acts import first_thing, next_acts
from annotation.permissions import may
from annotation.progress import all_counts, own_counts, sees_all_counts
from annotation.services import consent


@require_safe
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """The study: what it is about, how far it is, its people, and what the reader can do next."""
    found = open_project(request, slug, "see_project")
    person = reader(request)
    whole = sees_all_counts(person, found)
    context = {
        "project": found,
        "acts": next_acts(person, found),
        "first": first_thing(person, found),
        "consented": consent.ever_given(person=person, project=found),
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
