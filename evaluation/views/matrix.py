from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation.access import reader
from annotation.services.exposure import expose
from annotation.views.acting import by_htmx
from annotation.views.paging import page_of
from contracts.terms import KINDS, MATERIALITIES
from contracts.views.shown import marks_of, turns_shown
from evaluation.models import Arm, Run
from evaluation.reports.case_page import arm_cases, read_cases
from evaluation.reports.matrix import (
    ALL,
    ANY_LOST,
    NEAR_MISSED,
    NEWLY_LOST,
    OPEN,
    STAGE_WORDS,
    Filters,
    groups,
    lost_under,
    matrix_rows,
    with_words,
)
from evaluation.reports.run_report import candidates, shown_arms
from evaluation.runs.inputs import read_inputs
from evaluation.views.runs import chosen_arm, finished_run

LOST_CHOICES = (
    (ANY_LOST, gettext_lazy("lost")),
    (NEWLY_LOST, gettext_lazy("lost, but kept by the original")),
    (OPEN, gettext_lazy("open")),
    (NEAR_MISSED, gettext_lazy("near misses: a twin's evidence came instead")),
    (ALL, gettext_lazy("all, lost first")),
)


@require_safe
def matrix(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Request × constraint: what was asked, what each arm made of it, what came back."""
    project, run = finished_run(request, slug, number)
    arms = list(run.arms.all())
    chosen = chosen_arm(request, candidates(arms) or arms)
    if chosen is None:
        raise Http404(_("The run has no arm."))
    original = next((arm for arm in arms if arm.source == Arm.Source.ORIGINAL), None)
    filters = _filters(request, run, chosen)
    page = page_of(request, with_words(matrix_rows(run, filters, original)))
    columns = shown_arms(arms, chosen if chosen.is_candidate else None)
    context: dict[str, Any] = {
        "project": project,
        "run": run,
        "filters": filters,
        "arms": columns,
        "candidates": candidates(arms),
        "page": page,
        "groups": groups(run, list(page.object_list), columns, chosen),
        "classes": list(project.request_classes.values_list("name", flat=True)),
        "kinds": KINDS,
        "materialities": MATERIALITIES,
        "stages": STAGE_WORDS.items(),
        "lost_choices": LOST_CHOICES,
    }
    template = "evaluation/_matrix.html" if by_htmx(request) else "evaluation/matrix.html"
    return render(request, template, context)


@require_safe
def case(request: HttpRequest, slug: str, number: int, key: str) -> HttpResponse:
    """One request under every arm, side by side, with its answers and required evidence."""
    project, run = finished_run(request, slug, number)
    cases = read_cases(run, key)
    if not cases:
        raise Http404(_("The run has no such request."))
    asked, contract = cases[0].request, cases[0].contract
    expose(person=reader(request), project=project, subject=asked.key, what="answers and evidence")
    near_misses = read_inputs(run).near_misses.get(asked.pk, {})
    constraints = list(contract.constraints.order_by("position", "pk")) if contract else []
    context = {
        "project": project,
        "run": run,
        "asked": asked,
        "contract": contract,
        "turns": turns_shown(asked, marks_of(contract.terms) if contract else []),
        "cases": arm_cases(run, cases, constraints, near_misses),
    }
    return render(request, "evaluation/case.html", context)


def _filters(request: HttpRequest, run: Run, arm: Arm) -> Filters:
    """What the address asks for. Without `lost` it shows what was lost, if anything was."""
    given = request.GET
    lost = given.get("lost", "")
    if lost not in {value for value, _label in LOST_CHOICES}:
        narrowed = bool(given.get("stage"))
        lost = ANY_LOST if not narrowed and lost_under(run, arm).exists() else ALL
    return Filters(
        arm=arm,
        request_class=given.get("class", ""),
        kind=given.get("kind", ""),
        materiality=given.get("materiality", ""),
        stage=given.get("stage", ""),
        lost=lost,
    )
