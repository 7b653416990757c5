"""Standalone references: the human arm, written from the request and its contract, never from the
evidence.
"""

import re
import unicodedata

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import HumanRewrite, Person, Request, Seat
from annotation.services import drafts, ledger, seats
from annotation.services.drafts import Sent
from annotation.services.projects import Refused


def leaked_answers(request: Request, text: str) -> list[str]:
    """Return the answers of the request that stand in the text as whole words: a reference must
    not name them. An answer that the request itself says is no leak.
    """
    asked = " ".join(_words(" ".join(request.texts)))
    written = f" {' '.join(_words(text))} "
    said = [" ".join(_words(answer)) for answer in request.answers or []]
    leaked = [words for words in said if words and f" {words} " in written]
    return [words for words in leaked if f" {words} " not in f" {asked} "]


def seal_drafted(*, actor: Person, seat: Seat, sent: Sent | None = None) -> HumanRewrite:
    """Seal the person's standalone reference as the draft has it; a second call returns the same
    one. With `sent`, a draft newer than the page showed raises StaleDraft.
    """
    done = HumanRewrite.objects.standing().filter(seat=seat, author=actor).first()
    if done:
        return done
    if sent is not None and sent.version != seat.draft_version:
        raise drafts.stale(seat, sent)
    text = str(seat.draft.get("text", "")).strip()
    if not text:
        raise Refused(_("Write the reference before you seal it."))
    if leaked_answers(seat.request, text):
        # The answer itself must not be repeated to the writer, who is not meant to know it.
        raise Refused(_("The reference names the answer. Ask for it without saying it."))
    with transaction.atomic():
        seats.submit(seat=seat)
        return record_standalone(
            actor=actor,
            author=seat.holder,
            request=seat.request,
            seat=seat,
            text=text,
            clarification=bool(seat.draft.get("clarification")),
        )


def retract_standalone(actor: Person, seat: Seat) -> None:
    """Take the sealed reference back. Call inside the retracting transaction."""
    written = HumanRewrite.objects.standing().filter(seat=seat)
    written.update(retracted_at=timezone.now())


def record_standalone(
    *,
    actor: Person,
    author: Person,
    request: Request,
    seat: Seat | None,
    text: str,
    clarification: bool,
) -> HumanRewrite:
    """Write a sealed reference with its ledger entry. Call inside a transaction."""
    sha256 = content_hash({"text": text, "clarification": clarification})
    rewrite = HumanRewrite.objects.create(
        request=request,
        author=author,
        seat=seat,
        kind=HumanRewrite.Kind.STANDALONE,
        text=text,
        clarification=clarification,
        sealed_at=timezone.now(),
        sha256=sha256,
    )
    ledger.record(
        project=request.project,
        kind="standalone.sealed",
        subject=request.key,
        content={"author": author.username, "sha256": sha256},
        actor=actor,
    )
    return rewrite


def _words(text: str) -> list[str]:
    """Words and numbers, folded: "1.2" and "2,140" stay whole, so that 5 is not found in 2015."""
    return re.findall(r"\w+(?:[.,]\d+)*", unicodedata.normalize("NFKC", text).casefold())
