"""Sets of variations: what there is, a new one, and one with everything in it."""

import json
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.permissions import may
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx
from annotation.views.paging import page_of
from evaluation.forms.variations import VariationSetForm
from evaluation.models import VariationItem, VariationSet
from evaluation.reports.varied.facts import counted, reviewed
from evaluation.reports.varied.shown import SHOWN, chosen, item_shown, recipe_facts, said_of
from evaluation.services.variation_reviews import show_reviews, waiting_for
from evaluation.services.variations import (
    Withheld,
    counts_of,
    inside,
    make_set,
    none_varied,
    require_shown,
    try_again,
    withheld_sets,
)
from evaluation.varying.sealing import rows_of

FORMS = {"jsonl": "application/x-ndjson", "json": "application/json"}


@require_safe
def suites(request: HttpRequest, slug: str) -> HttpResponse:
    """What the suites are for, which are here, and what to do next."""
    project = open_project(request, slug, "see_results")
    context = {
        "project": project,
        "sets": project.variation_sets.count(),
        "runs": project.suite_runs.count(),
        "may_run": may(reader(request), "run", project).allowed,
        "inside": inside(project).count(),
    }
    return render(request, "evaluation/suites/suites.html", context)


@require_safe
def variations(request: HttpRequest, slug: str) -> HttpResponse:
    """The sets and the runs over them, the newest first."""
    project = open_project(request, slug, "see_results")
    person = reader(request)
    may_review = may(person, "review_variations", project).allowed
    sets = project.variation_sets.defer("manifest").select_related("made_by")
    context = {
        "project": project,
        "page": page_of(request, sets.order_by("-number")),
        "runs": project.suite_runs.filter(suite="variations").defer("content", "result")[:50],
        "may_run": may(person, "run", project).allowed,
        "inside": inside(project).count(),
        "withheld": withheld_sets(actor=person, project=project),
        "waiting": waiting_for(actor=person, project=project).count() if may_review else 0,
    }
    return render(request, "evaluation/suites/variations.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def variation_set_new(request: HttpRequest, slug: str) -> HttpResponse:
    """The recipe of a new set, with a sentence that says what it would come to."""
    project = open_project(request, slug, "run")
    form = VariationSetForm(project, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and (made := _made(reader(request), form)):
        messages.success(request, _("The set “%(name)s” is being made.") % {"name": made.name})
        return redirect("variation-set", slug, made.number)
    context = {"project": project, "form": form, "inside": inside(project).count()}
    usual = VariationSetForm(project, _initial(form)) if not form.is_bound else form
    context |= _counted(usual)
    status = 422 if form.is_bound else 200
    return render(request, "evaluation/suites/set_new.html", context, status=status)


@require_safe
def variation_set_counts(request: HttpRequest, slug: str) -> HttpResponse:
    """How many requests a recipe would vary, and how: the sentence below the form."""
    project = open_project(request, slug, "run")
    form = VariationSetForm(project, request.GET)
    return render(request, "evaluation/suites/_counts.html", {"project": project} | _counted(form))


@require_safe
def variation_set(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One set: its recipe, what came of it, its items, and what people said of them."""
    project, found = _open(request, slug, number)
    person = reader(request)
    context: dict[str, Any] = {
        "project": project,
        "set": found,
        "recipe": recipe_facts(found),
        "may_run": may(person, "run", project).allowed,
        "may_review": may(person, "review_variations", project).allowed,
    }
    try:
        require_shown(actor=person, of=found)
    except Withheld as closed:
        return render(request, "evaluation/suites/set.html", context | {"closed": closed})
    context["facts"] = counted(found)
    told = False
    if found.state == VariationSet.State.MADE:
        said = reviewed(found, person, may_review=context["may_review"])
        context["reviewed"], told = said, bool(said.kinds)
        if any(one.person != person.pk for _name, one in said.people):
            show_reviews(actor=person, of=found)
    context |= _items(request, found, told)
    return render(request, "evaluation/suites/set.html", context)


@require_safe
def variation_set_progress(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The moving part of a set. Once it is made or has failed it asks for nothing more."""
    project, found = _open(request, slug, number)
    if found.state != VariationSet.State.MAKING:
        if by_htmx(request):
            return HttpResponseClientRefresh()
        return redirect("variation-set", slug, number)
    try:
        require_shown(actor=reader(request), of=found)
    except Withheld:
        return redirect("variation-set", slug, number)
    context = {"project": project, "set": found, "facts": counted(found)}
    return render(request, "evaluation/suites/_set_progress.html", context)


@require_POST
def variation_set_retry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Go on with a set that could not be made."""
    project = open_project(request, slug, "run")
    found = get_object_or_404(project.variation_sets, number=number)
    found.project = project  # whose roles are read already
    try_again(actor=reader(request), of=found)
    return redirect("variation-set", slug, number)


@require_safe
def variation_set_export(
    request: HttpRequest, slug: str, number: int, form: str
) -> HttpResponseBase:
    """A made set as a file: its items one a line, or its manifest."""
    _project, found = _open(request, slug, number)
    if form not in FORMS or found.state != VariationSet.State.MADE:
        raise Http404(_("There is no such file."))
    require_shown(actor=reader(request), of=found)
    if form == "json":
        named = {"name": found.name, "number": found.number, "sha256": found.sha256}
        body: Iterator[str] = iter([json.dumps({**named, "manifest": found.manifest})])
    else:
        body = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows_of(found))
    lines = (piece.encode("utf-8", "replace") for piece in body)
    response = StreamingHttpResponse(lines, content_type=FORMS[form])
    named_as = f"{slug}-variations-{found.name}.{form}"
    response["Content-Disposition"] = content_disposition_header(True, named_as)
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _open(request: HttpRequest, slug: str, number: int) -> tuple[Project, VariationSet]:
    project = open_project(request, slug, "see_results")
    # the manifest has a line for every request, and only files need it
    rows = project.variation_sets.select_related("made_by").defer("manifest")
    found = get_object_or_404(rows, number=number)
    found.project = project  # whose roles are read already
    return project, found


def _made(person: Person, form: VariationSetForm) -> VariationSet | None:
    """The set that the form describes; None when it was refused, which the form then tells."""
    try:
        return make_set(
            actor=person,
            project=form.project,
            name=form.cleaned_data["name"],
            kinds=form.kinds,
            rate=form.rate,
            seed=form.cleaned_data["seed"],
            parameters=form.parameters,
            per_kind=form.cleaned_data["per_kind"],
        )
    except Refused as refusal:
        form.refuse(str(refusal))
        return None


def _counted(form: VariationSetForm) -> dict[str, Any]:
    """How many of each kind the form's recipe gives, or why it gives none."""
    form.is_valid()
    if {"percent", "seed"} & set(form.errors) or any(n.startswith("weight_") for n in form.errors):
        return {"fault": _("Mend the numbers above: then it is said here how many there will be.")}
    try:
        counts = counts_of(
            project=form.project,
            kinds=form.kinds,
            rate=form.rate,
            seed=form.cleaned_data["seed"],
        )
    except Refused as refusal:
        return {"fault": str(refusal)}
    clean = counts.pop("")
    varied = sum(counts.values())
    if clean and not varied:
        return {"fault": none_varied(clean)}
    return {"counts": counts, "clean": clean, "varied": varied, "total": clean + varied}


def _initial(form: VariationSetForm) -> dict[str, Any]:
    """What an unbound form shows, as data."""
    found = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    return {name: value for name, value in found.items() if value is not None}


def _items(request: HttpRequest, found: VariationSet, told: bool) -> dict[str, Any]:
    """The items that are asked for; what people said of them only where the reader is `told`."""
    offered = {name: label for name, label in SHOWN.items() if told or name != "doubted"}
    kind = request.GET.get("kind", "")
    kind = kind if kind in found.recipe["kinds"] else ""
    show = request.GET.get("show", "")
    show = show if show in offered else "varied"
    rows: QuerySet[VariationItem] = chosen(found, kind=kind, show=show)
    page = page_of(request, rows)
    said = said_of(found, page.object_list) if told else {}
    items = [item_shown(item, said.get(item.pk, ())) for item in page.object_list]
    return {"page": page, "items": items, "kind": kind, "show": show, "shown": offered}
