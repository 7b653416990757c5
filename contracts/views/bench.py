"""The bench: what waits, and one request with its two sheets side by side."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.permissions import may
from annotation.services.projects import Refused
from contracts.models import Adjudication, Contract
from contracts.services.bench import approving, opening, waiting
from contracts.services.bench.waiting import Waiting
from contracts.views.compared import bench_shown

SHOWN = 50  # contracts that the bench lists of each sort


@require_safe
def bench(request: HttpRequest, slug: str) -> HttpResponse:
    """The queue of the adjudicator, what the reviewers agree on, and the contracts that they
    approved. What is agreed for good is approved first.
    """
    project = open_project(request, slug, "adjudicate")
    person = reader(request)
    approving.approve_agreed(project)
    found = waiting.queue(project, person)
    rows = [_row(row, person) for row in found if row.accepted_at is None]
    context = {
        "project": project,
        "waiting": rows,
        "first": next((row for row in rows if not row["elsewhere"]), None),
        "agreeing": [row for row in found if row.accepted_at is not None],
        "agreed": _agreed(person, project),
        "approved": _approved_by(person, project),
        "writes": may(person, "write_guidelines", project).allowed,
    }
    return render(request, "contracts/bench.html", context)


@require_POST
def bench_open(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Open a request for adjudication, or go on with it."""
    project = open_project(request, slug, "adjudicate")
    item = get_object_or_404(project.requests, pk=request_id)
    try:
        opened = opening.open_adjudication(actor=reader(request), request=item)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("bench", slug)
    return redirect("bench-request", slug, opened.pk)


@require_safe
def bench_request(request: HttpRequest, slug: str, adjudication_id: int) -> HttpResponse:
    """The two sheets of one request, side by side."""
    project = open_project(request, slug, "adjudicate")
    adjudication = own_adjudication(reader(request), project, adjudication_id)
    if adjudication.contract_id:
        return redirect("contract", slug, adjudication.contract_id)
    context = {"project": project} | bench_shown(adjudication)
    return render(request, "contracts/bench_request.html", context)


def own_adjudication(person: Person, project: Project, adjudication_id: int) -> Adjudication:
    """The person's own adjudication; one that somebody else opened does not exist for them."""
    found = (
        Adjudication.objects.filter(request__project=project, adjudicator=person)
        .select_related(
            *("request__project", "request__request_class"),
            *("sheet_a__annotator", "sheet_b__annotator", "sheet_a__seat", "sheet_b__seat"),
        )
        .prefetch_related("request__turns", "sheet_a__constraints", "sheet_b__constraints")
        .filter(pk=adjudication_id)
        .first()
    )
    if found is None:
        raise Http404("There is no such adjudication, or it is not yours.")
    return found


def _row(row: Waiting, person: Person) -> dict[str, Any]:
    """What the queue says of one request: whose it is, and what it waits for."""
    held = row.opened
    mine = held is not None and held.adjudicator_id == person.pk
    elsewhere = held is not None and not mine and opening.may_go_on(held)
    return {
        "request": row.request,
        "differences": row.differences,
        "critical": row.critical,
        "open": mine,
        "elsewhere": elsewhere,
        "left": held is not None and not mine and not elsewhere,
        "sent_back": held.sent_back.upper() if held else "",
    }


def _approved_by(person: Person, project: Project) -> list[Contract]:
    return list(
        Contract.objects.filter(request__project=project, adjudication__adjudicator=person)
        .select_related("request__request_class")
        .order_by("-approved_at", "-pk")
    )


def _agreed(person: Person, project: Project) -> list[Contract]:
    """Contracts on which the reviewers agreed; none of a request that the person annotated."""
    found = Contract.objects.current(project).filter(adjudicator=None)
    found = found.exclude(request__in=waiting.requests_annotated_by(person))
    return list(found.select_related("request__request_class").order_by("-approved_at")[:SHOWN])
