from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import open_project, reader
from annotation.columns import COLUMNS, SECTIONS
from annotation.models import Corpus, Person, Project, Request
from annotation.permissions import may
from annotation.services.exposure import expose, needs_consent
from annotation.views.paging import page_of

EXPOSED = "answers and evidence"


@require_safe
def requests(request: HttpRequest, slug: str) -> HttpResponse:
    """The project's requests in their order, with what the other apps know about each."""
    project = open_project(request, slug, "see_requests")
    chosen = request.GET.get("class", "")
    rows = project.requests.with_words().order_by("position", "pk")
    if chosen:
        rows = rows.filter(request_class__name=chosen)
    page = page_of(request, rows)
    on_page = list(page.object_list)
    cells = [column.cells(on_page) for column in COLUMNS]
    context = {
        "project": project,
        "page": page,
        "chosen": chosen,
        "classes": project.request_classes.values_list("name", flat=True),
        "columns": [column.label for column in COLUMNS],
        "rows": [{"asked": row, "cells": [c.get(row.pk, "") for c in cells]} for row in on_page],
    }
    return render(request, "annotation/requests.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def request_story(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """One request's whole story. That somebody was shown its answers is recorded.

    Somebody who annotates here too sees them only after asking for them with a POST.
    """
    project = open_project(request, slug, "see_requests")
    asked = get_object_or_404(project.requests.with_words(), key=key)
    person = reader(request)
    closed = needs_consent(person=person, project=project, subject=asked.key)
    if request.method == "POST" or not closed:
        expose(person=person, project=project, subject=asked.key, what=EXPOSED)
    if request.method == "POST":
        return redirect("request", slug, asked.key)
    context = {"project": project, "asked": asked, "closed": closed}
    if not closed:
        context |= _story(person, project, asked)
    return render(request, "annotation/request.html", context)


def _story(person: Person, project: Project, asked: Request) -> dict[str, Any]:
    sections = (
        {"label": s.label, "template": s.template, "context": s.context(person, asked)}
        for s in SECTIONS
    )
    readable = may(person, "see_corpus", project).allowed
    return {
        "sections": [section for section in sections if section["context"] is not None],
        "corpus": Corpus.objects.latest_of(project) if readable else None,
    }
