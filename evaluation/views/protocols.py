from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.permissions import may
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx
from annotation.whole_numbers import whole_number
from evaluation.forms import (
    DEFAULTS,
    ClassRuleForm,
    PastedProtocolForm,
    ProtocolForm,
    protocol_initial,
    rule_initial,
)
from evaluation.forms.faults import Faults, faults_of, in_one
from evaluation.models import Protocol
from evaluation.reports.protocol.at_hand import at_hand
from evaluation.reports.protocol.planning import Planned, planned_of
from evaluation.reports.protocol.sentences import (
    class_sentences,
    general_sentences,
    reach_sentence,
)
from evaluation.reports.verdict.report import protocol_banners
from evaluation.scoring.protocol import DEFAULT_CLASS
from evaluation.services.protocols import (
    reach_of,
    register_protocol,
    registered_reach,
    void_by,
)

# The button without JavaScript, and what htmx sends of a row that was changed.
SHOW = "show"


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
    hand = at_hand(project, until=found.registered_at)
    planned = {part.name: part for part in planned_of(found.content, hand)}
    reach = registered_reach(found)
    context = {
        "project": project,
        "protocol": found,
        "general": general_sentences(found.content),
        "classes": [(part, planned[part.name]) for part in class_sentences(found.content)],
        "reach": reach_sentence(reach.open, reach.seen) if reach else "",
        "newer": void_by(found),
        "banners": protocol_banners(found),
        "runs": found.runs.order_by("-number"),
        "may_register": may(reader(request), "register_protocol", project).allowed,
    }
    return render(request, "evaluation/protocol.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def protocol_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Register rules, filled in as sentences or pasted as protocol.json. `show` registers nothing:
    it says what the rules could show.
    """
    project = open_project(request, slug, "register_protocol")
    if request.method != "POST":
        return _form_page(request, project, *_unbound(request, project))
    if "pasted" in request.POST:
        return _paste(request, project)
    form = ProtocolForm(request.POST)
    classes = [ClassRuleForm(n, request.POST, prefix=f"class{i}") for i, n in _names(project)]
    sound = [part.is_valid() for part in (form, *classes)]
    pasted = PastedProtocolForm()
    if SHOW in request.POST:
        return _shown(request, project, form, classes)
    if not all(sound):
        return _form_page(request, project, form, classes, pasted, status=422)
    try:
        return _registered(reader(request), project, form.content(classes))
    except Refused as refusal:
        form.add_error(None, str(refusal).splitlines())
        return _form_page(request, project, form, classes, pasted, status=422)


def _shown(
    request: HttpRequest, project: Project, form: ProtocolForm, classes: list[ClassRuleForm]
) -> HttpResponse:
    """The page again with what the rules could show; by htmx that of the row that `show` names."""
    if not by_htmx(request):
        return _form_page(request, project, form, classes, PastedProtocolForm())
    part = next((one for one in classes if one.prefix == request.POST[SHOW]), None)
    context = {
        "planned": _planned(project, form, classes).get(part.class_name) if part else None,
        "lacking": _lacking(form, part) if part else (),
    }
    return render(request, "evaluation/_planned.html", context)


def _lacking(form: ProtocolForm, part: ClassRuleForm) -> list[str]:
    """What keeps a row that somebody began from saying what it can show."""
    found = part.lacking()
    if form.is_bound and part.rule_so_far() and form.general() is None:
        faulty = (form[name] for name in ("alpha", "test") if form.errors.get(name))
        found += [f"“{field.label}”: {in_one(field.errors)}" for field in faulty]
    return found


def _faults(
    form: ProtocolForm, classes: list[ClassRuleForm], pasted: PastedProtocolForm
) -> Faults | None:
    rows = [
        (_("Every class not named") if part.is_default else part.class_name, part)
        for part in classes
    ]
    return faults_of([("", form), *rows, ("", pasted)])


def _planned(
    project: Project, form: ProtocolForm, classes: list[ClassRuleForm]
) -> dict[str, Planned]:
    """What the rules in the form could show, by class; nothing of rows that are empty or faulty."""
    general = form.general()
    rules = {part.class_name: rule for part in classes if (rule := part.rule_so_far())}
    if general is None or not rules:
        return {}
    content = {"alpha": general.alpha, "test": general.test, "classes": rules}
    return {part.name: part for part in planned_of(content, at_hand(project))}


def _paste(request: HttpRequest, project: Project) -> HttpResponse:
    pasted = PastedProtocolForm(request.POST)
    if pasted.is_valid():
        try:
            return _registered(reader(request), project, pasted.cleaned_data["pasted"])
        except Refused as refusal:
            pasted.add_error(None, str(refusal).splitlines())
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
    earlier = whole_number(request.GET.get("from", ""))
    if earlier is not None:
        content = get_object_or_404(Protocol, project=project, pk=earlier).content
    rules = content["classes"]
    classes = [
        ClassRuleForm(
            name, prefix=f"class{i}", initial=rule_initial(rules[name]) if name in rules else None
        )
        for i, name in _names(project)
    ]
    return ProtocolForm(initial=protocol_initial(content)), classes, PastedProtocolForm()


def _form_page(
    request: HttpRequest,
    project: Project,
    form: ProtocolForm,
    classes: list[ClassRuleForm],
    pasted: PastedProtocolForm,
    status: int = 200,
) -> HttpResponse:
    sizes = dict(project.request_classes.annotate(n=Count("requests")).values_list("name", "n"))
    counted = project.twin_pairs.values_list("base__request_class__name", "family").annotate(
        n=Count("pk")
    )
    pairs: dict[str, dict[str, int]] = {}
    for name, family, number in counted.order_by("family"):
        pairs.setdefault(name, {})[family] = number
    planned = _planned(project, form, classes)
    rows = []
    for part in classes:
        found = pairs.get(part.class_name, {})
        near, others = part.families_of(found)
        size = sizes.get(part.class_name, 0)
        row = {"form": part, "size": size, "pairs": found, "near": near, "others": others}
        told = {"planned": planned.get(part.class_name), "lacking": _lacking(form, part)}
        rows.append({**row, **told})
    context = {
        "project": project,
        "form": form,
        "rows": rows,
        "pasted": pasted,
        "faults": _faults(form, classes, pasted) if status == 422 else None,
        "reach": reach_of(project, [DEFAULT_CLASS]),
    }
    return render(request, "evaluation/protocol_new.html", context, status=status)
