from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.permissions import may
from annotation.services.projects import Refused
from evaluation.forms import ArmForm, ParametersForm
from evaluation.forms.parameters import initial_of
from evaluation.models import Arm
from evaluation.offered import Offer, offer_of, offers
from evaluation.reports.arm_rows import arm_rows
from evaluation.reports.parts.pages import part_pages
from evaluation.rewriters.base import REWRITERS
from evaluation.services.arms import delete_arm, make_arm

PREFIX = "set"  # of the fields of parameters, so that none is called as the arm's name is


@require_safe
def arms(request: HttpRequest, slug: str) -> HttpResponse:
    """Every arm that the project has: what it is, its parameters, and the runs that it was in."""
    project = open_project(request, slug, "see_results")
    context = {
        "project": project,
        "rows": arm_rows(project.arms.prefetch_related("runs")),
        "may_make": may(reader(request), "run", project).allowed,
    }
    return render(request, "evaluation/arms.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def arm_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a rewriter, then name the arm and set what differs from the defaults."""
    project = open_project(request, slug, "run")
    named = request.POST.get("rewriter") or request.GET.get("rewriter", "")
    offer = offer_of(REWRITERS, named)
    if offer is None or offer.blocked:
        return _choose(request, project, named, offer)
    data = request.POST if request.method == "POST" else None
    form = ArmForm(project, offer.name, data)
    own = _parameters_of(project, request.GET.get("from", ""), offer.name)
    parameters = ParametersForm(offer.part, "rewriter", data, prefix=PREFIX, initial=own)
    if data is not None and all([form.is_valid(), parameters.is_valid()]):
        if arm := _made(reader(request), form, parameters):
            messages.success(request, _("The arm “%(name)s” is made.") % {"name": arm.name})
            return redirect("arms", slug)
    context = {"project": project, "offer": offer, "form": form, "parameters": parameters}
    status = 200 if data is None else 422
    return render(request, "evaluation/arm_new.html", context, status=status)


def _made(person: Person, form: ArmForm, parameters: ParametersForm) -> Arm | None:
    """The arm that the forms describe; None when it was refused, which the forms then tell."""
    try:
        return make_arm(
            actor=person,
            project=form.project,
            name=form.cleaned_data["name"],
            rewriter=form.rewriter,
            parameters=parameters.differences,
        )
    except Refused as refusal:
        form.refuse(str(refusal), parameters)
        return None


@require_POST
def arm_delete(request: HttpRequest, slug: str, arm_name: str) -> HttpResponse:
    """Delete an arm that no run used."""
    project = open_project(request, slug, "run")
    arm = get_object_or_404(project.arms.select_related("project"), name=arm_name)
    try:
        delete_arm(actor=reader(request), arm=arm)
        messages.success(request, _("The arm “%(name)s” is deleted.") % {"name": arm.name})
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("arms", slug)


@require_safe
def parts(request: HttpRequest, slug: str) -> HttpResponse:
    """What every rewriter, retriever and reader is, from its own docstring."""
    project = open_project(request, slug, "see_results")
    return render(request, "evaluation/parts.html", {"project": project, "rooms": part_pages()})


def _choose(
    request: HttpRequest, project: Project, named: str, offer: Offer | None
) -> HttpResponse:
    """The list of rewriters; with what is wrong with the one that was asked for."""
    fault = ""
    if named and offer is None:
        fault = _("There is no rewriter called “%(name)s”.") % {"name": named}
    elif offer is not None:
        fault = _("%(name)s cannot be had here: %(why)s") % {
            "name": offer.name,
            "why": offer.blocked,
        }
    context = {"project": project, "offers": offers(REWRITERS), "fault": fault}
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/arm_pick.html", context, status=status)


def _parameters_of(project: Project, arm_name: str, rewriter: str) -> dict[str, Any]:
    """The parameters of the arm that a new one begins with; none when it is of another rewriter."""
    arm = project.arms.filter(name=arm_name, source=Arm.Source.ENGINE, rewriter=rewriter).first()
    return initial_of(arm.parameters) if arm else {}
