from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import reader
from annotation.models import Project, Request
from annotation.services.exposure import expose
from annotation.views.acting import by_htmx
from annotation.views.paging import ON_A_PAGE
from contracts.terms import KINDS, MATERIALITIES
from contracts.views.shown import marks_of, turns_shown
from evaluation.models import Arm, Run
from evaluation.reports.case.beside import Beside, beside
from evaluation.reports.case.page import arm_cases, read_cases
from evaluation.reports.case.trail import trail_of
from evaluation.reports.matrix.rows import ALL, ANY_LOST, Filters, find_rows, lost_under
from evaluation.reports.matrix.shown import STAGE_WORDS, any_unstruck, groups, read_constraints
from evaluation.reports.matrix.words import (
    LOST_CHOICES,
    SORTS,
    cut_sentence,
    found_sentence,
    without_sentence,
)
from evaluation.reports.protocol.voiding import void_said
from evaluation.reports.verdict.report import candidates, shown_arms
from evaluation.runs.inputs import read_inputs
from evaluation.views.runs import chosen_arm, finished_run, kept_run


@require_safe
def matrix(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Request × constraint: what was asked, what each arm made of it, what came back."""
    project, run = finished_run(request, slug, number)
    arms = list(run.arms.all())
    in_order = [*candidates(arms), *shown_arms(arms, None)]
    chosen = chosen_arm(request, in_order)
    if chosen is None:
        raise Http404(_("The run has no arm."))
    filters = _filters(request, run, chosen)
    context: dict[str, Any] = {"project": project, "run": run, "filters": filters}
    context["void_said"] = void_said(run)
    context |= _rows(request, run, arms, filters)
    if by_htmx(request):
        return render(request, "evaluation/_matrix.html", context | {"told": True})
    return render(request, "evaluation/matrix.html", context | _choices(project, in_order))


@require_safe
def case(request: HttpRequest, slug: str, number: int, key: str) -> HttpResponse:
    """One request under every arm, side by side, with its answers and required evidence."""
    project, run = kept_run(request, slug, number)
    cases = read_cases(run, key)
    if not cases:
        raise Http404(_("The run has no such request."))
    asked, contract = cases[0].request, cases[0].contract
    expose(person=reader(request), project=project, subject=asked.key, what="answers and evidence")
    near_misses = read_inputs(run, only=asked).near_misses.get(asked.pk, {})
    constraints = list(contract.constraints.order_by("position", "pk")) if contract else []
    shown = arm_cases(run, cases, constraints, near_misses)
    context = {
        "project": project,
        "run": run,
        "void_said": void_said(run),
        "unstruck": any_unstruck(one.shown.rewrite for one in shown),
        "chosen": request.GET.get("arm", ""),
        "asked": asked,
        "contract": contract,
        "turns": turns_shown(asked, marks_of(contract.terms) if contract else []),
        "cases": shown,
        "trail": trail_of(reader=reader(request), run=run, request=asked.key),
        "beside": _beside(request, run, asked),
    }
    return render(request, "evaluation/case.html", context)


def _beside(request: HttpRequest, run: Run, asked: Request) -> Beside | None:
    """The cases before and after this one in the matrix that the reader comes from, whose filters
    stand in the address; None where they come from elsewhere.
    """
    arms = list(run.arms.all())
    chosen = chosen_arm(request, [*candidates(arms), *shown_arms(arms, None)])
    if chosen is None or "arm" not in request.GET or run.state != Run.State.FINISHED:
        return None
    original = next((arm for arm in arms if arm.source == Arm.Source.ORIGINAL), None)
    found = find_rows(run, _filters(request, run, chosen), original)
    return beside(found.in_order, asked)


def _rows(request: HttpRequest, run: Run, arms: list[Arm], filters: Filters) -> dict[str, Any]:
    """A page of the rows that the filters leave, and what is said of all of them."""
    original = next((arm for arm in arms if arm.source == Arm.Source.ORIGINAL), None)
    found = find_rows(run, filters, original)
    page = Paginator(found.ids, ON_A_PAGE).get_page(request.GET.get("page"))
    columns = shown_arms(arms, filters.arm if filters.arm.is_candidate else None)
    constraints = read_constraints(list(page.object_list))
    shown = groups(run, constraints, columns, filters.arm)
    return {
        "arms": columns,
        "page": page,
        "found": found,
        "found_said": " · ".join(
            filter(None, (found_sentence(found), cut_sentence(filters.words)))
        ),
        "without_said": without_sentence(found),
        "groups": shown,
        "unstruck": any_unstruck(group.case.rewrite for group in shown if group.case),
    }


def _choices(project: Project, arms: list[Arm]) -> dict[str, Any]:
    """What the form offers."""
    return {
        "choices": arms,
        "classes": list(project.request_classes.values_list("name", flat=True)),
        "kinds": KINDS,
        "materialities": MATERIALITIES,
        "stages": STAGE_WORDS.items(),
        "lost_choices": LOST_CHOICES,
        "sorts": SORTS,
    }


def _filters(request: HttpRequest, run: Run, arm: Arm) -> Filters:
    """What the address asks for. Without `lost` it shows what was lost, if anything was."""
    given = {name: str(value).strip() for name, value in request.GET.items()}
    lost = given.get("lost", "")
    if lost not in dict(LOST_CHOICES):
        narrowed = given.get("stage") or given.get("q") or given.get("request")
        lost = ANY_LOST if not narrowed and lost_under(run, arm).exists() else ALL
    sort = given.get("sort", "")
    return Filters(
        arm=arm,
        request_class=given.get("class", ""),
        kind=given.get("kind", ""),
        materiality=given.get("materiality", ""),
        stage=given.get("stage", ""),
        lost=lost,
        words=given.get("q", ""),
        request=given.get("request", ""),
        sort=sort if sort in dict(SORTS) else "",
    )
