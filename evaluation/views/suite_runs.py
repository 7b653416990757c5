"""Runs over variation sets: started, watched, cancelled, gone on with, read, exported."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import open_project, reader
from annotation.models import Corpus, Project
from annotation.permissions import may
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx
from evaluation.forms.suite_runs import SuiteRunForm
from evaluation.models import SuiteRun
from evaluation.reports.run_watched import WORKER_COMMAND
from evaluation.reports.suite_runs.files import FORMS, Form
from evaluation.reports.suite_runs.page import result_page, told_conditions
from evaluation.services.showing import Withheld
from evaluation.services.suites import (
    cancel_suite,
    progress_of,
    require_shown,
    resume_suite,
    show_and_give_up,
    start_suite,
)
from evaluation.suites.freezing import SUITE
from evaluation.views.conditions import SHOW, chosen_query

WORKER_SHOULD_HAVE_COME = timedelta(seconds=5)


@require_http_methods(["GET", "HEAD", "POST"])
def suite_run_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose sets that are made, pipelines, retriever and reader; starting freezes all of it."""
    project = open_project(request, slug, "run")
    if SHOW in request.POST:
        return redirect(f"{reverse('suite-run-new', args=[slug])}?{chosen_query(request)}")
    initial = {**request.GET.dict(), **_listed(request)}
    sent = request.POST if request.method == "POST" else None
    form = SuiteRunForm(project, sent, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            run = start_suite(actor=reader(request), project=project, **form.started())
            return redirect("suite-run", slug, run.number)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    context = {"project": project, "form": form, "corpus": Corpus.objects.latest_of(project)}
    status = 422 if form.is_bound else 200
    return render(request, "evaluation/suites/run_new.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def suite_run(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What the sets cost each pipeline, once the run is finished; until then how far it is. Whoever
    may still annotate one of its requests sees it only after giving that up with a POST.
    """
    project, run = _run_of(request, slug, number)
    person = reader(request)
    context: dict[str, Any] = {
        "project": project,
        "run": run,
        "may_run": may(person, "run", project).allowed,
        **told_conditions(run),
    }
    if run.state != SuiteRun.State.FINISHED:
        return render(request, "evaluation/suites/run_open.html", context | _watched(run))
    if request.method == "POST":
        show_and_give_up(actor=person, run=run)
        return redirect("suite-run", slug, number)
    try:
        require_shown(actor=person, run=run)
    except Withheld as closed:
        context["closed"] = closed
        return render(request, "evaluation/suites/run_withheld.html", context)
    context |= result_page(run, request.GET.get("measure", ""))
    return render(request, "evaluation/suites/run.html", context)


@require_safe
def suite_run_progress(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The moving part of a run. Once it is over it asks for nothing more."""
    project, run = _run_of(request, slug, number)
    if run.is_over:
        if by_htmx(request):
            return HttpResponseClientRefresh()
        return redirect("suite-run", slug, number)
    context = {"project": project, "run": run} | _watched(run)
    context["told"] = request.GET.get("told", "") if by_htmx(request) else None
    return render(request, "evaluation/suites/_run_progress.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def suite_run_cancel(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask whether the run is to end for good, and end it."""
    project, run = _run_of(request, slug, number, "run")
    if request.method == "POST":
        return _done(request, run, cancel_suite)
    if run.state in (SuiteRun.State.FINISHED, SuiteRun.State.CANCELLED):
        return redirect("suite-run", slug, number)
    context = {"project": project, "run": run, "progress": progress_of(run)}
    return render(request, "evaluation/suites/run_cancel.html", context)


@require_POST
def suite_run_resume(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Go on with a run that stopped, and try what failed again."""
    _project, run = _run_of(request, slug, number, "run")
    return _done(request, run, resume_suite)


@require_safe
def suite_run_export(request: HttpRequest, slug: str, number: int, form: str) -> HttpResponseBase:
    """A run that is over as a file that is never whole in memory."""
    _project, run = _run_of(request, slug, number)
    known = FORMS.get(form)
    if known is None or not run.is_over:
        raise Http404(_("There is no such file."))
    require_shown(actor=reader(request), run=run)
    response = StreamingHttpResponse(_bytes(known, run), content_type=known.content_type)
    name = f"{slug}-{run.suite}-run-{run.number}{known.suffix}"
    response["Content-Disposition"] = content_disposition_header(True, name)
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _run_of(
    request: HttpRequest, slug: str, number: int, act: str = "see_results"
) -> tuple[Project, SuiteRun]:
    project = open_project(request, slug, act)
    rows = project.suite_runs.select_related("started_by", "corpus").filter(suite=SUITE)
    run = get_object_or_404(rows, number=number)
    run.project = project  # whose roles are read already
    return project, run


def _watched(run: SuiteRun) -> dict[str, Any]:
    counted = progress_of(run)
    tenth = 10 * counted["done"] // counted["total"] if counted["total"] else 0
    idle = not run.is_over and (run.leased_until is None or run.leased_until < timezone.now())
    late = timezone.now() - run.created_at > WORKER_SHOULD_HAVE_COME
    said = _("%(n)d of %(of)d rows are there.") % {"n": counted["done"], "of": counted["total"]}
    return {
        "progress": counted,
        "no_worker": idle and late,
        "worker_command": WORKER_COMMAND,
        "saying": f"{tenth}{'n' if run.notice else ''}",
        "said": f"{said} {run.notice}".strip(),
    }


def _listed(request: HttpRequest) -> dict[str, Any]:
    """The fields with several values, as a page without anything sent shows them."""
    return {
        name: request.GET.getlist(name) for name in ("sets", "pipelines") if name in request.GET
    }


def _done(request: HttpRequest, run: SuiteRun, act: Callable[..., SuiteRun]) -> HttpResponse:
    try:
        act(actor=reader(request), run=run)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("suite-run", run.project.slug, run.number)


def _bytes(form: Form, run: SuiteRun) -> Iterator[bytes]:
    with closing(form.pieces(run)) as pieces:
        for piece in pieces:
            yield piece.encode("utf-8", "replace")
