"""What the two kinds of HumanRewrite share: drafts, live checks with their "I mean it", sealing,
retracting, withdrawing.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.checks import CODES, Demand, OwnText, RewriteWarning, check_rewrite
from annotation.models import (
    HumanRewrite,
    IdempotentReply,
    Person,
    Project,
    Request,
    Revision,
    Seat,
)
from annotation.services import drafts, ledger, seats
from annotation.services.drafts import Sent
from annotation.services.projects import Refused
from annotation.services.reading import DraftFault, Unreadable
from annotation.warned import shown

MAX_LENGTH = 10_000  # letters of a rewording: longer than any request, short enough to compare
RECENT = 20  # own rewordings to which a new one is compared
_MARK = re.compile(rf"(?:{'|'.join(CODES)}):[0-9a-f]{{8}}")

Warned = Callable[[Seat, Mapping[str, Any]], tuple[RewriteWarning, ...]]


class Unanswered(Refused):
    """The text cannot be sealed before its writer looked at these warnings."""

    def __init__(self, warnings: Sequence[RewriteWarning]) -> None:
        said = [str(shown(warning)) for warning in warnings]
        lead = _("Not sealed: change the text, or say of each of these that you mean it.")
        super().__init__("\n".join([lead, *said]))
        self.warnings = tuple(warnings)


def warnings_of(
    seat: Seat, draft: Mapping[str, Any], demands: Sequence[Demand] = ()
) -> tuple[RewriteWarning, ...]:
    """What the live checks say of a draft; `demands` is what a contract says of the request."""
    text = str(draft.get("text") or "")
    if not text.strip():
        return ()
    return check_rewrite(
        seat.kind,
        text,
        seat.request.texts,
        [str(answer) for answer in seat.request.answers or []],
        _own_texts(seat),
        demands=demands,
        clarification=bool(draft.get("clarification")),
    )


def unanswered(
    warnings: Iterable[RewriteWarning], draft: Mapping[str, Any]
) -> tuple[RewriteWarning, ...]:
    """The warnings of which the draft does not say that they are meant."""
    meant = draft.get("meant") or []
    return tuple(warning for warning in warnings if warning.mark not in meant)


def drafted(
    text: str, meant: Iterable[str], *, clarification: bool | None = None
) -> dict[str, Any]:
    """The draft of a rewording; marks that no check can have made are left out. A kind without
    clarifications has no such field.
    """
    draft: dict[str, Any] = {"text": text}
    if clarification is not None:
        draft["clarification"] = clarification
    draft["meant"] = sorted({mark for mark in meant if _MARK.fullmatch(mark)})
    return draft


def read_rewrite(seat: Seat, sent: Any, *, warned: Warned, clarifies: bool) -> dict[str, Any]:
    """Turn what a program sent into a draft: `{"text": …, "clarification": …, "meant": […]}`, where
    `meant` holds codes of warnings that the text has. Raises Unreadable with every fault.
    """
    fields: dict[str, type] = {"text": str, "meant": list}
    if clarifies:
        fields["clarification"] = bool
    faults = _faults(sent, fields)
    if faults:
        raise Unreadable(faults)
    said, text = sent.get("meant", []), sent.get("text", "")
    clarification = sent.get("clarification", False) if clarifies else None
    draft = drafted(text, (), clarification=clarification)
    marks = {w.mark for w in warned(seat, draft) if w.code in said or w.mark in said}
    return drafted(text, marks, clarification=clarification)


def save_rewrite(*, seat: Seat, draft: dict[str, Any], sent: Sent) -> Seat:
    """Save the draft, unless the seat has exactly this one: leaving a field is no change."""
    if seat.draft_version == sent.version > 0 and seat.draft == draft:
        return seat
    return drafts.save_draft(seat=seat, draft=draft, sent=sent, typed=True)


def standing_rewrite(actor: Person, seat: Seat) -> HumanRewrite | None:
    """What the person sealed on the seat and did not take back."""
    return HumanRewrite.objects.standing().filter(seat=seat, author=actor).first()


def seal_rewrite(*, actor: Person, seat: Seat, warned: Warned, sent: Sent | None) -> HumanRewrite:
    """Seal the draft; a second call returns the same HumanRewrite. With `sent`, a draft newer than
    the page showed raises StaleDraft. A warning that nobody answered raises Unanswered.
    """
    done = standing_rewrite(actor, seat)
    if done:
        return done
    if sent is not None and sent.version != seat.draft_version:
        raise drafts.stale(seat, sent)
    if not str(seat.draft.get("text") or "").strip():
        raise Refused(_("Write the text before you seal it."))
    found = warned(seat, seat.draft)
    open_ones = unanswered(found, seat.draft)
    if open_ones:
        raise Unanswered(open_ones)
    try:
        with transaction.atomic():
            seats.submit(seat=seat)
            return record_rewrite(
                actor=actor,
                author=seat.holder,
                request=seat.request,
                seat=seat,
                kind=seat.kind,
                text=seat.draft["text"].strip(),
                clarification=bool(seat.draft.get("clarification")),
                warnings=answered(found),
            )
    except Refused:
        done = standing_rewrite(actor, seat)  # a second press of the same button was faster
        if done is None:
            raise
        return done
    except IntegrityError as twice:
        raise Refused(_("You have written this one already.")) from twice


def seal_typed(
    *, actor: Person, seat: Seat, draft: dict[str, Any], warned: Warned, sent: Sent
) -> HumanRewrite:
    """Save what the page has and seal it. The same text again gives the same HumanRewrite; another
    text on a sealed seat is kept aside, and raises StaleDraft.
    """
    typed = str(draft["text"]).strip()
    done = standing_rewrite(actor, seat)
    if done and done.text == typed:
        return done
    try:
        seat = save_rewrite(seat=seat, draft=draft, sent=sent)
    except drafts.StaleDraft:
        done = standing_rewrite(actor, seat)  # the first of two presses sealed it just now
        if done and done.text == typed:
            return done
        raise
    return seal_rewrite(actor=actor, seat=seat, warned=warned, sent=None)


def answered(warnings: Iterable[RewriteWarning]) -> list[dict[str, Any]]:
    """Warnings as the HumanRewrite keeps them, once its writer said that they mean them."""
    return [{"code": w.code, "words": list(w.words), "meant": True} for w in warnings]


def rewrite_hash(text: str, clarification: bool, warnings: Sequence[Mapping[str, Any]]) -> str:
    """The hash that seals a rewording: its text, and the warnings that its writer answered."""
    content: dict[str, Any] = {"text": text, "clarification": clarification}
    return content_hash(content | ({"warnings": list(warnings)} if warnings else {}))


def record_rewrite(
    *,
    actor: Person,
    author: Person,
    request: Request,
    seat: Seat | None,
    kind: str,
    text: str,
    clarification: bool = False,
    warnings: Sequence[dict[str, Any]] = (),
) -> HumanRewrite:
    """Write a sealed HumanRewrite with its ledger entry. Call inside a transaction."""
    rewrite = sealed_rewrite(
        request=request,
        author=author,
        kind=kind,
        text=text,
        clarification=clarification,
        warnings=list(warnings),
        sealed_at=None,
    )
    rewrite.seat = seat
    record_rewrites(project=request.project, rewrites=[rewrite], actor=actor)
    return rewrite


def sealed_rewrite(
    *,
    request: Request,
    author: Person,
    kind: str,
    text: str,
    warnings: list[dict[str, Any]],
    sealed_at: datetime | None,
    clarification: bool = False,
) -> HumanRewrite:
    """A rewording with its hash, not saved yet and without its seat; one of which nobody says when
    it was sealed is sealed now.
    """
    return HumanRewrite(
        request=request,
        author=author,
        kind=kind,
        text=text,
        clarification=clarification,
        warnings=warnings,
        sealed_at=sealed_at or timezone.now(),
        sha256=rewrite_hash(text, clarification, warnings),
    )


def record_rewrites(*, project: Project, rewrites: Sequence[HumanRewrite], actor: Person) -> None:
    """Write sealed rewordings, each with its ledger entry. Call inside a transaction."""
    HumanRewrite.objects.bulk_create(rewrites, batch_size=ledger.BATCH)
    entries = (
        ledger.Entry(f"{rewrite.kind}.sealed", rewrite.request.key, ledger_content(rewrite))
        for rewrite in rewrites
    )
    ledger.record_all(project=project, entries=entries, actor=actor)


def ledger_content(rewrite: HumanRewrite) -> dict[str, Any]:
    """What the ledger tells of a sealed rewording. It is kept for ever and read by many: of a
    warning it has which one, and no word of the text.
    """
    content: dict[str, Any] = {"author": rewrite.author.username, "sha256": rewrite.sha256}
    if rewrite.warnings:
        content["warnings"] = [
            {name: value for name, value in warning.items() if name != "words"}
            for warning in rewrite.warnings
        ]
    return content


def retract_rewrite(actor: Person, seat: Seat) -> None:
    """Take the sealed text back; the row stays, marked. Call inside the retracting transaction."""
    HumanRewrite.objects.standing().filter(seat=seat).update(retracted_at=timezone.now())


# What else is done inside the transaction in which paraphrases are withdrawn.
_FORGET: list[Callable[[Sequence[HumanRewrite]], None]] = []


def register_copies(forget: Callable[[Sequence[HumanRewrite]], None]) -> None:
    """Have copies of paraphrases forgotten with their texts; called from the `ready` of the app
    that keeps them.
    """
    _FORGET.append(forget)


def withdraw_paraphrases(*, actor: Person, project: Project) -> int:
    """Delete the texts of the person's paraphrases, sealed, drafted or taken back, and give their
    seats back for others; the sealed rows keep their hashes. Returns how many sealed texts were
    deleted. Call inside the transaction that ends the consent.
    """
    rows = HumanRewrite.objects.filter(
        request__project=project, author=actor, kind=HumanRewrite.Kind.PARAPHRASE, withdrawn_at=None
    )
    written = list(rows.select_related("request"))
    rows.update(text="", warnings=[], withdrawn_at=timezone.now())
    for forget in _FORGET:
        forget(written)
    for rewrite in written:
        ledger.record(
            project=project,
            kind="paraphrase.withdrawn",
            subject=rewrite.request.key,
            content={"author": actor.username, "sha256": rewrite.sha256},
            actor=actor,
        )
    own = Seat.objects.filter(project=project, holder=actor, kind=HumanRewrite.Kind.PARAPHRASE)
    forget_drafts(actor=actor, seats_of=own, texts={rewrite.text for rewrite in written})
    own.filter(state__in=[Seat.State.HELD, Seat.State.SUBMITTED]).update(
        state=Seat.State.RETURNED, returned_why=Seat.Why.CLOSED
    )
    return len(written)


def forget_drafts(
    *, actor: Person, seats_of: QuerySet[Seat], texts: set[str] | None = None
) -> None:
    """Delete what was drafted on these seats of the person, and what programs were answered that
    tells these texts.
    """
    revisions = Revision.objects.filter(seat__in=seats_of)
    drafted_ones = [
        *seats_of.values_list("draft", flat=True),
        *revisions.values_list("draft", flat=True),
    ]
    _forget_replies(actor, (texts or set()) | {d.get("text", "") for d in drafted_ones})
    revisions.update(draft={}, fingerprint="")
    # A save that is on its way has read an older version: it cannot come into force.
    seats_of.update(draft={}, draft_version=F("draft_version") + 1)


def _forget_replies(actor: Person, texts: set[str]) -> None:
    """Answers to programs are kept for a repeated request; those that tell these texts go too."""
    told = [
        reply.pk
        for reply in IdempotentReply.objects.filter(person=actor).iterator()
        if (texts - {""}) & set(_strings(reply.answer))
    ]
    IdempotentReply.objects.filter(pk__in=told).delete()


def _strings(value: Any) -> Iterator[str]:
    """Every text within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _own_texts(seat: Seat) -> list[OwnText]:
    """The person's own standing rewordings: of this request, then the latest of the project."""
    own = HumanRewrite.objects.standing().filter(
        author=seat.holder_id, request__project=seat.project_id
    )
    rows = own.exclude(seat=seat).select_related("request")
    of_this = rows.filter(request=seat.request_id)
    others = rows.exclude(request=seat.request_id).order_by("-pk")[:RECENT]
    return [OwnText(r.request.key, r.request.text, r.text) for r in [*of_this, *others]]


def _faults(sent: Any, fields: Mapping[str, type]) -> list[DraftFault]:
    if not isinstance(sent, dict):
        return [DraftFault("", "type", _("A draft is an object with its fields."))]
    known = ", ".join(fields)
    faults = [
        DraftFault("", "unknown", _("The fields of this draft are %(fields)s.") % {"fields": known})
        for name in sent
        if name not in fields
    ][:1]
    for name, wanted in fields.items():
        if name in sent and not isinstance(sent[name], wanted):
            faults.append(DraftFault(f"/{name}", "type", _TYPES[wanted]()))
    if not faults:
        faults += _text_faults(sent.get("text", ""))
        faults += [
            DraftFault(f"/meant/{place}", "type", _("Expected the code of a warning."))
            for place, code in enumerate(sent.get("meant", []))
            if not isinstance(code, str)
        ]
    return faults


_TYPES: Mapping[type, Callable[[], str]] = {
    str: lambda: _("Expected a text."),
    list: lambda: _("Expected a list of codes of warnings."),
    bool: lambda: _("Expected true or false."),
}


def _text_faults(text: str) -> list[DraftFault]:
    sentence = text_fault(text)
    return [DraftFault("/text", "text", sentence)] if sentence else []


def text_fault(text: str) -> str:
    """Say why a text cannot be kept, "" when it can."""
    if len(text) > MAX_LENGTH:
        return _("The text has %(n)d letters; %(most)d are the most.") % {
            "n": len(text),
            "most": MAX_LENGTH,
        }
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        return _("This text cannot be stored: take control characters out of it.")
    return ""


@transaction.atomic
def read_rewrites(*, actor: Person, project: Project, rewrites: Sequence[HumanRewrite]) -> None:
    """Write down that the actor is shown these rewordings: others' are exposed to them, and can no
    longer be retracted.
    """
    others = [rewrite for rewrite in rewrites if rewrite.author_id != actor.pk]
    keys = [rewrite.request.key for rewrite in others]
    read_seats = Seat.objects.filter(human_rewrites__in=others)
    seats.read_others(actor=actor, project=project, keys=keys, seats=read_seats, what="rewrite")
