from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.permissions import may
from annotation.services.projects import Refused
from evaluation.forms import DEFAULTS, ClassRuleForm, PastedProtocolForm, ProtocolForm, rule_initial
from evaluation.models import Protocol
from evaluation.reports.protocol_sentences import class_sentences, general_sentences
from evaluation.reports.run_report import protocol_banners
from evaluation.scoring.protocol import DEFAULT_CLASS
from evaluation.services.protocols import register_protocol


@require_safe
def protocols(request: HttpRequest, slug: str) -> HttpResponse:
    """Every registered protocol, with how many runs rest on it."""
    project = open_project(request, slug, "see_results")
    rows = (
        project.protocols.select_related("registered_by", "superseded_by")
        .annotate(runs_so_far=Count("runs"))
        .order_by("name", "-version")
    )
    context = {
        "project": project,
        "protocols": rows,
        "may_register": may(reader(request), "register_protocol", project).allowed,
    }
    return render(request, "evaluation/protocols.html", context)


@require_safe
def protocol(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One protocol as sentences, with what takes weight from it."""
    project = open_project(request, slug, "see_results")
    found = get_object_or_404(
        project.protocols.select_related("registered_by", "superseded_by", "supersedes"), pk=pk
    )
    context = {
        "project": project,
        "protocol": found,
        "general": general_sentences(found.content),
        "classes": class_sentences(found.content),
        "banners": protocol_banners(found),
        "runs": found.runs.order_by("-number"),
        "may_register": may(reader(request), "register_protocol", project).allowed,
    }
    return render(request, "evaluation/protocol.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def protocol_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Register rules, filled in as sentences or pasted as protocol.json."""
    project = open_project(request, slug, "register_protocol")
    if request.method != "POST":
        return _form_page(request, project, *_unbound(request, project))
    if "pasted" in request.POST:
        return _paste(request, project)
    form = ProtocolForm(request.POST)
    classes = [ClassRuleForm(n, request.POST, prefix=f"class{i}") for i, n in _names(project)]
    sound = [part.is_valid() for part in (form, *classes)]
    pasted = PastedProtocolForm()
    if not all(sound):
        return _form_page(request, project, form, classes, pasted, status=422)
    try:
        return _registered(reader(request), project, form.content(classes))
    except Refused as refusal:
        form.add_error(None, str(refusal).splitlines())
        return _form_page(request, project, form, classes, pasted, status=422)


def _paste(request: HttpRequest, project: Project) -> HttpResponse:
    pasted = PastedProtocolForm(request.POST)
    if pasted.is_valid():
        try:
            return _registered(reader(request), project, pasted.cleaned_data["pasted"])
        except Refused as refusal:
            pasted.add_error("pasted", str(refusal).splitlines())
    form, classes, _empty = _unbound(request, project)
    return _form_page(request, project, form, classes, pasted, status=422)


def _registered(person: Person, project: Project, content: dict[str, Any]) -> HttpResponse:
    found = register_protocol(actor=person, project=project, content=content)
    return redirect("protocol", project.slug, found.pk)


def _names(project: Project) -> list[tuple[int, str]]:
    """The default first, then the project's classes; the numbers name the rows of the form."""
    names = project.request_classes.order_by("name").values_list("name", flat=True)
    return list(enumerate([DEFAULT_CLASS, *names]))


def _unbound(
    request: HttpRequest, project: Project
) -> tuple[ProtocolForm, list[ClassRuleForm], PastedProtocolForm]:
    """The empty form, or one filled from the protocol that `?from=` names."""
    content: dict[str, Any] = {**DEFAULTS, "classes": {}}
    earlier = request.GET.get("from", "")
    if earlier.isdecimal():
        content = get_object_or_404(Protocol, project=project, pk=int(earlier)).content
    rules = content["classes"]
    classes = [
        ClassRuleForm(
            name, prefix=f"class{i}", initial=rule_initial(rules[name]) if name in rules else None
        )
        for i, name in _names(project)
    ]
    return ProtocolForm(initial=content), classes, PastedProtocolForm()


def _form_page(
    request: HttpRequest,
    project: Project,
    form: ProtocolForm,
    classes: list[ClassRuleForm],
    pasted: PastedProtocolForm,
    status: int = 200,
) -> HttpResponse:
    if status == 422:
        messages.error(request, _("Nothing was registered: mend what is marked below."))
    sizes = dict(project.request_classes.annotate(n=Count("requests")).values_list("name", "n"))
    counted = project.twin_pairs.values_list("base__request_class__name", "family").annotate(
        n=Count("pk")
    )
    pairs: dict[str, dict[str, int]] = {}
    for name, family, number in counted.order_by("family"):
        pairs.setdefault(name, {})[family] = number
    rows = []
    for part in classes:
        found = pairs.get(part.class_name, {})
        near, others = part.families_of(found)
        size = sizes.get(part.class_name, 0)
        rows.append({"form": part, "size": size, "pairs": found, "near": near, "others": others})
    context = {
        "project": project,
        "form": form,
        "rows": rows,
        "pasted": pasted,
        "runs_before": project.runs.count(),
    }
    return render(request, "evaluation/protocol_new.html", context, status=status)
