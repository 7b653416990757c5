"""What training gives to the desk: practice on a sheet whose contract is known."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.models import Person, Seat
from contracts.kinds import SHEET
from contracts.models import PracticeSheet
from contracts.qualification import KIND, practice_offered, practice_open_to, standing_of
from contracts.services.training import seal_practice, try_again


def practice_outcome(seat: Seat) -> dict[str, Any] | None:
    """What the explanation of a sealed practice item says, as plain values; None before that."""
    sheet = PracticeSheet.objects.filter(seat=seat).select_related("gold").first()
    if sheet is None or seat.state != Seat.State.SUBMITTED:
        return None
    standing = standing_of(seat.holder, seat.project)
    return {
        "found": sheet.found,
        "wanted": sheet.wanted,
        "added": sheet.added,
        "known": sheet.gold.terms.to_json(),
        "explanation": sheet.gold.explanation,
        "answered": standing.answered,
        "items": standing.items,
        "pass_mark": standing.pass_mark,
        "passed": standing.passed,
    }


def _once_more(person: Person, seat: Seat) -> Seat:
    return try_again(actor=person, seat=seat)


# The same page as a sheet's; what differs is who gets which requests, and what sealing does.
QUALIFICATION = replace(
    SHEET,
    name=KIND,
    label=_("Qualification"),
    seats_wanted=lambda project: 0,  # only the practice items have seats
    open_to=practice_open_to,
    offered=practice_offered,
    seal=lambda actor, seat, sent: seal_practice(actor=actor, seat=seat, sent=sent),
    retract=None,
    outcome=practice_outcome,
    once_more=_once_more,
    after="practice",
    counted=False,
    order=-1,
)
