"""The bench: every difference between two sheets shown once and decided with one key."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx, go_to, refused
from contracts.forms import AmbiguityForm, DecisionForm, MaterialityForm, value_form
from contracts.models import Adjudication, Contract, Decision
from contracts.services import adjudication as services
from contracts.views.compared import BenchRow, bench_shown

BenchAct = Callable[..., HttpResponse | None]
View = Callable[..., HttpResponse]


@require_safe
def bench(request: HttpRequest, slug: str) -> HttpResponse:
    """The queue of the adjudicator, and the contracts that they approved."""
    project = open_project(request, slug, "adjudicate")
    person = reader(request)
    holders = dict(
        Adjudication.objects.filter(
            request__project=project, state=Adjudication.State.OPEN
        ).values_list("request_id", "adjudicator_id")
    )
    waiting = [
        {
            "request": item,
            "differences": count,
            "open": holders.get(item.pk) == person.pk,
            "elsewhere": item.pk in holders and holders[item.pk] != person.pk,
        }
        for item, count in services.waiting(project, person)
    ]
    context = {
        "project": project,
        "waiting": waiting,
        "first": next((row for row in waiting if not row["elsewhere"]), None),
        "approved": _approved_by(person, project),
    }
    return render(request, "contracts/bench.html", context)


@require_POST
def bench_open(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Open a request for adjudication, or go on with it."""
    project = open_project(request, slug, "adjudicate")
    item = get_object_or_404(project.requests, pk=request_id)
    try:
        opened = services.open_adjudication(actor=reader(request), request=item)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("bench", slug)
    return redirect("bench-request", slug, opened.pk)


@require_safe
def bench_request(request: HttpRequest, slug: str, adjudication_id: int) -> HttpResponse:
    """The two sheets of one request, side by side."""
    project = open_project(request, slug, "adjudicate")
    adjudication = _own(reader(request), project, adjudication_id)
    if adjudication.contract_id:
        return redirect("contract", slug, adjudication.contract_id)
    context = {"project": project} | bench_shown(adjudication)
    return render(request, "contracts/bench_request.html", context)


def bench_act(act: BenchAct) -> View:
    """Make a POST view of `act(request, project, adjudication)`: the adjudicator's own only,
    refusals as sentences.
    """

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, slug: str, adjudication_id: int) -> HttpResponse:
        project = open_project(request, slug, "adjudicate")
        adjudication = _own(reader(request), project, adjudication_id)
        try:
            answer = act(request, project, adjudication)
        except Refused as refusal:
            faults = str(refusal).splitlines()
            return refused(request, faults, 422, "bench-request", slug, adjudication_id)
        if answer is not None:
            return answer
        if not by_htmx(request):
            return redirect("bench-request", slug, adjudication_id)
        context = {"project": project, "saved": True} | bench_shown(adjudication)
        return render(request, "contracts/_bench.html", context)

    return view


@bench_act
def bench_decide(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Settle one difference."""
    form = DecisionForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Choose A, B, an edited form, or “no such constraint”."))
    sent = form.cleaned_data
    edited = None
    if sent["take"] == Decision.Take.EDIT:
        edited = _edited(request, adjudication, sent["item"])
    services.decide(actor=reader(request), adjudication=adjudication, edited=edited, **sent)


@bench_act
def bench_note(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Write the reason of a decision that stands."""
    item, note = request.POST.get("item", ""), request.POST.get("note", "")
    services.write_note(actor=reader(request), adjudication=adjudication, item=item, note=note)


@bench_act
def bench_take_all(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Settle all that is undecided as one reviewer has it."""
    side = request.POST.get("side", "")
    services.take_all(actor=reader(request), adjudication=adjudication, side=side)


@bench_act
def bench_undo(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Take the last step back."""
    services.take_back_last(actor=reader(request), adjudication=adjudication)


@bench_act
def bench_approve(
    request: HttpRequest, project: Project, adjudication: Adjudication
) -> HttpResponse:
    """Approve the contract and go straight to the next request, or to the bench when none waits."""
    contract = services.approve(actor=reader(request), adjudication=adjudication)
    # `approve` read the state anew: approved means that an earlier press said so already.
    if adjudication.state == Adjudication.State.OPEN:
        messages.success(request, _approved(project, contract))
    following = _next_open(reader(request), project)
    if following is None:
        return go_to(request, "bench", project.slug)
    return go_to(request, "bench-request", project.slug, following.pk)


def _approved(project: Project, contract: Contract) -> SafeString:
    return format_html(
        '{} <a href="{}">{}</a>',
        _("The contract of %(key)s is approved.") % {"key": contract.request},
        reverse("contract", args=[project.slug, contract.pk]),
        _("Read it"),
    )


def _next_open(person: Person, project: Project) -> Adjudication | None:
    """Open the first waiting request that this person may take; None when none is left."""
    for item, _count in services.waiting(project, person):
        try:
            return services.open_adjudication(actor=person, request=item)
        except (Refused, PermissionDenied):
            continue  # another adjudicator has it, or this person brought a sheet of it in
    return None


def _own(person: Person, project: Project, adjudication_id: int) -> Adjudication:
    """The person's own adjudication; one that somebody else opened does not exist for them."""
    found = (
        Adjudication.objects.filter(request__project=project, adjudicator=person)
        .select_related("request__project", "request__request_class", "sheet_a", "sheet_b")
        .prefetch_related("request__turns", "sheet_a__constraints", "sheet_b__constraints")
        .filter(pk=adjudication_id)
        .first()
    )
    if found is None:
        raise Http404("There is no such adjudication, or it is not yours.")
    return found


def _approved_by(person: Person, project: Project) -> list[Contract]:
    return list(
        Contract.objects.filter(request__project=project, adjudication__adjudicator=person)
        .select_related("request__request_class")
        .order_by("-approved_at", "-pk")
    )


def _edited(request: HttpRequest, adjudication: Adjudication, item: str) -> dict[str, Any]:
    """What the edit form of a row says; its faults are refused as sentences."""
    row = next((r for r in _rows(adjudication) if r.difference.item == item), None)
    if row is None or row.difference.agreed:
        raise Refused(_("There is no such difference between the two sheets."))
    if row.form is None:
        mark = AmbiguityForm(request.POST)
        # Readings belong to the mark: without it there are none.
        return mark.cleaned_data if mark.is_valid() and mark.cleaned_data["unresolved"] else {}
    form = value_form(row.form.constraint, adjudication.request.texts, request.POST)
    materiality = MaterialityForm(request.POST)
    if not form.is_valid() or not materiality.is_valid():
        raise Refused("\n".join([*form.sentences(), *materiality.errors.get("materiality", [])]))
    return {
        "value": form.typed_value(),
        "admissible": form.typed_admissible(),
        **materiality.cleaned_data,
    }


def _rows(adjudication: Adjudication) -> list[BenchRow]:
    rows: list[BenchRow] = bench_shown(adjudication)["rows"]
    return rows
