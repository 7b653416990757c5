"""Twins and controls: what there is against what is wanted, and one approved pair."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.permissions import may
from annotation.views.paging import page_of
from contracts.coverage import coverage
from contracts.models import CONTROL, FAMILIES, Contract, Control, TwinDraft, TwinPair
from contracts.services.twins.approving import why_not_by
from contracts.services.twins.checking import said_of
from contracts.services.twins.sides import side_of
from contracts.terms import ContractTerms
from contracts.twin_forms import FAMILY_LABELS
from contracts.twins import faults_of_pair
from contracts.views.twins_shown import compared, expose_requests, side_shown, turns_compared
from contracts.word_diff import Piece, word_diff

FIRST = 20  # controls beside the pairs; the filter shows all of them
ALL_FAMILIES = (*FAMILIES, CONTROL)


@require_safe
def twins(request: HttpRequest, slug: str) -> HttpResponse:
    """Coverage, the pairs and controls, and the drafts that are the reader's or wait for them."""
    project = open_project(request, slug, "build_twins")
    person = reader(request)
    classes = list(project.request_classes.order_by("name").values_list("name", flat=True))
    family, chosen = request.GET.get("family", ""), request.GET.get("class", "")
    controls = project.controls.filter(_of_class(chosen)).select_related("base__request_class")
    page = page_of(request, controls if family == CONTROL else _pairs(project, family, chosen))
    context = {
        "project": project,
        "families": [(name, FAMILY_LABELS[name]) for name in ALL_FAMILIES],
        "classes": classes,
        "family": family,
        "chosen": chosen,
        "coverage": coverage(project),
        "page": page,
        "pairs": [] if family == CONTROL else [_listed(pair) for pair in page],
        "controls": page if family == CONTROL else [] if family else controls[:FIRST],
        "more_controls": not family and controls.count() > FIRST,
        "contracts": Contract.objects.filter(request__project=project).exists(),
        "empty": not (project.twin_pairs.exists() or project.controls.exists()),
        "may_import": may(person, "import", project).allowed,
    }
    return render(request, "contracts/twins.html", context | _drafts(person, project))


@require_safe
def twin(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """One pair, or one control, as it stands."""
    project = open_project(request, slug, "build_twins")
    rows = project.twin_pairs.select_related(
        *("base__request_class", "base__project", "twin__project", "twin__request_class"),
        *("made_by", "approved_by"),
    )
    pair = rows.filter(key=key).first()
    if pair is not None:
        expose_requests(reader(request), project, pair.base, pair.twin)
        return render(request, "contracts/twin.html", {"project": project} | _pair_shown(pair))
    control = project.controls.select_related(
        *("base__request_class", "base__project", "made_by", "approved_by")
    )
    found = control.filter(key=key).first()
    if found is None:
        raise Http404("There is no such pair or control.")
    context = {"project": project, "control": found, "stands": found}
    return render(request, "contracts/twin.html", context | {"texts": _expanded(found)})


def _pairs(project: Project, family: str, chosen: str) -> QuerySet[TwinPair]:
    rows = TwinPair.objects.filter(project=project).filter(_of_class(chosen))
    if family:
        rows = rows.filter(family=family)
    rows = rows.select_related("base__request_class", "base__project", "twin").order_by("key")
    return rows.prefetch_related("base__turns", "twin__turns")


def _of_class(chosen: str) -> Q:
    return Q(base__request_class__name=chosen) if chosen else Q()


def _listed(pair: TwinPair) -> dict[str, Any]:
    """A pair with the turn in which it differs, named where it is not the current text."""
    turns = turns_compared(pair.base, pair.twin.texts)
    shown = next((turn for turn in turns if turn.pieces), turns[-1])
    return {
        "pair": pair,
        "family": FAMILY_LABELS[pair.family],
        "pieces": shown.pieces or word_diff(shown.text, shown.text),
        "speaker": "" if shown.current else shown.speaker,
    }


def _drafts(person: Person, project: Project) -> dict[str, Any]:
    """The reader's own drafts, and those of others that wait for a decision."""
    turns = ("base__request__turns", "base__request__project")
    waiting = TwinDraft.objects.waiting(project).exclude(author=person).prefetch_related(*turns)
    own = TwinDraft.objects.of(person, project).prefetch_related(*turns)
    return {
        "drafts": [(draft, FAMILY_LABELS[draft.family], _changed(draft)) for draft in own],
        "deleted": list(TwinDraft.objects.deleted_by(person, project)),
        "waiting": [
            (draft, FAMILY_LABELS[draft.family], why_not_by(person, draft), _changed(draft))
            for draft in waiting
        ]
        if may(person, "approve_twins", project).allowed
        else [],
    }


def _changed(draft: TwinDraft) -> tuple[Piece, ...]:
    """The first turn that the draft changes, word by word (of a control, its first text); empty
    where it changes none yet.
    """
    if draft.is_control:
        return word_diff(draft.base.request.text, draft.accepts[0]) if draft.accepts else ()
    turns = turns_compared(draft.base.request, draft.texts)
    return next((turn.pieces for turn in turns if turn.pieces), ())


def _pair_shown(pair: TwinPair) -> dict[str, Any]:
    """Both sides, their difference, and what the checks say of them today."""
    contracts = {
        contract.request_id: contract
        for contract in Contract.objects.current(pair.project).filter(
            Q(request=pair.base) | Q(request=pair.twin)
        )
    }
    base, other = contracts.get(pair.base_id), contracts.get(pair.twin_id)
    shown: dict[str, Any] = {
        "pair": pair,
        "stands": pair,
        "family": FAMILY_LABELS[pair.family],
        "sides": [
            side_shown(_("base"), pair.base, base),
            side_shown(_("twin"), pair.twin, other),
        ],
    }
    terms = (base.terms, other.terms) if base and other else (ContractTerms(), ContractTerms())
    shown |= compared(pair.base, terms[0], pair.twin.texts, terms[1], pair.constraint)
    if base and other:
        sides = side_of(pair.base, terms[0]), side_of(pair.twin, terms[1])
        reasons = pair.reasons or {}
        shown["faults"] = [
            (said_of(fault), reasons.get(fault.code, ""))
            for fault in faults_of_pair(pair.family, pair.constraint, *sides)
        ]
    return shown | {"both": bool(base and other)}


def _expanded(control: Control) -> list[Any]:
    return [word_diff(control.base.text, text) for text in control.accepts]
