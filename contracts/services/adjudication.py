"""Adjudication: two sealed Sheets, each difference decided once, one Contract."""

from dataclasses import replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.canonical import content_hash
from annotation.desk import WORK_KINDS
from annotation.models import Person, Project, Request, Seat
from annotation.needs import seat_numbers, with_free_seats
from annotation.permissions import may, require
from annotation.services import ledger, seats
from annotation.services.exposure import expose
from annotation.services.projects import Refused, lock
from contracts.checking import faults_of_constraint, faults_of_terms
from contracts.differences import AMBIGUITY, Difference, differences
from contracts.models import Adjudication, Contract, Decision, Gold, Sheet
from contracts.services.approval import record_contract
from contracts.services.sheets import left_out
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span

State = Adjudication.State


def requests_annotated_by(person: Person) -> QuerySet[Request]:
    """Requests of which the person holds, held or sealed annotations."""
    return Request.objects.filter(
        Q(sheets__annotator=person)
        | Q(seats__holder=person, seats__kind="sheet")
        | Q(human_rewrites__author=person)
    )


def waiting(project: Project, person: Person) -> list[tuple[Request, int]]:
    """Requests with enough sealed sheets and no contract that this person may adjudicate, each
    with the number of
    differences: those with critical differences first, then by number, then in the requests' order.

    Requests that an adjudicator has open stay among them until their contract is approved.
    """
    wanted = sheets_wanted(project)
    found = Sheet.objects.by_request(project).filter(request__contracts=None)
    by_request: dict[int, list[Sheet]] = {}
    for sheet in (
        found.exclude(request__in=requests_annotated_by(person))
        .exclude(request__in=_closed_to_annotators(project, person))
        .exclude(request__gold__isnull=False)
        .exclude(pk__in=left_out(project))
        .select_related("request__request_class")
        .prefetch_related("constraints")
        .order_by("request__position", "pk")
    ):
        by_request.setdefault(sheet.request_id, []).append(sheet)
    rows = []
    for sheets in by_request.values():
        if len(sheets) >= wanted:
            a, b = sheets[:2]
            rows.append((sheets[0].request, differences(a.terms, b.terms)))
    rows.sort(key=lambda row: (-sum(d.critical for d in row[1]), -_open(row[1]), row[0].position))
    return [(request, _open(found)) for request, found in rows]


def sheets_wanted(project: Project) -> int:
    """How many sealed sheets an adjudication waits for."""
    return max(2, project.reviewers_per_request)


def _open(found: list[Difference]) -> int:
    return sum(not difference.agreed for difference in found)


def _closed_to_annotators(project: Project, person: Person) -> QuerySet[Request]:
    """What somebody who also annotates is told nothing of: requests of which they may still get a
    sheet, or whose sheets are not all sealed. None for whoever does not annotate.
    """
    if not may(person, "annotate", project).allowed:
        return Request.objects.none()
    kind = WORK_KINDS["sheet"]
    numbers = seat_numbers(kind, project)
    mine = with_free_seats(kind.open_to(project, person), kind, project, numbers).values("pk")
    at_work = Seat.objects.filter(project=project, kind=kind.name, state=Seat.State.HELD)
    return project.requests.filter(Q(pk__in=mine) | Q(pk__in=at_work.values("request")))


@transaction.atomic
def open_adjudication(*, actor: Person, request: Request) -> Adjudication:
    """Open the request for the actor: freezes the two sheets, hides who wrote which, and says so
    in the ledger.
    """
    require(actor, "adjudicate", request.project)
    if requests_annotated_by(actor).filter(pk=request.pk).exists():
        raise PermissionDenied(
            _("You annotated this request, so somebody else must adjudicate it.")
        )
    if request.project.ledger.filter(
        kind="sheet.sealed", subject=request.key, actor=actor
    ).exists():
        raise PermissionDenied(
            _("You brought in a sheet of this request, so somebody else must adjudicate it.")
        )
    if _closed_to_annotators(request.project, actor).filter(pk=request.pk).exists():
        raise PermissionDenied(_("This request does not wait on the bench for you."))
    if Gold.objects.filter(request=request).exists():
        raise Refused(_("The contract of this request is known: there is nothing to settle."))
    lock(request.project)
    current = Adjudication.objects.filter(request=request, state=State.OPEN).first()
    if current:
        if current.adjudicator_id != actor.pk:
            raise Refused(_("Another adjudicator has this request open."))
        return current
    if request.contracts.exists():
        raise Refused(_("This request has its contract already."))
    blind = Sheet.objects.sealed_for(request).exclude(pk__in=left_out(request.project))
    sheets, wanted = list(blind), sheets_wanted(request.project)
    if len(sheets) < wanted:
        raise Refused(
            _("%(done)d of %(wanted)d sheets are sealed: wait for the others.")
            % {"done": len(sheets), "wanted": wanted}
        )
    sheets = sheets[:2]
    # Which sheet is A is decided by a hash, so that the place says nothing about the person.
    if int(content_hash([request.sha256, *(s.sha256 for s in sheets)]), 16) % 2:
        sheets.reverse()
    adjudication = Adjudication.objects.create(
        request=request, adjudicator=actor, sheet_a=sheets[0], sheet_b=sheets[1]
    )
    seats.mark_read(seats=request.seats.filter(sheets__in=sheets))
    expose(person=actor, project=request.project, subject=request.key, what="sheets")
    ledger.record(
        project=request.project,
        kind="adjudication.opened",
        subject=request.key,
        content={"sheets": [s.sha256 for s in sheets]},
        actor=actor,
    )
    return adjudication


def rows_of(adjudication: Adjudication) -> list[tuple[Difference, Decision | None]]:
    """Every row of the bench in order, each with its decision if there is one."""
    decided = {d.item: d for d in adjudication.decisions.all()}
    found = differences(adjudication.sheet_a.terms, adjudication.sheet_b.terms)
    return [(difference, decided.get(difference.item)) for difference in found]


def undecided(adjudication: Adjudication) -> list[Difference]:
    return [d for d, decision in rows_of(adjudication) if not d.agreed and decision is None]


@transaction.atomic
def decide(
    *,
    actor: Person,
    adjudication: Adjudication,
    item: str,
    take: str,
    edited: dict[str, Any] | None = None,
    note: str = "",
) -> Decision:
    """Settle one difference; deciding it again replaces the decision until the contract is
    approved.
    """
    _own_open(actor, adjudication)
    difference = next((d for d, _made in rows_of(adjudication) if d.item == item), None)
    if difference is None or difference.agreed:
        raise Refused(_("There is no such difference between the two sheets."))
    result = _result(adjudication, difference, take, edited)
    decision, _created = Decision.objects.update_or_create(
        adjudication=adjudication,
        item=item,
        defaults={"take": take, "result": result, "note": note.strip()},
    )
    return decision


@transaction.atomic
def take_back(*, actor: Person, adjudication: Adjudication, item: str) -> None:
    """Undo one decision."""
    _own_open(actor, adjudication)
    adjudication.decisions.filter(item=item).delete()


@transaction.atomic
def take_all(*, actor: Person, adjudication: Adjudication, side: str) -> int:
    """Settle every undecided difference as one reviewer has it, as one step; return how many
    there were.
    """
    _own_open(actor, adjudication)
    open_rows = undecided(adjudication)
    for difference in open_rows:
        has = (difference.a if side == Decision.Take.A else difference.b) is not None
        take = side if has else Decision.Take.REJECT
        decide(actor=actor, adjudication=adjudication, item=difference.item, take=take)
    items = [difference.item for difference in open_rows]
    adjudication.decisions.filter(item__in=items).update(decided_at=timezone.now())
    return len(items)


@transaction.atomic
def take_back_last(*, actor: Person, adjudication: Adjudication) -> None:
    """Undo the last step: one decision, or all that were taken together."""
    _own_open(actor, adjudication)
    last = adjudication.decisions.order_by("-decided_at").first()
    if last is None:
        raise Refused(_("There is no decision to undo."))
    adjudication.decisions.filter(decided_at=last.decided_at).delete()


@transaction.atomic
def write_note(*, actor: Person, adjudication: Adjudication, item: str, note: str) -> None:
    """Give a decision its reason; the decision and its place in the order of steps stay as
    they are.
    """
    _own_open(actor, adjudication)
    if not adjudication.decisions.filter(item=item).update(note=note.strip()):
        raise Refused(_("Decide this difference before you write a note on it."))


@transaction.atomic
def approve(*, actor: Person, adjudication: Adjudication) -> Contract:
    """Turn the decisions into the Contract; refused, naming it, while a difference is undecided."""
    lock(adjudication.request.project)
    adjudication.refresh_from_db()
    if adjudication.state == State.APPROVED and adjudication.adjudicator_id == actor.pk:
        return Contract.objects.get(adjudication=adjudication)
    _own_open(actor, adjudication)
    if adjudication.request.contracts.exists():
        raise Refused(_("A contract of this request came in meanwhile: it stands as it is."))
    open_rows = undecided(adjudication)
    if open_rows:
        raise Refused(
            ngettext(
                "%(count)d difference is undecided: it is about %(kind)s.",
                "%(count)d differences are undecided, the first is about %(kind)s.",
                len(open_rows),
            )
            % {"count": len(open_rows), "kind": open_rows[0].kind}
        )
    terms = settled_terms(adjudication)
    faults = faults_of_terms(terms, adjudication.request.texts)
    if faults:
        raise Refused("\n".join(faults))
    contract = record_contract(
        actor=actor,
        request=adjudication.request,
        terms=terms,
        annotators=[adjudication.sheet_a.annotator, adjudication.sheet_b.annotator],
        adjudicator=actor,
    )
    moved = Adjudication.objects.filter(pk=adjudication.pk, state=State.OPEN).update(
        state=State.APPROVED, contract=contract
    )
    if not moved:
        raise Refused(_("This adjudication was closed meanwhile."))
    return contract


def settled_terms(adjudication: Adjudication) -> ContractTerms:
    """What the sheets agree on together with what was decided, ids given anew in the order of the
    words.
    """
    constraints: list[ConstraintTerms] = []
    ambiguity = Ambiguity()
    for difference, decision in rows_of(adjudication):
        if difference.item == AMBIGUITY:
            mark = (decision.result if decision else None) or difference.a
            ambiguity = Ambiguity(mark["unresolved"], tuple(mark["readings"]))
        elif difference.agreed:
            constraints.append(difference.a)
        elif decision is not None and decision.result is not None:
            constraints.append(ConstraintTerms.from_json(decision.result))
    ordered = sorted(constraints, key=_by_words)
    return ContractTerms(
        tuple(replace(c, id=f"c{n}") for n, c in enumerate(ordered, start=1)), ambiguity
    )


def _result(
    adjudication: Adjudication,
    difference: Difference,
    take: str,
    edited: dict[str, Any] | None,
) -> dict[str, Any] | None:
    if take == Decision.Take.REJECT:
        if difference.item == AMBIGUITY:
            return Ambiguity().to_json()
        return None
    if take == Decision.Take.EDIT:
        return _edited(adjudication, difference, edited or {})
    if take not in (Decision.Take.A, Decision.Take.B):
        raise Refused(_("Choose A, B, an edited form, or “no such constraint”."))
    side = difference.a if take == Decision.Take.A else difference.b
    if side is None:
        raise Refused(_("That reviewer has no such constraint: choose “no such constraint”."))
    settled: dict[str, Any] = side if difference.item == AMBIGUITY else side.to_json()
    return settled


def _edited(
    adjudication: Adjudication, difference: Difference, edited: dict[str, Any]
) -> dict[str, Any]:
    if difference.item == AMBIGUITY:
        return Ambiguity(
            bool(edited.get("unresolved")), tuple(edited.get("readings") or ())
        ).to_json()
    base: ConstraintTerms = difference.a or difference.b
    constraint = ConstraintTerms.from_json({**base.to_json(), **edited})
    faults = faults_of_constraint(constraint, adjudication.request.texts)
    if faults:
        raise Refused("\n".join(faults))
    return constraint.to_json()


def _own_open(actor: Person, adjudication: Adjudication) -> None:
    """Refuse unless the actor has it open now; holds it until the caller's transaction ends."""
    now = Adjudication.objects.select_for_update().get(pk=adjudication.pk)
    if now.adjudicator_id != actor.pk:
        raise PermissionDenied(_("Another adjudicator has this request open."))
    if now.state != State.OPEN:
        raise Refused(_("The contract is approved: its decisions no longer change."))


def _by_words(c: ConstraintTerms) -> tuple[int, int, int, str]:
    span = c.span or Span(10**6, 0, 0)
    return (span.turn, span.start, span.end, c.kind)
