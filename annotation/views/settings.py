"""The settings of a project: each change that touches work which exists shows its effect first."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation import effects
from annotation.access import open_project, reader
from annotation.canonical import content_hash
from annotation.desk import WORK_KINDS
from annotation.forms import SettingsForm
from annotation.fragments import wants_fragment
from annotation.models import Need, Project
from annotation.need_forms import NeedsForm, RequestNeedsForm
from annotation.permissions import may
from annotation.progress import sees_all_counts
from annotation.services import needs
from annotation.services.projects import Refused, change_project, settings_hash


@require_http_methods(["GET", "HEAD", "POST"])
def project_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """What an owner may change of a project later."""
    project = open_project(request, slug, "manage_project")
    if request.method != "POST":
        return _page(request, project)
    # The form writes into its instance while it checks; the page keeps showing what is stored.
    form = SettingsForm(request.POST, instance=Project.objects.get(pk=project.pk))
    if not form.is_valid():
        return _page(request, project, form=form)
    wanted = form.cleaned_data

    def save() -> None:
        seen = request.POST.get("seen", "")
        change_project(actor=reader(request), project=project, settings=wanted, seen=seen)

    return _after_effects(
        request,
        project,
        _told(request, project, effects.of_settings(project, wanted)),
        save,
        form=form,
    )


@require_POST
def project_needs(request: HttpRequest, slug: str) -> HttpResponse:
    """How many seats the requests of each class want."""
    project = open_project(request, slug, "manage_project")
    form = NeedsForm(project, request.POST)
    if not form.is_valid():
        return _page(request, project, table=form)
    return _change_needs(request, project, classes=form.changes(), table=form)


@require_POST
def project_request_needs(request: HttpRequest, slug: str) -> HttpResponse:
    """How many seats single requests want."""
    project = open_project(request, slug, "set_single_needs")
    form = RequestNeedsForm(project, request.POST, auto_id="single_%s")
    if not form.is_valid():
        return _page(request, project, single=form)
    return _change_needs(request, project, requests=form.changes(), single=form)


@require_POST
def project_need_remove(request: HttpRequest, slug: str, need_id: int) -> HttpResponse:
    """Take the exception of a single request away."""
    project = open_project(request, slug, "set_single_needs")
    need = get_object_or_404(Need, pk=need_id, project=project, request__isnull=False)
    return _change_needs(request, project, requests={(need.kind, need.request_id or 0): None})


def _change_needs(
    request: HttpRequest,
    project: Project,
    *,
    classes: needs.Seats | None = None,
    requests: needs.Seats | None = None,
    **forms: Any,
) -> HttpResponse:
    after = needs.wanted_after(project, classes=classes, requests=requests)

    def save() -> None:
        needs.change_needs(
            actor=reader(request), project=project, classes=classes, requests=requests
        )

    return _after_effects(
        request, project, _told(request, project, effects.of_needs(project, after)), save, **forms
    )


def _told(request: HttpRequest, project: Project, found: list[str]) -> list[str]:
    """The effects that this reader may be told: they count everybody's work."""
    return found if sees_all_counts(reader(request), project) else []


def _after_effects(
    request: HttpRequest,
    project: Project,
    told: list[str],
    save: Callable[[], None],
    **forms: Any,
) -> HttpResponse:
    """Save, unless the change has an effect that the owner was not shown yet."""
    confirmation = content_hash(told) if told else ""
    if request.POST.get("confirmed", "") != confirmation:
        return _page(request, project, effects=told, confirmation=confirmation, **forms)
    try:
        save()
    except Refused as refusal:
        return _page(request, project, refusal=str(refusal), **forms)
    return _saved(request, project)


def _saved(request: HttpRequest, project: Project) -> HttpResponse:
    notice = _("The settings were saved.")
    if wants_fragment(request):
        fresh = Project.objects.get(pk=project.pk)
        return _page(request, fresh, status=200, notice=notice)
    messages.success(request, notice)
    return redirect("project-settings", project.slug)


def _page(
    request: HttpRequest,
    project: Project,
    *,
    status: int | None = None,
    form: SettingsForm | None = None,
    table: NeedsForm | None = None,
    single: RequestNeedsForm | None = None,
    **more: Any,
) -> HttpResponse:
    context = {
        "project": project,
        "seen": settings_hash(project),
        "form": form or SettingsForm(instance=Project.objects.get(pk=project.pk)),
        "table": table or NeedsForm(project),
        "single": single or RequestNeedsForm(project, auto_id="single_%s"),
        "single_closed": may(reader(request), "set_single_needs", project).reason,
        "exceptions": _exceptions(project),
        "repeated": _repeated(request),
        **more,
    }
    fragment = wants_fragment(request)
    template = "annotation/_settings.html" if fragment else "annotation/project_settings.html"
    failed = request.method == "POST"
    return render(request, template, context, status=status or (422 if failed else 200))


def _exceptions(project: Project) -> list[dict[str, Any]]:
    return [
        {
            "need": need,
            "label": WORK_KINDS[need.kind].label if need.kind in WORK_KINDS else need.kind,
        }
        for need in needs.exceptions(project)
    ]


def _repeated(request: HttpRequest) -> list[tuple[str, str]]:
    """What was sent, to be sent once more with the confirmation."""
    ours = ("csrfmiddlewaretoken", "confirmed")
    sent = request.POST.lists()
    return [(name, value) for name, values in sent if name not in ours for value in values]
