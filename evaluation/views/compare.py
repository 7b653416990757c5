from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.views.acting import by_htmx
from annotation.views.paging import ON_A_PAGE
from evaluation.models import Run
from evaluation.reports.comparing import rows as listed
from evaluation.reports.comparing.record import NoSuchSide, NotComparable, Side
from evaluation.reports.comparing.words import (
    change_rows,
    comparison_lines,
    listed_sentence,
    scope_of,
    took_rows,
)
from evaluation.reports.matrix.shown import any_unstruck
from evaluation.reports.protocol.voiding import voids_said
from evaluation.reports.verdict.report import in_order
from evaluation.services.comparing import compare_sides
from evaluation.services.showing import withheld_runs

MOST_RUNS = 100


@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Two sides, each an arm of a finished run, request by request; without them the choice."""
    project = open_project(request, slug, "see_results")
    named = {side: request.GET.get(side, "") for side in ("a", "b")}
    context: dict[str, Any] = {"project": project, "named": named}
    status = 200
    if all(named.values()):
        try:
            context |= _compared(request, project, named)
        except NotComparable as refused:
            context["refused"] = refused
            status = 404 if isinstance(refused, NoSuchSide) else 409
    if by_htmx(request) and "record" in context:
        return render(request, "evaluation/_compare_requests.html", context | {"told": True})
    context["choices"] = _choices(reader(request), project)
    return render(request, "evaluation/compare.html", context, status=status)


def _compared(request: HttpRequest, project: Project, named: Mapping[str, str]) -> dict[str, Any]:
    a, b, record = compare_sides(actor=reader(request), project=project, **named)
    scope = scope_of(record, request.GET.get("class", ""))
    wanted = _wanted(request, record, scope["scope"])
    chosen = listed.chosen_requests(record["requests"], wanted)
    page = Paginator(chosen, ON_A_PAGE).get_page(request.GET.get("page"))
    requests = listed.request_rows(a, b, list(page.object_list))
    return {
        "a": a,
        "b": b,
        "record": record,
        "void_said": voids_said((a.run, b.run)),
        "scope": scope,
        "scopes": [row["scope"] for row in record["scopes"]],
        "rows": change_rows(scope),
        "took": took_rows(scope),
        "lines": comparison_lines(record, scope["scope"]),
        "wanted": wanted,
        "shown": listed.SHOWN.items(),
        "counted": listed.counted(record["requests"], wanted.request_class),
        "scores": listed.SCORES.items(),
        "page": page,
        "listed": listed_sentence(len(chosen)),
        "requests": requests,
        "unstruck": any_unstruck(side.rewrite for row in requests for side in row.sides),
    }


def _wanted(request: HttpRequest, record: Mapping[str, Any], scope: str) -> listed.Wanted:
    """What the address asks for. Without `show` it is what regressed, if anything did."""
    show, score = request.GET.get("show", ""), request.GET.get("score", "")
    request_class = "" if scope == "all" else scope
    if show not in listed.SHOWN:
        worse = listed.counted(record["requests"], request_class)[listed.WORSE]
        show = listed.WORSE if worse else listed.ALL
    return listed.Wanted(show, request_class, score if score in listed.SCORES else "")


def _choices(person: Person, project: Project) -> list[tuple[Run, list[Side]]]:
    """The newest finished runs that may be shown, with their sides."""
    rows = project.runs.filter(state=Run.State.FINISHED)
    rows = rows.exclude(pk__in=withheld_runs(actor=person, project=project))
    rows = rows.prefetch_related("arms").defer("result", "arm_content").order_by("-number")
    return [(run, [Side(run, arm) for arm in in_order(run.arms.all())]) for run in rows[:MOST_RUNS]]
