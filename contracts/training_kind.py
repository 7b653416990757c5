"""What training gives to the desk: practice on a sheet whose contract is known."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from contracts.kinds import SHEET
from contracts.qualification import KIND, practice_offered, practice_open_to
from contracts.services.training import seal_practice

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
    after="practice",
    counted=False,
    order=-1,
)
