"""Beginning a twin: a contract is picked, one of its constraints, and what is proposed for it."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.services.projects import Refused
from annotation.views.paging import page_of
from contracts.models import CONTROL, Contract, TwinPair
from contracts.services.twins import drafting
from contracts.services.twins.checking import LONGEST_FIND, paired_texts
from contracts.twin_forms import FAMILY_LABELS
from contracts.twins import Flip, expansions
from contracts.views.shown import row_shown, terms_shown
from contracts.views.twins_shown import expose_requests
from contracts.word_diff import word_diff


@require_safe
def twin_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Pick a contract, then one of its constraints, then a proposal."""
    project = open_project(request, slug, "build_twins")
    key = request.GET.get("request", "")
    if not key:
        return _pick(request, project)
    contract = _contract(project, key)
    expose_requests(reader(request), project, contract.request)
    critical = [c.id for c in contract.terms.constraints if c.critical]
    flips = drafting.flips_by_constraint(contract, critical)
    offered = [*critical, CONTROL]
    chosen = request.GET.get("constraint", "")
    if chosen not in offered:  # the first for which something is proposed
        chosen = next((one for one in critical if flips[one]), offered[0])
    context: dict[str, Any] = {
        "project": project,
        "contract": contract,
        "chosen": chosen,
        "following": offered[(offered.index(chosen) + 1) % len(offered)],
    }
    context |= terms_shown(contract.request, contract.terms)
    context["choices"] = [(row, len(flips.get(row.constraint.id, ()))) for row in context["rows"]]
    context |= _controls(contract) if chosen == CONTROL else _proposals(contract, flips[chosen])
    return render(request, "contracts/twin_new.html", context)


@require_POST
def twin_begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a draft from one proposal, or in one's own words."""
    project = open_project(request, slug, "build_twins")
    contract = _contract(project, request.POST.get("request", ""))
    constraint, flip = request.POST.get("constraint", ""), request.POST.get("flip", "")
    actor = reader(request)
    try:
        if constraint == CONTROL:
            proposed = expansions(contract.request.texts, contract.terms)
            accepts = [text for text in proposed if text in request.POST.getlist("accepts")]
            begun = drafting.begin_control(actor=actor, contract=contract, accepts=accepts)
        else:
            named = {drafting.flip_id(one): one for one in drafting.flips_of(contract, constraint)}
            if flip and flip not in named:
                raise Refused(_("This is not proposed any more: choose another."))
            begun = drafting.begin(
                actor=actor,
                contract=contract,
                constraint=constraint,
                flip=named[flip] if flip else None,
            )
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("twins", slug)
    return redirect("twin-draft", slug, begun.public_id)


def _contract(project: Project, key: str) -> Contract:
    rows = Contract.objects.current(project).filter(request__key=key)
    found = rows.select_related("request__request_class", "request__project").first()
    if found is None:
        raise Http404("There is no contract of such a request.")
    return found


def _pick(request: HttpRequest, project: Project) -> HttpResponse:
    """The contracts of the project, by class."""
    classes = list(project.request_classes.order_by("name").values_list("name", flat=True))
    chosen = request.GET.get("class", "")
    find = request.GET.get("find", "").strip()[:LONGEST_FIND]
    rows = Contract.objects.current(project).select_related("request__request_class")
    if chosen:
        rows = rows.filter(request__request_class__name=chosen)
    if find:
        rows = rows.filter(Q(request__key__icontains=find) | Q(request__text__icontains=find))
    page = page_of(request, rows.order_by("request__position", "request_id"))
    pairs = _pairs_of(project, [contract.request_id for contract in page])
    context = {
        "project": project,
        "classes": classes,
        "chosen": chosen,
        "find": find,
        "page": page,
        "rows": [(contract, pairs[contract.request_id]) for contract in page],
    }
    return render(request, "contracts/twin_pick.html", context)


def _pairs_of(project: Project, requests: list[int]) -> Counter[int]:
    """In how many pairs each of these requests is, on either side."""
    rows = TwinPair.objects.filter(project=project)
    rows = rows.filter(Q(base__in=requests) | Q(twin__in=requests))
    return Counter(key for row in rows.values_list("base_id", "twin_id") for key in row)


def _proposals(contract: Contract, flips: tuple[Flip, ...]) -> dict[str, Any]:
    """What is proposed for one constraint, each with the words that it changes."""
    texts, paired = contract.request.texts, paired_texts(contract.request)
    proposals = [
        {
            "id": drafting.flip_id(flip),
            "flip": flip,
            "family": FAMILY_LABELS[flip.family],
            "turns": [
                word_diff(here, there)
                for here, there in zip(texts, flip.texts, strict=True)
                if here != there
            ],
            "phrase": next(
                row_shown(1, c, flip.texts).phrase
                for c in flip.terms.constraints
                if c.id == flip.constraint
            ),
            "pair": paired.get(flip.texts, ""),
            "readings": flip.terms.ambiguity.readings,
        }
        for flip in flips
    ]
    new = next((one["id"] for one in proposals if not one["pair"]), "")
    return {"proposals": proposals, "first_new": new}


def _controls(contract: Contract) -> dict[str, Any]:
    asked = contract.request.text
    found = expansions(contract.request.texts, contract.terms)
    return {"expansions": [(text, word_diff(asked, text)) for text in found]}
