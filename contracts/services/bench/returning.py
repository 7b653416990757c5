"""Sending a sheet back to its reviewer, and what happens to the decisions when it comes again."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models import F, TextField, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.desk import WORK_KINDS
from annotation.models import Person, Seat
from annotation.permissions import may
from annotation.services import drafts, ledger, seats
from annotation.services.drafts import Sent
from annotation.services.projects import Refused, lock
from contracts.differences import Difference, differences
from contracts.models import Adjudication, Decision, Sheet
from contracts.services.bench.holding import State, own_open

SIDES = ("a", "b")


@transaction.atomic
def send_back(*, actor: Person, adjudication: Adjudication, side: str, words: str) -> Sheet:
    """Hand a sheet back to its reviewer with words for them. It stays as a retracted row; the seat
    is its reviewer's again, draft and all; decisions made so far are kept.

    Whoever is at work on something else finds it among what they put aside.
    """
    project = adjudication.request.project
    lock(project)
    now = own_open(actor, adjudication)
    if side not in SIDES:
        raise Refused(_("Choose whose sheet goes back: A or B."))
    if now.sent_back:
        raise Refused(_("A sheet is with its reviewer already: one at a time."))
    if not words.strip():
        raise Refused(_("Write to the reviewer what to look at again."))
    sheet = now.sheet_a if side == "a" else now.sheet_b
    seat = sheet.seat
    if seat is None or not seat.draft_version:
        raise Refused(_("This sheet was brought in from elsewhere: nobody can change it here."))
    reviewer = sheet.annotator
    if not (reviewer.is_active and may(reviewer, "annotate", project).allowed):
        raise Refused(_("This reviewer no longer annotates here: decide it yourself."))
    Sheet.objects.filter(pk=sheet.pk).update(retracted_at=timezone.now(), sent_back=True)
    _hand_back(seat)
    Adjudication.objects.filter(pk=now.pk).update(sent_back=side, sent_back_words=words.strip())
    ledger.record(
        project=project,
        kind="sheet.sent_back",
        subject=adjudication.request.key,
        content={"annotator": reviewer.username, "sha256": sheet.sha256},
        actor=actor,
    )
    return sheet


@transaction.atomic
def take_as_it_was(*, actor: Person, adjudication: Adjudication) -> Sheet:
    """Wait no longer: the sheet that went back stands again as it was sealed. What its reviewer
    changed meanwhile stays in the history of their draft.
    """
    project = adjudication.request.project
    lock(project)
    now = own_open(actor, adjudication)
    if not now.sent_back:
        raise Refused(_("No sheet is with its reviewer: it came back meanwhile."))
    sheet = now.sheet_a if now.sent_back == "a" else now.sheet_b
    _seal_again(sheet)
    Sheet.objects.filter(pk=sheet.pk).update(retracted_at=None, sent_back=False)
    Adjudication.objects.filter(pk=now.pk).update(sent_back="", sent_back_words="")
    ledger.record(
        project=project,
        kind="sheet.stands_again",
        subject=adjudication.request.key,
        content={"annotator": sheet.annotator.username, "sha256": sheet.sha256},
        actor=actor,
    )
    return sheet


def take_in(sheet: Sheet) -> None:
    """Put a sheet that its reviewer sealed anew in the place of the one that was sent back; flag
    the decisions whose inputs changed. Does nothing for any other sheet. Call in the sealing
    transaction.
    """
    waiting = (
        Adjudication.objects.filter(request=sheet.request_id, state=State.OPEN)
        .exclude(sent_back="")
        .select_related("sheet_a", "sheet_b")
        .first()
    )
    if waiting is None:
        return
    side = waiting.sent_back
    before = waiting.sheet_a if side == "a" else waiting.sheet_b
    if before.annotator_id != sheet.annotator_id:
        return
    setattr(waiting, f"sheet_{side}", sheet)
    waiting.sent_back = waiting.sent_back_words = ""
    waiting.save(update_fields=[f"sheet_{side}", "sent_back", "sent_back_words"])
    seats.mark_read(seats=Seat.objects.filter(sheets=sheet))
    flagged, dropped = _carry_over(waiting, side)
    ledger.record(
        project=sheet.request.project,
        kind="adjudication.sheet_taken",
        subject=sheet.request.key,
        content={"sheet": sheet.sha256, "flagged": flagged, "dropped": dropped},
        actor=sheet.annotator,
    )


def words_for(seats_of: Sequence[Seat]) -> dict[int, str]:
    """What the adjudicator wrote to the holders of these seats whose sheets came back, by seat."""
    waiting = (
        Adjudication.objects.filter(
            state=State.OPEN, request__in=[seat.request_id for seat in seats_of]
        )
        .exclude(sent_back="")
        .select_related("sheet_a", "sheet_b")
    )
    sheets = {
        sheet.seat_id: each.sent_back_words
        for each in waiting
        if (sheet := each.sheet_a if each.sent_back == "a" else each.sheet_b)
    }
    return {seat.pk: sheets[seat.pk] for seat in seats_of if seat.pk in sheets}


def _hand_back(seat: Seat) -> None:
    """Make the seat its holder's again: at work, or put aside when they are at work elsewhere."""
    kind = WORK_KINDS[seat.kind]
    if seats.held_seat(actor=seat.holder, project=seat.project, kind=kind) is None:
        seats.reopen(seat=seat)
        return
    Seat.objects.filter(pk=seat.pk, state=Seat.State.SUBMITTED).update(
        state=Seat.State.RETURNED, returned_why=Seat.Why.LATER, sealed_at=None
    )


def _seal_again(sheet: Sheet) -> None:
    seat = sheet.seat
    if seat is None:
        raise Refused(_("This sheet was brought in from elsewhere: nobody can change it here."))
    draft = sheet.terms.to_json()
    given_up = Seat.objects.filter(pk=seat.pk, state=Seat.State.CANNOT_JUDGE)
    if given_up.update(state=Seat.State.RETURNED):
        seat.refresh_from_db()
    try:
        if seat.draft != draft and seat.state in (Seat.State.HELD, Seat.State.RETURNED):
            drafts.save_draft(seat=seat, draft=draft, sent=Sent(seat.draft_version))
        with transaction.atomic():
            Seat.objects.filter(pk=seat.pk).exclude(state=Seat.State.SUBMITTED).update(
                state=Seat.State.SUBMITTED,
                returned_why="",
                sealed_at=sheet.sealed_at,
                read_at=timezone.now(),
            )
    except (drafts.StaleDraft, IntegrityError) as fault:
        raise Refused(_("Its reviewer is changing it right now: try again in a moment.")) from fault


def _carry_over(adjudication: Adjudication, side: str) -> tuple[list[str], list[str]]:
    """Lead each decision to the row that it is about now, and flag it where the row says something
    else than it did. Decisions on rows that are gone are dropped; they are named in the ledger.
    """
    rows = [
        row
        for row in differences(adjudication.sheet_a.terms, adjudication.sheet_b.terms)
        if not row.agreed
    ]
    by_item = {row.item: row for row in rows}
    kept: dict[str, Decision] = {}
    dropped = []
    decisions = list(adjudication.decisions.all())
    # Who stayed in their place come first, so that nobody takes it from them.
    decisions.sort(key=lambda decision: decision.item not in by_item)
    for decision in decisions:
        row = by_item.get(decision.item) or _successor(decision.item, rows, side)
        if row is None or row.item in kept:
            dropped.append(decision)
            continue
        kept[row.item] = decision
        decision.changed = decision.changed or decision.input_sha256 != row.sha256
    _write(adjudication, kept, dropped)
    flagged = [item for item, decision in kept.items() if decision.changed]
    return flagged, [decision.item for decision in dropped]


def _successor(item: str, rows: list[Difference], side: str) -> Difference | None:
    """The row that now holds the constraint of the sheet that stayed."""
    if "|" not in item:
        return None
    stayed = 1 if side == "a" else 0
    key = item.split("|")[stayed]
    if key == "-":
        return None
    return next((r for r in rows if "|" in r.item and r.item.split("|")[stayed] == key), None)


def _write(adjudication: Adjudication, kept: dict[str, Decision], dropped: list[Decision]) -> None:
    of_this = adjudication.decisions
    of_this.filter(pk__in=[decision.pk for decision in dropped]).delete()
    moved = [decision.pk for item, decision in kept.items() if decision.item != item]
    # Out of the way first: a row may move to where another one still is.
    away = Concat(Value("~"), Cast(F("pk"), TextField()))
    of_this.filter(pk__in=moved).update(item=away)
    for item, decision in kept.items():
        decision.item = item
    Decision.objects.bulk_update(kept.values(), ["item", "changed"])
