"""The owner's page of everybody's work. Nobody who annotates gets it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation import progress
from annotation.access import open_project, reader
from annotation.desk import WORK_KINDS
from annotation.models import Person, Project, Seat
from annotation.needs import seat_numbers
from annotation.person_columns import PERSON_COLUMNS
from annotation.services import work as services
from annotation.services.projects import Refused
from annotation.views.acting import go_to
from annotation.views.paging import page_of

STATES = {
    services.AT_WORK: gettext_lazy("at work"),
    services.ABANDONED: gettext_lazy("abandoned"),
    services.GIVEN_UP: gettext_lazy("given up"),
}


@require_safe
def work(request: HttpRequest, slug: str) -> HttpResponse:
    """What is at work, abandoned or given up, and how each person is doing."""
    project = open_project(request, slug, "manage_work")
    services.require_oversight(reader(request), project)
    return _page(request, project, request.GET)


@require_POST
def work_requeue(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand ticked items out again, or all that were given up when that was asked for."""
    project = open_project(request, slug, "manage_work")
    ticked = None if "all" in request.POST else _ids(request.POST.getlist("seat"))
    kind = request.POST.get("kind", "") if ticked is None else ""
    try:
        n = services.requeue(actor=reader(request), project=project, seat_ids=ticked, kind=kind)
    except Refused as refusal:
        return _page(request, project, request.POST, fault=str(refusal))
    said = ngettext("%(n)d seat is free for others now.", "%(n)d seats are free for others now.", n)
    messages.success(request, said % {"n": n})
    return go_to(request, "work", slug)


def _page(request: HttpRequest, project: Project, chosen: Any, *, fault: str = "") -> HttpResponse:
    kind, state = chosen.get("kind", ""), chosen.get("state", "")
    kind = kind if kind in WORK_KINDS else ""
    page = page_of(request, services.open_work(project, kind=kind, state=state))
    people = services.by_person(project, kind=kind)
    context = {
        "project": project,
        "fault": fault,
        "kinds": WORK_KINDS.values(),
        "states": STATES.items(),
        "kind": kind,
        "state": state if state in STATES else "",
        "counts": [found for found in progress.by_kind(project) if found.begun],
        "page": page,
        "rows": _rows(project, list(page.object_list)),
        "columns": [column.label for column in PERSON_COLUMNS],
        "people": _people(project, people),
    }
    return render(request, "annotation/work.html", context, status=422 if fault else 200)


def _rows(project: Project, seats: Sequence[Seat]) -> list[dict[str, Any]]:
    current = set(project.memberships.current().values_list("person", flat=True))
    given_up, now = services.given_up_by_item(seats), timezone.now()
    numbers = {name: seat_numbers(WORK_KINDS[name], project) for name in {s.kind for s in seats}}
    return [
        {
            "seat": seat,
            "label": WORK_KINDS[seat.kind].label,
            "former": seat.holder_id not in current,
            "requeued": seat.state in services.REQUEUED,
            "late": seat.leased_until < now,
            "given_up": given_up.get((seat.request_id, seat.kind), 0),
            "wanted": numbers[seat.kind].on(seat.request_id, seat.request.request_class_id),
        }
        for seat in seats
    ]


def _people(project: Project, rows: list[services.PersonWork]) -> list[dict[str, Any]]:
    everybody: list[Person] = list({row.person.pk: row.person for row in rows}.values())
    cells = [column.cells(project, everybody) for column in PERSON_COLUMNS]
    return [{"work": row, "cells": [c.get(row.person.pk, "") for c in cells]} for row in rows]


def _ids(sent: Sequence[str]) -> list[UUID]:
    """The ids that the page sent; what is none is left out."""
    found = []
    for text in sent:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found
