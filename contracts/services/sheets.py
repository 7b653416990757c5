"""Sheets: the draft that grows on a seat, and its sealing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Person, Project, Request, Seat
from annotation.services import consent, drafts, exposure, ledger, seats
from annotation.services.drafts import Sent
from annotation.services.projects import Refused
from contracts.checking import TermsFault, terms_faults, unnamed_referents
from contracts.models import Admission, Constraint, Sheet
from contracts.prefill import first_value
from contracts.services.bench.returning import take_in
from contracts.terms import KINDS, Ambiguity, ConstraintTerms, ContractTerms, Span
from contracts.values import complete_value


class NotSealable(Refused):
    """The draft has faults; `faults` has the constraint and the field of each."""

    def __init__(self, faults: list[TermsFault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


def drafted(seat: Seat, sent: Sent | None = None) -> ContractTerms:
    """Return what the seat's draft says so far, or said when the page read it."""
    draft = seat.draft if sent is None else drafts.draft_at(seat, sent.version)
    return ContractTerms.from_json(draft or {})


def add_constraint(
    *, seat: Seat, kind: str, span: Span, sent: Sent, words: str | None = None
) -> tuple[Seat, str]:
    """Mark words as a constraint of a kind; return the seat and the new constraint's id.

    Blanks at both ends are left out of the span. `words` is what the page showed there: it must be
    the stored text.
    """
    texts = seat.request.texts
    if kind not in KINDS:
        raise Refused(_("“%(kind)s” is not a kind of constraint.") % {"kind": kind})
    inside = 0 <= span.turn < len(texts) and 0 <= span.start < span.end <= len(texts[span.turn])
    if not inside:
        raise Refused(_("The marked words lie outside the request. Mark them again."))
    stored = texts[span.turn][span.start : span.end]
    if not stored.strip():
        raise Refused(_("Only blanks are marked. Mark the words."))
    if words is not None and words != stored:
        raise Refused(
            _("The marked words are not those of the request. Reload and mark them again.")
        )
    terms = drafted(seat, sent)
    said = first_value(kind, stored, request_texts=texts, reference_date=seat.request.asked_on)
    new = ConstraintTerms(
        id=_free_id(terms),
        kind=kind,
        materiality="critical",
        value=complete_value(kind, said),
        span=_without_blanks(span, stored),
    )
    return _save(seat, replace(terms, constraints=(*terms.constraints, new)), sent), new.id


def change_constraint(
    *, seat: Seat, key: str, value: dict[str, Any], admissible: list[str], sent: Sent
) -> Seat:
    """Replace the value and the admissible forms of one constraint of the draft."""
    terms = drafted(seat, sent)
    changed = tuple(
        replace(c, value=complete_value(c.kind, value), admissible=tuple(admissible))
        if c.id == key
        else c
        for c in terms.constraints
    )
    return _save(seat, replace(terms, constraints=changed), sent, typed=True)


def toggle_materiality(*, seat: Seat, key: str, sent: Sent) -> Seat:
    """Turn critical into minor and back."""
    terms = drafted(seat, sent)
    changed = tuple(
        replace(c, materiality="minor" if c.critical else "critical") if c.id == key else c
        for c in terms.constraints
    )
    return _save(seat, replace(terms, constraints=changed), sent)


def remove_constraint(*, seat: Seat, key: str, sent: Sent) -> Seat:
    terms = drafted(seat, sent)
    kept = tuple(c for c in terms.constraints if c.id != key)
    return _save(seat, replace(terms, constraints=kept), sent)


def set_ambiguity(*, seat: Seat, unresolved: bool, readings: list[str], sent: Sent) -> Seat:
    """Mark that the right reply is a question, with the readings that a person might mean. The
    draft keeps the readings of a mark that was taken back; a sealed sheet does not.
    """
    terms = drafted(seat, sent)
    mark = Ambiguity(unresolved, tuple(readings))
    ticked = mark.unresolved != terms.ambiguity.unresolved
    return _save(seat, replace(terms, ambiguity=mark), sent, typed=not ticked)


def seal_sheet(*, actor: Person, seat: Seat, sent: Sent | None = None) -> Sheet:
    """Seal the draft as this person's Sheet; from here on it never changes. A second call returns
    the same Sheet. With `sent`, a draft newer than the page showed raises StaleDraft.

    Who was shown something of the request since they took the seat is no longer blind: the seat
    goes back to the pool.
    """
    if seat.state != Seat.State.HELD and (done := _sealed(actor, seat)):
        return done
    if _saw_more(actor, seat):
        seats.release(seat=seat, why=Seat.Why.CLOSED)
        raise Refused(
            _("You were shown more of this request than a reviewer may see: another takes it.")
        )
    if sent is not None and sent.version != seat.draft_version:
        raise drafts.stale(seat, sent)
    terms = drafted(seat)
    faults = terms_faults(terms, seat.request.texts) + unnamed_referents(terms)
    if faults:
        raise NotSealable(faults)
    if not terms.ambiguity.unresolved:
        terms = replace(terms, ambiguity=Ambiguity())
    try:
        with transaction.atomic():
            seats.submit(seat=seat)
            sealed = record_sheet(actor=actor, annotator=seat.holder, seat=seat, terms=terms)
            take_in(sealed)
            return sealed
    except seats.NotHeld:
        if done := _sealed(actor, seat):  # the first of two presses was faster
            return done
        raise


def _sealed(actor: Person, seat: Seat) -> Sheet | None:
    return Sheet.objects.standing().filter(seat=seat, annotator=actor).first()


def retract_sheet(actor: Person, seat: Seat) -> None:
    """Take the sealed sheet back; the row stays, marked. Call inside the retracting transaction."""
    if _saw_more(actor, seat):
        raise Refused(_("You were shown more of this request since you sealed it."))
    if consent.needed(actor, seat.project):
        raise Refused(_("Agree to the terms of this study first."))
    if seat.request.adjudications.exists() or seat.request.contracts.exists():
        raise Refused(_("It was taken to the bench already."))
    Sheet.objects.standing().filter(seat=seat).update(retracted_at=timezone.now())


def _saw_more(person: Person, seat: Seat) -> bool:
    """Whether the person was shown more of the request than a reviewer may see, or has a seat on
    which its answer stands.
    """
    key, answered = seat.request.key, seat.request.seats.filter(kind="paraphrase", holder=person)
    shown = exposure.was_exposed(person=person, project=seat.project, subject=key)
    return shown or answered.exists()


def record_sheet(*, actor: Person, annotator: Person, seat: Seat, terms: ContractTerms) -> Sheet:
    """Write a sealed Sheet with its constraints and its ledger entry. Call inside a transaction."""
    at = ledger.database_time()  # compared with the ledger's times
    sheet = sealed_sheet(request=seat.request, annotator=annotator, terms=terms, sealed_at=at)
    sheet.seat = seat
    record_sheets(project=seat.project, sealed=[(sheet, terms)], actor=actor)
    return sheet


def sealed_sheet(
    *, request: Request, annotator: Person, terms: ContractTerms, sealed_at: datetime
) -> Sheet:
    """A Sheet with its hash, not saved yet and without its seat."""
    return Sheet(
        request=request,
        annotator=annotator,
        unresolved=terms.ambiguity.unresolved,
        readings=list(terms.ambiguity.readings),
        sealed_at=sealed_at,
        sha256=terms.sha256,
    )


def record_sheets(
    *, project: Project, sealed: Sequence[tuple[Sheet, ContractTerms]], actor: Person
) -> None:
    """Write sealed Sheets, each with its constraints and its ledger entry. Call inside a
    transaction.
    """
    sheets = [sheet for sheet, _terms in sealed]
    Sheet.objects.bulk_create(sheets, batch_size=ledger.BATCH)
    rows = (row for sheet, terms in sealed for row in Constraint.rows(terms, sheet=sheet))
    Constraint.objects.bulk_create(rows, batch_size=ledger.BATCH)
    entries = (
        ledger.Entry(
            "sheet.sealed",
            sheet.request.key,
            {"annotator": sheet.annotator.username, "sha256": sheet.sha256},
        )
        for sheet in sheets
    )
    ledger.record_all(project=project, entries=entries, actor=actor)


@transaction.atomic
def read_sheets(*, actor: Person, project: Project, sheets: Sequence[Sheet]) -> None:
    """Write down, before it happens, that the actor is shown these sheets: others' are exposed to
    them, and can no longer be retracted.
    """
    others = [sheet for sheet in sheets if sheet.annotator_id != actor.pk]
    keys = [sheet.request.key for sheet in others]
    read_seats = Seat.objects.filter(sheets__in=others)
    seats.read_others(actor=actor, project=project, keys=keys, seats=read_seats, what="sheets")


def left_out(project: Project) -> set[int]:
    """Return the ids of sheets that are not blind and that no owner admitted. They stay, and
    neither agreement nor adjudication takes them.
    """
    marked = sealed_after_exposure(project)
    if not marked:
        return marked
    admitted = Admission.objects.filter(sheet__in=marked).values_list("sheet", flat=True)
    return marked - set(admitted)


def sealed_after_exposure(project: Project) -> set[int]:
    """The ids of standing sheets sealed after their annotator was shown something of the
    request.
    """
    shown = exposure.first_shown(project)
    return {
        sheet.pk
        for sheet in Sheet.objects.by_request(project)
        if (seen := shown.get((sheet.annotator_id, sheet.request.key))) and seen < sheet.sealed_at
    }


def _save(seat: Seat, terms: ContractTerms, sent: Sent, *, typed: bool = False) -> Seat:
    return drafts.save_draft(seat=seat, draft=terms.to_json(), sent=sent, typed=typed)


def _without_blanks(span: Span, words: str) -> Span:
    start = span.start + len(words) - len(words.lstrip())
    return Span(span.turn, start, start + len(words.strip()))


def _free_id(terms: ContractTerms) -> str:
    used = {c.id for c in terms.constraints}
    number = len(used) + 1
    while f"c{number}" in used:
        number += 1
    return f"c{number}"
