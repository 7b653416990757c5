"""The page on which people look at variations: one at a time, blind to the other reviewer."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.permissions import may
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx
from contracts.views.shown import turns_shown
from evaluation.forms.variations import VariationReviewForm
from evaluation.models import VariationItem
from evaluation.reports.varied.shown import compared
from evaluation.services.variation_reviews import (
    asked_of,
    last_review,
    look_ahead,
    review,
    show,
    take_back,
)
from evaluation.varying.making import category_of

LATER, AGAIN = "variations put off", "variation taken back"  # in the session
MOST_LATER = 20


@require_safe
def review_next(request: HttpRequest, slug: str) -> HttpResponse:
    """One variation that waits for this person."""
    return _next(request, open_project(request, slug, "review_variations"))


@require_POST
def review_say(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Keep what the person says, and show the next."""
    project = open_project(request, slug, "review_variations")
    item = _item(request, project, pk)
    form = VariationReviewForm(request.POST)
    if not form.is_valid():
        fault = _("Answer both questions with yes or no; a note has at most 2,000 characters.")
        return _shown(request, project, item, {"fault": fault, "kept": request.POST}, status=422)
    said = form.cleaned_data
    try:
        review(
            actor=reader(request),
            item=item,
            meaning_kept=said["meaning"] == "yes",
            category_right=said["category"] == "yes",
            note=said["remark"],
        )
        messages.success(request, _noted(said["meaning"] == "yes", said["category"] == "yes"))
    except Refused as refusal:  # others, or another press, were quicker
        messages.error(request, str(refusal))
    if request.session.get(AGAIN, {}).get("item") == item.pk:
        del request.session[AGAIN]
    return _after(request, project)


@require_POST
def review_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take back the person's newest review, which is that of this item; it is shown again."""
    project = open_project(request, slug, "review_variations")
    item = _item(request, project, pk)
    try:
        last = take_back(actor=reader(request), item=item)
        request.session[AGAIN] = {
            "item": item.pk,
            "meaning": "yes" if last.meaning_kept else "no",
            "category": "yes" if last.category_right else "no",
            "remark": last.note,
        }
        put_off = request.session.get(LATER, [])
        request.session[LATER] = [one for one in put_off if one != item.pk]
        messages.success(request, _("Taken back: it counts nowhere. Review it again."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return _after(request, project)


@require_POST
def review_later(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Put an item off: it comes back after the others."""
    project = open_project(request, slug, "review_variations")
    item = _item(request, project, pk)
    put_off = [one for one in request.session.get(LATER, []) if one != item.pk]
    request.session[LATER] = [*put_off, item.pk][-MOST_LATER:]
    request.session.pop(AGAIN, None)
    messages.success(request, _("Put off: it comes back after the others."))
    return _after(request, project)


def _item(request: HttpRequest, project: Project, pk: int) -> VariationItem:
    found = asked_of(actor=reader(request), project=project, pk=pk)
    if found is None:
        raise Http404(_("Nothing with this number waits for you."))
    found.set.project = found.request.project = project  # whose roles are read already
    return found


def _after(request: HttpRequest, project: Project) -> HttpResponse:
    if by_htmx(request):
        return _next(request, project)
    return redirect("variation-review", project.slug)


def _next(request: HttpRequest, project: Project) -> HttpResponse:
    again: dict[str, Any] = request.session.get(AGAIN, {})
    later = frozenset(request.session.get(LATER, []))
    ahead = look_ahead(actor=reader(request), project=project, first=again.get("item"), later=later)
    if ahead.item is None:
        made = project.variation_sets.filter(state="made").order_by("-number")
        context = {
            "project": project,
            "undo": _undo(request, project),
            "sets": made.values("number", "name")[:5],
            "sees_sets": may(reader(request), "see_results", project).allowed,
        }
        return _render(request, "done", context)
    ahead.item.set.project = ahead.item.request.project = project
    show(actor=reader(request), item=ahead.item)
    more: dict[str, Any] = {"ahead": ahead}
    if again.get("item") == ahead.item.pk:
        more |= {"earlier": again, "kept": {"remark": again["remark"]}}
    return _shown(request, project, ahead.item, more)


def _shown(
    request: HttpRequest,
    project: Project,
    item: VariationItem,
    more: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    context = {
        "project": project,
        "item": item,
        "turns": turns_shown(item.request, []),
        "pieces": compared(item),
        "category": category_of(item.kind),
        "undo": _undo(request, project),
    } | more
    return _render(request, "item", context, status)


def _render(
    request: HttpRequest, what: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    fragment = f"evaluation/suites/_review_{what}.html"
    if by_htmx(request):
        return render(request, fragment, context, status=status)
    page = context | {"fragment": fragment, "whole": True}
    return render(request, "evaluation/suites/review.html", page, status=status)


def _undo(request: HttpRequest, project: Project) -> dict[str, Any] | None:
    """What can be taken back: of which item, and what was said of it."""
    last = last_review(actor=reader(request), project=project)
    if last is None or last.item.variation is None:
        return None
    words = last.item.variation.text.split()
    beginning = " ".join(words[:8]) + (" …" if len(words) > 8 else "")
    said = _noted(last.meaning_kept, last.category_right)
    return {"item": last.item_id, "beginning": beginning, "said": said}


def _noted(meaning: bool, category: bool) -> str:
    if meaning and category:
        return _("Noted: it passes.")
    if meaning:
        return _("Noted: meaning kept, category wrong.")
    if category:
        return _("Noted: meaning lost, category right.")
    return _("Noted: meaning lost, category wrong.")
