"""The pages on which people judge answers: one at a time, blind to the arms."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx
from evaluation.forms.answers import AnswerForm
from evaluation.models import Run
from evaluation.reports.judging.answer_page import WORDS, answer_shown
from evaluation.services.answers import (
    count_judged,
    judge_answer,
    may_take_back,
    next_answer,
    take_back,
)


@require_safe
def answers(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The next answer that waits in this run, and how many do."""
    return _next(request, *_finished(request, slug, number))


@require_POST
def answer_judge(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Record what the person said of the answer, and show the next."""
    project, run = _finished(request, slug, number)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        fault = _("Answer with yes, no, or cannot tell; a note has at most 2,000 characters.")
        return _next(request, project, run, fault=fault)
    said = {name: form.cleaned_data[name] for name in ("correct", "supported", "note")}
    try:
        judge_answer(actor=reader(request), run=run, key=form.cleaned_data["answer"], **said)
    except Refused as refusal:
        return _next(request, project, run, fault=str(refusal))
    return _after(request, project, run)


@require_POST
def answer_undo(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take back the person's own last judgement; its answer waits again."""
    project, run = _finished(request, slug, number)
    try:
        take_back(actor=reader(request), run=run)
        messages.success(request, _("Your last judgement is taken back; its answer waits again."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return _after(request, project, run)


@require_POST
def answer_count(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Have the scores computed again with what people judged so far."""
    project, run = _finished(request, slug, number)
    count_judged(actor=reader(request), run=run)
    messages.success(request, _("Scores and verdicts are computed again with these judgements."))
    return _after(request, project, run)


def _finished(request: HttpRequest, slug: str, number: int) -> tuple[Project, Run]:
    """The project and its finished run, if the reader may judge there."""
    project = open_project(request, slug, "judge")
    rows = project.runs.select_related("conditions__corpus", "protocol")
    run = get_object_or_404(rows, number=number)
    if run.state != Run.State.FINISHED:
        raise Http404(_("This run has no results yet."))
    run.project = project  # whose roles are read already
    return project, run


def _next(request: HttpRequest, project: Project, run: Run, fault: str = "") -> HttpResponse:
    item, waiting = next_answer(actor=reader(request), run=run)
    given = request.POST
    kept = given if fault and item and given.get("answer") == item.key else {}
    context = {
        "project": project,
        "run": run,
        "queue": waiting,
        "shown": answer_shown(run, item, dict(kept.items())) if item else None,
        "words": WORDS,
        "fault": fault,
        "note": kept.get("note", ""),
        "may_undo": may_take_back(actor=reader(request), run=run),
    }
    template = "evaluation/_answer.html" if by_htmx(request) else "evaluation/answer.html"
    return render(request, template, context, status=422 if fault else 200)


def _after(request: HttpRequest, project: Project, run: Run) -> HttpResponse:
    if by_htmx(request):
        return _next(request, project, run)
    return redirect("answers", project.slug, run.number)
