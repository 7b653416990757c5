from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import open_project, reader
from annotation.models import Corpus, Person
from annotation.permissions import may, require
from annotation.services.projects import Refused
from evaluation.forms import ConditionsForm, StartForm
from evaluation.forms.parts import KINDS, PartChoice
from evaluation.models import Conditions, Run
from evaluation.reports.parts.words import part_fact
from evaluation.reports.protocol.sentences import frozen_facts
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.runs import start_run

# The button without JavaScript: shows the fields of the parts chosen, and freezes nothing.
SHOW = "show"


@require_http_methods(["GET", "HEAD", "POST"])
def conditions_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose the parts and their parameters; freezing writes down everything that decides a result.

    The query may name parts and values: the page shows the fields of the parts that it names.
    """
    project = open_project(request, slug, "run")
    if SHOW in request.POST:
        return redirect(f"{reverse('conditions-new', args=[slug])}?{chosen_query(request)}")
    form = ConditionsForm(request.POST or None, initial=request.GET.dict())
    if form.is_bound and form.is_valid():
        try:
            frozen = freeze_conditions(actor=reader(request), project=project, **form.frozen())
            return redirect("conditions", slug, frozen.pk)
        except Refused as refusal:
            form.refuse(str(refusal))
    corpus = Corpus.objects.latest_of(project)
    context = {"project": project, "form": form, "corpus": corpus, "faulty": form.is_bound}
    status = 422 if form.is_bound else 200
    return render(request, "evaluation/conditions_new.html", context, status=status)


@require_safe
def conditions_part(request: HttpRequest, slug: str) -> HttpResponse:
    """The fields of the part that `?kind=reader&reader=endpoint` names."""
    project = open_project(request, slug, "run")
    kind = request.GET.get("kind", "")
    if kind not in KINDS:
        raise Http404("There is no such kind of part.")
    choice = PartChoice(kind, None, request.GET.dict())
    context = {"project": project, "choice": choice}
    return render(request, "evaluation/_part_parameters.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def conditions(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everything frozen, and the form that starts a run under it."""
    project = open_project(request, slug, "see_results")
    frozen = get_object_or_404(project.conditions.select_related("frozen_by"), pk=pk)
    frozen.project = project  # whose roles are read already
    person = reader(request)
    form = StartForm(project, request.POST or None)
    if request.method == "POST":
        require(person, "run", project)
        if run := _started(person, form, frozen):
            return redirect("run", slug, run.number)
    context = {
        "project": project,
        "conditions": frozen,
        **_told(frozen.content),
        "form": form,
        "runs": frozen.runs.order_by("-number"),
        "may_run": may(person, "run", project).allowed,
    }
    return render(
        request, "evaluation/conditions.html", context, status=422 if form.errors else 200
    )


def _started(person: Person, form: StartForm, frozen: Conditions) -> Run | None:
    """The run that the form asks for; None when something is wrong, which the form then tells."""
    if not form.is_valid():
        return None
    try:
        return start_run(
            actor=person,
            project=frozen.project,
            protocol=form.cleaned_data["protocol"],
            conditions=frozen,
            arm_names=form.arm_names(),
            fresh=form.cleaned_data["fresh"],
        )
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return None


def _told(content: Mapping[str, Any]) -> dict[str, Any]:
    """What the conditions froze: the parts with every parameter, and the other facts."""
    parts = [
        part_fact(str(kind.label), kind.registry, content[name])
        for name, kind in KINDS.items()
        if content.get(name)
    ]
    told = {part.label for part in parts}
    return {"parts": parts, "facts": [f for f in frozen_facts(content) if f.label not in told]}


def chosen_query(request: HttpRequest) -> str:
    """What stood in the form, as a query: all but the token and the button."""
    query = request.POST.copy()
    for name in ("csrfmiddlewaretoken", SHOW):
        query.pop(name, None)
    return query.urlencode()
