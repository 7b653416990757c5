"""The owner's page of blindness: what was checked, who was shown what, and which sheets count all
the same. Nobody who annotates gets it.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.blindness.facts import FACTS
from annotation.models import Project
from annotation.services import blindness as services
from annotation.services.projects import Refused
from annotation.services.work import require_oversight
from contracts.models import Sheet
from contracts.services import admission
from contracts.tasks import check_blindness


@require_safe
def blindness(request: HttpRequest, slug: str) -> HttpResponse:
    """The checks, the marked sheets, further roles and exposures."""
    return _page(request, open_project(request, slug, "manage_work"))


@require_POST
def blindness_check(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand a check to the workers; its report comes with the ledger's entry."""
    project, person = open_project(request, slug, "manage_work"), reader(request)
    try:
        services.may_check(actor=person, project=project)
    except Refused as refusal:
        return _page(request, project, fault=str(refusal))
    check_blindness.delay_on_commit(project.pk, person.pk)
    messages.success(request, _("A worker checks now. Reload the page in some minutes."))
    return redirect("blindness", slug)


@require_POST
def blindness_admit(request: HttpRequest, slug: str, sheet_id: int) -> HttpResponse:
    """Count a marked sheet all the same, with the reason."""
    project = open_project(request, slug, "manage_work")
    require_oversight(reader(request), project)  # before any sheet is looked for
    rows = Sheet.objects.by_request(project).select_related("request__project")
    sheet, reason = get_object_or_404(rows, pk=sheet_id), request.POST.get("reason", "")
    try:
        admission.admit(actor=reader(request), sheet=sheet, reason=reason)
    except Refused as refusal:
        return _page(request, project, fault=str(refusal), at=sheet_id, reason=reason)
    messages.success(request, _("The sheet counts from now on; the reason stays in the report."))
    return redirect("blindness", slug)


def _page(request: HttpRequest, project: Project, *, fault: str = "", **more: Any) -> HttpResponse:
    labels = {fact.name: fact.label for fact in FACTS}
    context = {
        "project": project,
        "marked": admission.marked_sheets(actor=reader(request), project=project),
        "checks": [
            {"entry": entry, "said": entry.content, "facts": [
                (labels.get(name, name), rows) for name, rows in entry.content["facts"].items()
            ]}
            for entry in services.checks(project)
        ],
        "further": services.further_roles(project),
        "exposures": services.exposures_by_kind(project),
        "fault": fault,
        **more,
    }  # fmt: skip
    return render(request, "contracts/blindness.html", context, status=422 if fault else 200)
