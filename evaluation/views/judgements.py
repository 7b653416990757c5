from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.services.projects import Refused
from contracts.marking import Mark
from contracts.views.shown import LABELS, turns_shown
from contracts.word_diff import marked
from evaluation.forms import JudgementForm
from evaluation.models import Judgement, Run, StageResult
from evaluation.records import Rewrite
from evaluation.reports.matrix import WORDS, filters_shown, phrase
from evaluation.services.judgements import CHOICES, next_to_judge, settle, show, waiting_for


@require_safe
def judgements(request: HttpRequest, slug: str) -> HttpResponse:
    """What judging is, and how much waits."""
    project = open_project(request, slug, "judge")
    context = {"project": project, "waiting": _waiting(project, reader(request))}
    return render(request, "evaluation/judgements.html", context)


@require_safe
def judgement_next(request: HttpRequest, slug: str) -> HttpResponse:
    """One judgement that waits; nothing on the page tells which arm or run it belongs to."""
    project = open_project(request, slug, "judge")
    person = reader(request)
    found = next_to_judge(actor=person, project=project)
    context = {"project": project, "waiting": _waiting(project, person)}
    if found is None:
        return render(request, "evaluation/judgements_done.html", context)
    show(actor=person, judgement=found)
    return render(request, "evaluation/judgement.html", context | _shown(found))


@require_POST
def judgement_settle(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Record what the person decided, and show the next."""
    project = open_project(request, slug, "judge")
    found = _in_queue(project, reader(request), pk)
    form = JudgementForm(request.POST)
    if not form.is_valid():
        fault = _("Choose one of the four words; a note has at most 2,000 characters.")
        context = {
            "project": project,
            "waiting": _waiting(project, reader(request)),
            "fault": fault,
        }
        context |= _shown(found) | {"note": request.POST.get("note", "")}
        return render(request, "evaluation/judgement.html", context, status=422)
    try:
        settle(
            actor=reader(request),
            judgement=found,
            outcome=form.cleaned_data["outcome"],
            note=form.cleaned_data["note"],
        )
    except (Refused, PermissionDenied) as refusal:  # another person was quicker
        messages.error(request, str(refusal))
    return redirect("judgement-next", slug)


@dataclass(frozen=True, slots=True)
class _Choice:
    key: int
    name: str
    word: str


def _shown(found: Judgement) -> dict[str, object]:
    """The request, the constraint and the rewrite; no arm, no run, no label of the matcher's."""
    constraint = found.constraint
    terms = constraint.terms
    asked = found.case.request
    content = next(
        row.content for row in found.case.stages.all() if row.stage == StageResult.Stage.REWRITE
    )
    rewrite = Rewrite.from_json(content)
    marks = [Mark(1, constraint.kind, terms.span)] if terms.span else []
    return {
        "judgement": found,
        "turns": turns_shown(asked, marks),
        "kind": LABELS[constraint.kind],
        "constraint": constraint,
        "phrase": phrase(constraint),
        "queries": [marked(query, found.quote) for query in rewrite.queries],
        "filters": [marked(text, found.quote) for text in filters_shown(rewrite.filters)],
        "clarification": rewrite.clarification or "",
        "choices": [_Choice(n, name, str(WORDS[name])) for n, name in enumerate(CHOICES, start=1)],
    }


def _finished(project: Project) -> list[Run]:
    runs = project.runs.filter(state=Run.State.FINISHED).select_related("protocol")
    return list(runs.order_by("-number"))


def _waiting(project: Project, person: Person) -> int:
    return sum(waiting_for(actor=person, run=run).count() for run in _finished(project))


def _in_queue(project: Project, person: Person, pk: int) -> Judgement:
    for run in _finished(project):
        found = waiting_for(actor=person, run=run).filter(pk=pk).first()
        if found is not None:
            return found
    raise Http404(_("Nothing with this number waits for you."))
