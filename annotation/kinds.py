"""What this app gives to the desk: paraphrases."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.desk import DraftShown, WorkKind
from annotation.models import Project, Seat
from annotation.services.paraphrases import (
    answers_for,
    read_paraphrase,
    save_paraphrase,
    seal_paraphrase,
)
from annotation.services.rewrites import retract_rewrite
from annotation.views.paraphrases import paraphrase_anew
from annotation.work import PARAPHRASE as NAME
from annotation.work import paraphrases_open_to, paraphrases_wanted


def text_to_read(_seat: Seat, draft: dict[str, Any]) -> DraftShown:
    """The draft of a text, to be read."""
    return DraftShown("desk/_text_draft.html", {"text": draft.get("text", "")})


def _wanted(project: Project) -> int:
    return project.paraphrases_per_request


PARAPHRASE = WorkKind(
    name=str(NAME),
    label=_("Paraphrase"),
    seats_wanted=_wanted,
    open_to=paraphrases_open_to,
    page="paraphrase",
    work=paraphrase_anew,
    draft_shown=text_to_read,
    read_draft=read_paraphrase,
    seal=lambda actor, seat, sent: seal_paraphrase(actor=actor, seat=seat, sent=sent),
    retract=retract_rewrite,
    keep=lambda actor, seat, draft, sent: save_paraphrase(
        actor=actor, seat=seat, draft=draft, sent=sent
    ),
    offered=lambda project, _person: paraphrases_wanted(project),
    answers=answers_for,
    topics=("paraphrase",),
    order=50,  # who was shown the answer gets no sheet of the request
)
