from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.permissions import may
from annotation.views.acting import by_htmx
from annotation.views.paging import page_of
from evaluation.models import Arm, Run, Verdict
from evaluation.reports.protocol.sentences import frozen_facts
from evaluation.reports.run_watched import closed_cases, coverage, kept, watched
from evaluation.reports.verdict.cards import summary
from evaluation.reports.verdict.report import (
    candidates,
    in_order,
    registered_sentence,
    run_banners,
    run_report,
)
from evaluation.reports.verdict.tables import STAGES
from evaluation.services.showing import Withheld, require_shown, show_and_give_up, withheld_runs


@require_safe
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """Every run, the newest first, each with its verdicts in a line."""
    project = open_project(request, slug, "see_results")
    rows = project.runs.select_related("protocol__superseded_by", "conditions")
    rows = rows.prefetch_related("arms").defer("result", "conditions__content")  # long, not listed
    page = page_of(request, rows.order_by("-number"))
    on_page = list(page.object_list)
    unseen = withheld_runs(actor=reader(request), project=project)
    told = _summaries([run for run in on_page if run.pk not in unseen])
    closed = closed_cases([run for run in on_page if run.state != Run.State.FINISHED])
    context = {
        "project": project,
        "page": page,
        "rows": [
            {
                "run": run,
                "arms": in_order(run.arms.all()),
                "verdicts": told.get(run.pk, []),
                "closed": closed.get(run.pk, ""),
            }
            for run in on_page
        ],
        "conditions": project.conditions.order_by("-pk")[:10],
        "may_run": may(reader(request), "run", project).allowed,
        "protocols": project.protocols.exists() or not project.takes_contracts,
    }
    return render(request, "evaluation/runs.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def run(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The verdict once the run is finished; until then how far it is. Whoever may still annotate
    one of its requests sees it only after giving that up with a POST.
    """
    project, found = open_run(request, slug, number)
    person = reader(request)
    context: dict[str, Any] = {
        "project": project,
        "run": found,
        "arms": in_order(found.arms.all()),
        "may_run": may(person, "run", project).allowed,
        "may_leave_out": may(person, "leave_out_failed", project).allowed,
    }
    if found.state != Run.State.FINISHED:
        return render(request, "evaluation/run_open.html", context | watched(found) | kept(found))
    if request.method == "POST":
        show_and_give_up(actor=person, run=found)
        return redirect("run", slug, number)
    try:
        require_shown(actor=person, run=found)
    except Withheld as closed:
        return render(request, "evaluation/run_withheld.html", context | {"closed": closed})
    arms = list(found.arms.all())
    candidate = chosen_arm(request, candidates(arms))
    context |= {
        "candidates": candidates(arms),
        "report": run_report(found, arms, candidate, request.GET.get("class", "all")),
        "facts": frozen_facts(found.conditions.content),
        "stages": STAGES,
        "banners": run_banners(found),
        "registered": registered_sentence(found, found.protocol) if found.protocol else "",
        "may_judge": may(person, "judge", project).allowed,
        "coverage": coverage(found),
    }
    return render(request, "evaluation/run.html", context)


@require_safe
def run_progress(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The moving part of a run. Once nobody works on it any more it asks for nothing more."""
    project, found = open_run(request, slug, number)
    if not found.is_worked_on:
        return HttpResponseClientRefresh() if by_htmx(request) else redirect("run", slug, number)
    context = {
        "project": project,
        "run": found,
        "may_run": may(reader(request), "run", project).allowed,
        "told": request.GET.get("told", "") if by_htmx(request) else None,
    }
    return render(request, "evaluation/_progress.html", context | watched(found))


def open_run(
    request: HttpRequest, slug: str, number: int, *, unread: Sequence[str] = ()
) -> tuple[Project, Run]:
    """The project and its run, if the reader may see results there. `unread` are long fields that
    the page does not show.
    """
    project = open_project(request, slug, "see_results")
    rows = project.runs.select_related(
        "project",
        "protocol__superseded_by",
        "protocol__project",
        "conditions__corpus",
        "started_by",
    ).prefetch_related("arms")
    if unread:
        rows = rows.defer(*unread)
    found = get_object_or_404(rows, number=number)
    found.project = project  # whose roles are read already
    return project, found


def finished_run(request: HttpRequest, slug: str, number: int) -> tuple[Project, Run]:
    """The same for a page of results; that the reader was shown them is recorded."""
    return _run_in(request, slug, number, Run.State.FINISHED)


def kept_run(request: HttpRequest, slug: str, number: int) -> tuple[Project, Run]:
    """The same for a page of what was computed, which a cancelled run keeps too."""
    return _run_in(request, slug, number, Run.State.FINISHED, Run.State.CANCELLED)


def _run_in(request: HttpRequest, slug: str, number: int, *states: str) -> tuple[Project, Run]:
    project, found = open_run(request, slug, number, unread=("result", "conditions__content"))
    if found.state not in states:
        raise Http404(_("This run has no results yet."))
    require_shown(actor=reader(request), run=found)
    return project, found


def chosen_arm(request: HttpRequest, arms: list[Arm]) -> Arm | None:
    """The candidate that `?arm=` names, or the first; None without any."""
    named = request.GET.get("arm", "")
    if not named or not arms:
        return arms[0] if arms else None
    for arm in arms:
        if arm.name == named:
            return arm
    raise Http404(_("The run has no such arm."))


def _summaries(shown: list[Run]) -> dict[int, list[tuple[str, str]]]:
    """The verdicts of several runs in a line for each candidate, in one query."""
    outcomes: dict[tuple[int, str], list[str]] = defaultdict(list)
    rows = Verdict.objects.current(*shown).order_by("arm_id", "version")
    for run_id, arm, outcome in rows.values_list("run_id", "arm__name", "outcome"):
        outcomes[run_id, arm].append(outcome)
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for (run_id, arm), named in outcomes.items():
        found[run_id].append((arm, summary(named)))
    return dict(found)
