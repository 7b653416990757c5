"""The acts on a run that has started: each a plain POST that leads to the run's page."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.services.projects import Refused
from evaluation.forms.control import ExtendForm, WithoutFailedForm
from evaluation.models import Run
from evaluation.services.runs import (
    cancel_run,
    conclude_without_failed,
    extend_run,
    newer_than,
    pause_run,
    progress,
    resume_run,
    retry_failed,
)

Act = Callable[..., Run]


@require_POST
def run_pause(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let no worker begin another case; what is under way is finished and kept."""
    return _done(request, *_run_of(request, slug, number), pause_run)


@require_POST
def run_resume(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send a paused or failed run to the workers again; what is done stays."""
    return _done(request, *_run_of(request, slug, number), resume_run)


@require_POST
def run_retry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Try the failed cases again; of a finished run in a new one."""
    return _done(request, *_run_of(request, slug, number), retry_failed)


@require_http_methods(["GET", "HEAD", "POST"])
def run_cancel(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask whether the run is to end for good, and end it."""
    project, run = _run_of(request, slug, number)
    if request.method == "POST":
        return _done(request, project, run, cancel_run)
    if run.is_over:
        return redirect("run", slug, number)
    context = {"project": project, "run": run, "progress": progress(run)}
    return render(request, "evaluation/run_cancel.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def run_conclude(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Say how many cases would be missing, ask why that may be, and have the run concluded."""
    project, run = _run_of(request, slug, number, "leave_out_failed")
    form = WithoutFailedForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        return _done(request, project, run, conclude_without_failed, reason=reason)
    counted = progress(run)
    if run.state != Run.State.FAILED or not counted.lost:
        return redirect("run", slug, number)
    context = {"project": project, "run": run, "progress": counted, "form": form}
    status = 422 if form.errors else 200
    return render(request, "evaluation/run_conclude.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def run_extend(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Choose more arms, or the requests of now, and start the run that takes over this one."""
    project, run = _run_of(request, slug, number)
    if not run.is_over:
        messages.error(request, _("A run can be extended once it is over."))
        return redirect("run", slug, number)
    newer = newer_than(run)
    form = ExtendForm(run, newer, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            extended = extend_run(
                actor=reader(request),
                run=run,
                arm_names=form.cleaned_data["arms"],
                with_new_requests=form.cleaned_data["with_new_requests"],
            )
            return redirect("run", slug, extended.number)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    context = {"project": project, "run": run, "form": form, "newer": newer}
    return render(
        request, "evaluation/run_extend.html", context, status=422 if form.errors else 200
    )


def _run_of(request: HttpRequest, slug: str, number: int, act: str = "run") -> tuple[Project, Run]:
    project = open_project(request, slug, act)
    rows = project.runs.select_related("protocol", "conditions")
    run = get_object_or_404(rows, number=number)
    run.project = project  # whose roles are read already
    return project, run


def _done(request: HttpRequest, project: Project, run: Run, act: Act, **more: Any) -> HttpResponse:
    """Do it and go to the run that it concerns, with the refusal if there is one."""
    try:
        run = act(actor=reader(request), run=run, **more)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("run", project.slug, run.number)
