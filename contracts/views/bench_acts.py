"""The acts of the bench: each answers with the bench anew."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.access import open_project, reader
from annotation.models import Person, Project
from annotation.services.projects import Refused
from annotation.views.acting import by_htmx, go_to, refused
from contracts.forms import AmbiguityForm, DecisionForm, LinesField, MaterialityForm, value_form
from contracts.models import Adjudication, Contract, Decision
from contracts.services.bench import approving, deciding, opening, returning, waiting
from contracts.views.bench import own_adjudication
from contracts.views.compared import BenchRow, bench_shown

BenchAct = Callable[..., HttpResponse | None]
View = Callable[..., HttpResponse]


def bench_act(act: BenchAct) -> View:
    """Make a POST view of `act(request, project, adjudication)`: the adjudicator's own only,
    refusals as sentences.
    """

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, slug: str, adjudication_id: int) -> HttpResponse:
        project = open_project(request, slug, "adjudicate")
        adjudication = own_adjudication(reader(request), project, adjudication_id)
        try:
            answer = act(request, project, adjudication)
        except Refused as refusal:
            faults = str(refusal).splitlines()
            return refused(request, faults, 422, "bench-request", slug, adjudication_id)
        if answer is not None:
            return answer
        if not by_htmx(request):
            return redirect("bench-request", slug, adjudication_id)
        anew = own_adjudication(reader(request), project, adjudication_id)
        context = {"project": project, "saved": True} | bench_shown(anew)
        return render(request, "contracts/_bench.html", context)

    return view


@bench_act
def bench_decide(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Settle one difference."""
    form = DecisionForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Choose A, B, merge, an edited form, or “no such constraint”."))
    sent = form.cleaned_data
    edited = None
    if sent["take"] == Decision.Take.EDIT:
        edited = _edited(request, adjudication, sent["item"])
    deciding.decide(actor=reader(request), adjudication=adjudication, edited=edited, **sent)


@bench_act
def bench_confirm(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Let a decision stand although a sheet under it changed."""
    item = request.POST.get("item", "")
    deciding.confirm(actor=reader(request), adjudication=adjudication, item=item)


@bench_act
def bench_reason(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Say why the reviewers differed, in one word."""
    item, reason = request.POST.get("item", ""), request.POST.get("reason", "")
    deciding.give_reason(actor=reader(request), adjudication=adjudication, item=item, reason=reason)


@bench_act
def bench_note(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Write a note on a decision that stands."""
    item, note = request.POST.get("item", ""), request.POST.get("note", "")
    deciding.write_note(actor=reader(request), adjudication=adjudication, item=item, note=note)


@bench_act
def bench_rewrites(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Keep the wordings of the whole request, one a line."""
    lines = LinesField(required=False).clean(request.POST.get("rewrites", ""))
    deciding.write_rewrites(actor=reader(request), adjudication=adjudication, rewrites=lines)


@bench_act
def bench_take_all(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Settle all that is undecided as one reviewer has it."""
    side = request.POST.get("side", "")
    deciding.take_all(actor=reader(request), adjudication=adjudication, side=side)


@bench_act
def bench_undo(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Take the last step back."""
    deciding.take_back_last(actor=reader(request), adjudication=adjudication)


@bench_act
def bench_send_back(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Hand a sheet back to its reviewer."""
    side, words = request.POST.get("side", ""), request.POST.get("words", "")
    actor = reader(request)
    returning.send_back(actor=actor, adjudication=adjudication, side=side, words=words)


@bench_act
def bench_as_it_was(request: HttpRequest, project: Project, adjudication: Adjudication) -> None:
    """Wait no longer for a sheet that went back."""
    returning.take_as_it_was(actor=reader(request), adjudication=adjudication)


@bench_act
def bench_later(request: HttpRequest, project: Project, adjudication: Adjudication) -> HttpResponse:
    """Give the request back to the bench."""
    opening.put_down(actor=reader(request), adjudication=adjudication)
    said = _("%(key)s is back on the bench; what you decided is kept.")
    messages.success(request, said % {"key": adjudication.request.key})
    return go_to(request, "bench", project.slug)


@bench_act
def bench_approve(
    request: HttpRequest, project: Project, adjudication: Adjudication
) -> HttpResponse:
    """Approve the contract and go straight to the next request, or to the bench when none waits."""
    contract = approving.approve(actor=reader(request), adjudication=adjudication)
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
    """Open the first waiting request that this person may take; None when none is left. What the
    reviewers agree on comes without them, and what waits for a reviewer can wait.
    """
    for row in waiting.queue(project, person):
        if row.accepted_at is not None or (row.opened and row.opened.sent_back):
            continue
        try:
            return opening.open_adjudication(actor=person, request=row.request)
        except (Refused, PermissionDenied):
            continue  # another adjudicator has it, or this person brought a sheet of it in
    return None


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
