"""What the study asks of its annotators: read by every member, written by its owners, versioned."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import open_project, reader
from annotation.forms import GuidelineForm
from annotation.guidelines import USES, Topic, all_topics, line_diff, topic_at
from annotation.models import Guideline, Project
from annotation.permissions import may
from annotation.services import guidelines as service
from annotation.views.paging import page_of


@require_safe
def guidelines(request: HttpRequest, slug: str) -> HttpResponse:
    """Every topic's present text."""
    project = open_project(request, slug, "see_project")
    newest = Guideline.objects.current(project).select_related("author")
    by_topic = {guideline.topic: guideline for guideline in newest}
    sections = [(topic, by_topic.get(topic.name)) for topic in all_topics()]
    context = {
        "project": project,
        "sections": sections,
        "written": [topic for topic, now in sections if now and now.text],
        "unwritten": [topic for topic, now in sections if not (now and now.text)],
        "writes": _writes(request, project),
    }
    return render(request, "annotation/guidelines.html", context)


@require_safe
def guideline(
    request: HttpRequest, slug: str, address: str, version: int | None = None
) -> HttpResponse:
    """One version of a topic, what it changed, and the list of all its versions."""
    project = open_project(request, slug, "see_project")
    topic = _topic(address)
    versions = project.guidelines.filter(topic=topic.name).select_related("author")
    versions = versions.order_by("-version")
    newest = versions.first()
    shown = newest if version is None else get_object_or_404(versions, version=version)
    before = versions.filter(version__lt=shown.version).first() if shown else None
    page = page_of(request, versions.defer("text"))
    told = [uses(reader(request), project, topic) for uses in USES]
    context = {
        "project": project,
        "topic": topic,
        "shown": shown,
        "newest": newest,
        "before": before,
        "changes": line_diff(before.text, shown.text) if before and shown else (),
        "page": page,
        "rows": [
            (one, [uses[one.version] for uses in told if one.version in uses]) for one in page
        ],
        "used": any(told),
        "writes": _writes(request, project),
    }
    return render(request, "annotation/guideline.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def guideline_edit(request: HttpRequest, slug: str, address: str) -> HttpResponse:
    """Write a new version. If somebody else saved one meanwhile, both texts are shown."""
    project = open_project(request, slug, "write_guidelines")
    topic = _topic(address)
    if request.method != "POST":
        now = service.current(project=project, topic=topic.name)
        initial = {"text": now.text if now else "", "seen": now.version if now else 0}
        return _editor(request, project, topic, GuidelineForm(initial=initial))
    form = GuidelineForm(request.POST)
    if not form.is_valid():
        return _editor(request, project, topic, form, status=422)
    if "preview" in request.POST:
        return _editor(request, project, topic, form, preview=form.cleaned_data["text"])
    try:
        written = service.write_guideline(
            actor=reader(request), project=project, topic=topic.name, **form.cleaned_data
        )
    except service.GuidelineMoved as moved:
        return _moved(request, project, topic, form.cleaned_data["text"], moved)
    messages.success(request, _("Version %(n)d was saved.") % {"n": written.version})
    return redirect("guideline", slug, address)


@require_POST
def guideline_preview(request: HttpRequest, slug: str, address: str) -> HttpResponse:
    """How the text in the editor would be shown."""
    project = open_project(request, slug, "write_guidelines")
    topic = _topic(address)
    form = GuidelineForm(request.POST)
    valid = form.is_valid()
    context = {"form": form, "topic": topic, "preview": form.cleaned_data.get("text", "")}
    context["project"] = project
    template = "annotation/_guideline_preview.html"
    return render(request, template, context, status=200 if valid else 422)


def _topic(address: str) -> Topic:
    topic = topic_at(address)
    if topic is None:
        raise Http404("There is no such topic.")
    return topic


def _writes(request: HttpRequest, project: Project) -> bool:
    return may(reader(request), "write_guidelines", project).allowed


def _moved(
    request: HttpRequest, project: Project, topic: Topic, text: str, moved: service.GuidelineMoved
) -> HttpResponse:
    """Both texts: the one just written stays in the editor, the other is shown beside it."""
    theirs = moved.current
    form = GuidelineForm(initial={"text": text, "seen": theirs.version})
    more = {"theirs": theirs, "changes": line_diff(theirs.text, text), "refusal": str(moved)}
    return _editor(request, project, topic, form, status=409, **more)


def _editor(
    request: HttpRequest,
    project: Project,
    topic: Topic,
    form: GuidelineForm,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {"project": project, "topic": topic, "form": form, **more}
    return render(request, "annotation/guideline_edit.html", context, status=status)
