"""Paraphrases: people say a request again in their own words, with its answer before them so that
they mean the same.

Who was shown an answer gets no sheet and no standalone reference of that request.
"""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import HumanRewrite, Person, Seat
from annotation.services import consent, seats
from annotation.services.drafts import Sent, StaleDraft
from annotation.services.exposure import expose
from annotation.services.projects import Refused, lock
from annotation.services.rewrites import (
    forget_drafts,
    read_rewrite,
    save_rewrite,
    seal_rewrite,
    seal_typed,
    warnings_of,
)
from annotation.work import unfinished

SHOWN = "answers"


def show_answers(*, actor: Person, seat: Seat) -> None:
    """Record that the person is shown the answers of the request, before the page shows them.

    Refused to who withdrew their consent, and to who meanwhile began other work of the request:
    then the seat goes back to the pool.
    """
    _agreed(actor, seat)
    with transaction.atomic():
        lock(seat.project)
        free = not unfinished(actor).filter(request=seat.request_id).exists()
        if free:
            expose(person=actor, project=seat.project, subject=seat.request.key, what=SHOWN)
        else:
            seats.release(seat=seat, why=Seat.Why.CLOSED)
    if not free:
        raise Refused(
            _("You began other work of this request. Its answer would spoil that: finish it first.")
        )


def answers_for(actor: Person, seat: Seat) -> list[str]:
    """The answers of the request for its writer, after `show_answers` recorded that; empty when
    none is known.
    """
    show_answers(actor=actor, seat=seat)
    return [str(answer) for answer in seat.request.answers or []]


def save_paraphrase(*, actor: Person, seat: Seat, draft: dict[str, Any], sent: Sent) -> Seat:
    """Keep the text in the draft; nothing is kept of who withdrew their consent, not even while
    the text was on its way.
    """
    _agreed(actor, seat)
    try:
        saved = save_rewrite(seat=seat, draft=draft, sent=sent)
    except StaleDraft:
        _forget_if_withdrawn(actor, seat)
        raise
    _forget_if_withdrawn(actor, seat)
    return saved


def seal_paraphrase(*, actor: Person, seat: Seat, sent: Sent | None = None) -> HumanRewrite:
    """Seal the draft as the person's paraphrase; a second call returns the same one."""
    _agreed(actor, seat)
    return seal_rewrite(actor=actor, seat=seat, warned=warnings_of, sent=sent)


def seal_typed_paraphrase(
    *, actor: Person, seat: Seat, draft: dict[str, Any], sent: Sent
) -> HumanRewrite:
    """Save what the page has and seal it."""
    _agreed(actor, seat)
    return seal_typed(actor=actor, seat=seat, draft=draft, warned=warnings_of, sent=sent)


def read_paraphrase(seat: Seat, sent: Any) -> dict[str, Any]:
    """Turn what a program sent into a draft."""
    _agreed(seat.holder, seat)
    return read_rewrite(seat, sent, warned=warnings_of, clarifies=False)


def _forget_if_withdrawn(actor: Person, seat: Seat) -> None:
    if consent.needed(actor, seat.project) and not consent.ever_given(
        person=actor, project=seat.project
    ):
        with transaction.atomic():
            forget_drafts(actor=actor, seats_of=Seat.objects.filter(pk=seat.pk))
        _agreed(actor, seat)


def _agreed(person: Person, seat: Seat) -> None:
    if consent.needed(person, seat.project):
        raise Refused(_("Agree to the terms of this study first: nothing is kept without that."))
