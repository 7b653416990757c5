from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from annotation.access import open_project, reader
from annotation.models import Corpus
from annotation.permissions import may, require
from annotation.services.projects import Refused
from evaluation.forms import ConditionsForm, StartForm
from evaluation.reports.protocol_sentences import frozen_facts
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.runs import start_run


@require_http_methods(["GET", "HEAD", "POST"])
def conditions_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose the parts; freezing writes down everything that decides a result."""
    project = open_project(request, slug, "run")
    form = ConditionsForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            frozen = freeze_conditions(actor=reader(request), project=project, **form.cleaned_data)
            return redirect("conditions", slug, frozen.pk)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    context = {"project": project, "form": form, "corpus": Corpus.objects.latest_of(project)}
    return render(
        request, "evaluation/conditions_new.html", context, status=422 if form.errors else 200
    )


@require_http_methods(["GET", "HEAD", "POST"])
def conditions(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everything frozen, and the form that starts a run under it."""
    project = open_project(request, slug, "see_results")
    frozen = get_object_or_404(project.conditions.select_related("frozen_by"), pk=pk)
    person = reader(request)
    form = StartForm(project, request.POST or None)
    if request.method == "POST":
        require(person, "run", project)
        if form.is_valid():
            try:
                run = start_run(
                    actor=person,
                    project=project,
                    protocol=form.cleaned_data["protocol"],
                    conditions=frozen,
                    arm_names=form.arm_names(),
                )
                return redirect("run", slug, run.number)
            except Refused as refusal:
                form.add_error(None, str(refusal))
    context = {
        "project": project,
        "conditions": frozen,
        "facts": frozen_facts(frozen.content),
        "form": form,
        "runs": frozen.runs.order_by("-number"),
        "may_run": may(person, "run", project).allowed,
    }
    return render(
        request, "evaluation/conditions.html", context, status=422 if form.errors else 200
    )
