from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation import progress
from annotation.access import open_project, reader
from annotation.columns import COLUMNS, SECTIONS
from annotation.models import Corpus, Person, Project, Request
from annotation.permissions import may
from annotation.services.exposure import expose, needs_consent
from annotation.views.paging import page_of

EXPOSED = "answers and evidence"


@require_safe
def requests(request: HttpRequest, slug: str) -> HttpResponse:
    """The project's requests in their order, with what the other apps know about each. Only what
    is shown is read.
    """
    project = open_project(request, slug, "see_requests")
    classes = dict(project.request_classes.values_list("name", "pk"))
    chosen = request.GET.get("class", "")
    found = Request.objects.filter(project=project)
    if chosen:
        found = Request.objects.filter(request_class=classes.get(chosen, 0))
    page = page_of(request, found.order_by("position", "pk").values_list("pk", flat=True))
    rows = list(Request.objects.listed(list(page.object_list)))
    whole = progress.sees_all_counts(reader(request), project)
    context = {
        "project": project,
        "page": page,
        "chosen": chosen,
        "classes": list(classes),
        "whole": whole,
        "columns": [column.label for column in COLUMNS],
        "rows": _rows(project, rows, whole),
    }
    return render(request, "annotation/requests.html", context)


def _rows(project: Project, rows: list[Request], whole: bool) -> list[dict[str, Any]]:
    """What the list shows of a page of requests; how far each is only for who may know."""
    cells = [column.cells(rows) for column in COLUMNS]
    done = progress.of_requests(project, rows) if whole else {}
    return [
        {"asked": row, "done": done.get(row.pk, ()), "cells": [c.get(row.pk, "") for c in cells]}
        for row in rows
    ]


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
