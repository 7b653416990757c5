"""The pages on which people judge constraints: one item at a time, blind to arm, run and judge."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx
from evaluation.forms import JudgementForm
from evaluation.item_numbers import number_of, pk_of
from evaluation.models import Judgement
from evaluation.reports.judging.page import CHOICES_SHOWN, item_shown
from evaluation.reports.judging.queue import judging_of
from evaluation.reports.matrix.shown import WORDS, phrase
from evaluation.services.judgements import (
    NoFilter,
    asked_of,
    finished_runs,
    look_ahead,
    row_of,
    settle,
    show,
)
from evaluation.services.showing import withheld_runs
from evaluation.services.taking_back import earlier_word, last_word, take_back

SHOWN_RUNS = 5  # whose answers can be judged from here
LATER = "judged later"  # in the session: the items that were put off last
MOST_LATER = 20


@require_safe
def judgements(request: HttpRequest, slug: str) -> HttpResponse:
    """What judging is, how much waits, and how far each run is."""
    project = open_project(request, slug, "judge")
    return render(request, "evaluation/judgements.html", _state(request, project))


@require_safe
def judgement_next(request: HttpRequest, slug: str) -> HttpResponse:
    """One item that waits; nothing on the page tells which arm or run it is of."""
    return _next(request, open_project(request, slug, "judge"))


@require_POST
def judgement_settle(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Record what the person decided, and show the next."""
    project = open_project(request, slug, "judge")
    found = _item(request, project, pk)
    form = JudgementForm(request.POST)
    if not form.is_valid():
        fault = _("Choose one of the four words; a note has at most 2,000 characters.")
        return _again(request, project, found, fault)
    said = form.cleaned_data
    try:
        settle(actor=reader(request), judgement=found, outcome=said["outcome"], note=said["note"])
        noted = _("Noted: “%(phrase)s” is %(word)s.")
        told = {"phrase": phrase(found.constraint), "word": WORDS[said["outcome"]]}
        messages.success(request, noted % told)
    except NoFilter as refusal:
        return _again(request, project, found, str(refusal))
    except (Refused, PermissionDenied) as refusal:  # another person, or another press, was quicker
        messages.error(request, str(refusal))
    return _after(request, project)


@require_POST
def judgement_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take back the person's newest word, which is that on this item; it is shown again."""
    project = open_project(request, slug, "judge")
    found = _item(request, project, pk)
    try:
        take_back(actor=reader(request), judgement=found)
        put_off = request.session.get(LATER, [])
        request.session[LATER] = [one for one in put_off if one != found.pk]
        messages.success(request, _("Taken back: it counts nowhere. Judge it again."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return _after(request, project)


@require_POST
def judgement_later(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Put an item off: it comes back after the others."""
    project = open_project(request, slug, "judge")
    found = _item(request, project, pk)
    put_off = [one for one in request.session.get(LATER, []) if one != found.pk]
    request.session[LATER] = [*put_off, found.pk][-MOST_LATER:]
    messages.success(request, _("Put off: it comes back after the others."))
    return _after(request, project)


def _item(request: HttpRequest, project: Project, number: int) -> Judgement:
    pk = pk_of(number, reader(request))
    found = pk and asked_of(actor=reader(request), project=project, pk=pk)
    if not found:
        raise Http404(_("Nothing with this number waits for you."))
    return found


def _after(request: HttpRequest, project: Project) -> HttpResponse:
    return _next(request, project) if by_htmx(request) else redirect("judgement-next", project.slug)


def _next(request: HttpRequest, project: Project) -> HttpResponse:
    later = frozenset(request.session.get(LATER, []))
    ahead = look_ahead(actor=reader(request), project=project, later=later)
    if ahead.judgement is None:
        page = "_judgements_done" if by_htmx(request) else "judgements_done"
        context = _state(request, project) | {"undo": _undo(request, project)}
        return render(request, f"evaluation/{page}.html", context)
    show(actor=reader(request), judgement=ahead.judgement)
    return _shown(request, project, ahead.judgement, {"ahead": ahead})


def _again(request: HttpRequest, project: Project, found: Judgement, fault: str) -> HttpResponse:
    more: dict[str, object] = {"fault": fault, "kept": request.POST.get("note", "")}
    return _shown(request, project, found, more, status=422)


def _shown(
    request: HttpRequest,
    project: Project,
    found: Judgement,
    more: dict[str, object],
    status: int = 200,
) -> HttpResponse:
    person = reader(request)
    earlier = earlier_word(actor=person, judgement=found)
    context = {
        "project": project,
        "item": item_shown(found, number_of(found.pk, person)),
        "choices": CHOICES_SHOWN,
        "earlier": earlier,
        "note": more.get("kept", earlier.why if earlier else ""),
        "undo": _undo(request, project),
    } | more
    page = "_judgement" if by_htmx(request) else "judgement"
    return render(request, f"evaluation/{page}.html", context, status=status)


def _undo(request: HttpRequest, project: Project) -> dict[str, object] | None:
    """What can be taken back: under which number, and what was said of which words."""
    word = last_word(actor=reader(request), project=project)
    if word is None:
        return None
    number = number_of(row_of(word).pk, reader(request))
    return {
        "number": number,
        "phrase": phrase(word.constraint),
        "outcome": word.judgement,
        "word": WORDS[word.judgement],
    }


def _state(request: HttpRequest, project: Project) -> dict[str, object]:
    """What waits for the reader, and where they can go from here."""
    person, runs = reader(request), finished_runs(project)
    unseen = withheld_runs(actor=person, project=project)
    ahead = look_ahead(actor=person, project=project)
    listed = judging_of(actor=person, project=project)
    return {
        "project": project,
        # Of the listed runs all are counted; older ones may have more.
        "waiting": max(ahead.left, sum(one.mine for one in listed)),
        "runs": listed,
        "answered": [run for run in runs if run.pk not in unseen][:SHOWN_RUNS],
    }
