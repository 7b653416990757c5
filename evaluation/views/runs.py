from collections import defaultdict
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.permissions import may
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx
from annotation.views.paging import page_of
from evaluation.models import Arm, Run, Verdict
from evaluation.reports.protocol_sentences import frozen_facts
from evaluation.reports.run_report import (
    candidates,
    protocol_banners,
    registered_sentence,
    run_report,
    shown_arms,
)
from evaluation.reports.run_tables import STAGES
from evaluation.reports.verdict_cards import summary
from evaluation.services.runs import progress, resume_run
from evaluation.services.showing import Withheld, require_shown, show_and_give_up, withheld_runs

WORKER_SHOULD_HAVE_COME = timedelta(seconds=5)
WORKER_COMMAND = "python -m celery -A config worker"


@require_safe
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """Every run, the newest first, each with its verdicts in a line."""
    project = open_project(request, slug, "see_results")
    rows = project.runs.select_related("protocol", "conditions").prefetch_related("arms")
    page = page_of(request, rows.order_by("-number"))
    on_page = list(page.object_list)
    unseen = withheld_runs(actor=reader(request), project=project)
    told = _summaries([run for run in on_page if run.pk not in unseen])
    context = {
        "project": project,
        "page": page,
        "rows": [
            {"run": run, "arms": _in_order(run), "verdicts": told.get(run.pk, [])}
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
        "arms": _in_order(found),
        "may_run": may(person, "run", project).allowed,
    }
    if found.state != Run.State.FINISHED:
        return render(request, "evaluation/run_open.html", context | _progress(found))
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
        "banners": protocol_banners(found.protocol) if found.protocol else [],
        "registered": registered_sentence(found, found.protocol) if found.protocol else "",
        "may_judge": may(person, "judge", project).allowed,
    }
    return render(request, "evaluation/run.html", context)


@require_safe
def run_progress(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The moving part of an open run. Once the run is over it asks for nothing more."""
    project, found = open_run(request, slug, number)
    if found.is_over and by_htmx(request):
        return HttpResponseClientRefresh()
    if found.is_over:
        return redirect("run", slug, number)
    context = {"project": project, "run": found} | _progress(found)
    return render(request, "evaluation/_progress.html", context)


@require_POST
def run_resume(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send a failed run to the workers again; what is done stays."""
    project = open_project(request, slug, "run")
    found = get_object_or_404(project.runs, number=number)
    try:
        resume_run(actor=reader(request), run=found)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("run", slug, number)


def open_run(request: HttpRequest, slug: str, number: int) -> tuple[Project, Run]:
    """The project and its run, if the reader may see results there."""
    project = open_project(request, slug, "see_results")
    rows = project.runs.select_related(
        "project",
        "protocol__superseded_by",
        "protocol__project",
        "conditions__corpus",
        "started_by",
    ).prefetch_related("arms")
    found = get_object_or_404(rows, number=number)
    found.project = project  # whose roles are read already
    return project, found


def finished_run(request: HttpRequest, slug: str, number: int) -> tuple[Project, Run]:
    """The same for a page of results; that the reader was shown them is recorded."""
    project, found = open_run(request, slug, number)
    if found.state != Run.State.FINISHED:
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


def _in_order(run: Run) -> list[Arm]:
    """The run's arms: original, human, then the candidates."""
    arms = list(run.arms.all())
    return [*shown_arms(arms, None), *candidates(arms)]


def _progress(run: Run) -> dict[str, Any]:
    counts = progress(run)
    waiting = run.state == Run.State.QUEUED and not counts.closed
    late = timezone.now() - run.created_at > WORKER_SHOULD_HAVE_COME
    return {
        "progress": counts,
        "by_arm": [
            {"arm": name, "done": states.get("done", 0), "failed": states.get("failed", 0),
             "total": sum(states.values())}
            for name, states in counts.by_arm.items()
        ],
        "no_worker": waiting and late,
        "worker_command": WORKER_COMMAND,
    }  # fmt: skip


def _summaries(shown: list[Run]) -> dict[int, list[tuple[str, str]]]:
    """The verdicts of several runs in a line for each candidate, in one query."""
    newest: dict[tuple[int, str, int], Verdict] = {}
    rows = Verdict.objects.filter(run__in=shown).select_related("arm").order_by("arm_id", "version")
    for verdict in rows.defer("content"):
        newest[verdict.run_id, verdict.arm.name, verdict.request_class_id] = verdict
    outcomes: dict[tuple[int, str], list[str]] = defaultdict(list)
    for (run_id, arm, _class), verdict in newest.items():
        outcomes[run_id, arm].append(verdict.outcome)
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for (run_id, arm), named in outcomes.items():
        found[run_id].append((arm, summary(named)))
    return dict(found)
