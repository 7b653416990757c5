"""A second person decides on a twin: it comes to stand as a request with its contract and its pair,
or goes back to its author with words.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.desk import counted_kinds
from annotation.importing.requests import NewRequest
from annotation.models import Need, Person, Request, Turn
from annotation.permissions import may, require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from contracts.models import Control, TwinDraft, TwinPair
from contracts.results import results_shown
from contracts.seals import control_sha256, pair_sha256
from contracts.services.approval import record_contract
from contracts.services.twins.checking import faults_of, next_key
from contracts.services.twins.drafting import refuse_faulty, refuse_superseded

State = TwinDraft.State


def why_not_by(person: Person, draft: TwinDraft) -> str:
    """Why this person may not decide on the draft, in a sentence; empty where they may."""
    decision = may(person, "approve_twins", draft.project)
    if not decision.allowed:
        return decision.reason
    if draft.author_id == person.pk:
        return _("You made it: somebody else must approve it.")
    if seen := results_shown(person, draft.base.request):
        return _(
            "You were shown results of %(key)s (%(what)s): somebody who is blind to them must "
            "decide."
        ) % {"key": draft.base.request.key, "what": seen}
    return ""


@transaction.atomic
def approve(*, actor: Person, draft: TwinDraft, version: int) -> TwinPair | Control:
    """Let the twin stand: its request, version 1 of its contract, and the pair, or the control.

    `version` is that of the draft which the actor read. Refused for the author, for whoever was
    shown results of the base, and while a fault is not excused.
    """
    require(actor, "approve_twins", draft.project)
    lock(draft.project)
    draft.refresh_from_db()
    if draft.state == State.APPROVED:
        stands = draft.pair or draft.control
        if stands and stands.approved_by_id == actor.pk:
            return stands
    _refuse(actor, draft, version)
    refuse_superseded(draft)
    refuse_faulty(draft)
    made = _control(actor, draft) if draft.is_control else _pair(actor, draft)
    column = "control" if draft.is_control else "pair"
    moved = TwinDraft.objects.filter(pk=draft.pk, version=version, state=State.PROPOSED).update(
        state=State.APPROVED, **{column: made}
    )
    if not moved:
        raise Refused(_("This draft was changed or decided meanwhile: load the page again."))
    draft.refresh_from_db()
    return made


@transaction.atomic
def send_back(*, actor: Person, draft: TwinDraft, version: int, words: str) -> TwinDraft:
    """Hand a proposed twin back to its author, with words that say what to change."""
    require(actor, "approve_twins", draft.project)
    lock(draft.project)
    draft.refresh_from_db()
    _refuse(actor, draft, version)
    if not words.strip():
        raise Refused(_("Write what its author shall change."))
    TwinDraft.objects.filter(pk=draft.pk, version=version, state=State.PROPOSED).update(
        state=State.SENT_BACK, words=words.strip(), version=version + 1, tab=None
    )
    ledger.record(
        project=draft.project,
        kind="twin.sent_back",
        subject=draft.base.request.key,
        content={"family": draft.family, "author": draft.author.username},
        actor=actor,
    )
    draft.refresh_from_db()
    return draft


def _refuse(actor: Person, draft: TwinDraft, version: int) -> None:
    if draft.state != State.PROPOSED or draft.deleted_at:
        raise Refused(_("Nobody waits for a decision on this draft: load the page again."))
    if why := why_not_by(actor, draft):
        raise Refused(why)
    if draft.version != version:
        raise Refused(_("Its author changed it since you read it: load the page again."))


def _pair(actor: Person, draft: TwinDraft) -> TwinPair:
    key = next_key(draft)
    twin = _request(draft, key)
    contract = record_contract(
        actor=actor,
        request=twin,
        terms=draft.contract_terms,
        annotators=[draft.author],
        adjudicator=actor,
    )
    made = TwinPair.objects.create(
        project=draft.project,
        key=key,
        family=draft.family,
        base=draft.base.request,
        twin=twin,
        constraint=draft.constraint,
        made_by=draft.author,
        approved_by=actor,
        approved_at=contract.approved_at,
        reasons=_reasons(draft),
    )
    _record(actor, draft, made, pair_sha256(made))
    return made


def _control(actor: Person, draft: TwinDraft) -> Control:
    made = Control.objects.create(
        project=draft.project,
        key=next_key(draft),
        base=draft.base.request,
        accepts=draft.accepts,
        made_by=draft.author,
        approved_by=actor,
        approved_at=timezone.now(),
        reasons=_reasons(draft),
    )
    _record(actor, draft, made, control_sha256(made))
    return made


def _record(actor: Person, draft: TwinDraft, made: TwinPair | Control, sha256: str) -> None:
    ledger.record(
        project=draft.project,
        kind="twin.approved",
        subject=made.key,
        content={
            "family": draft.family,
            "base": draft.base.request.key,
            "constraint": draft.constraint,
            "author": draft.author.username,
            "sha256": sha256,
        },
        actor=actor,
    )


def _reasons(draft: TwinDraft) -> dict[str, str]:
    """The stated reasons of the faults that stand."""
    codes = {fault.code for fault in faults_of(draft)}
    return {code: str(why).strip() for code, why in draft.reasons.items() if code in codes}


def _request(draft: TwinDraft, key: str) -> Request:
    """The twin as a request of its base's class, asked on the same day. Its author knows the
    answers, and nobody is given work of it unless an owner says so.
    """
    base = draft.base.request
    said = list(base.turns.values_list("role", flat=True))
    turns = list(zip(said, draft.texts[:-1], strict=True))
    new = NewRequest(
        key=key,
        request_class=base.request_class.name,
        text=draft.texts[-1],
        turns=turns,
        reference_date=base.reference_date,
        answers=draft.answers or None,
        evidence=draft.evidence or None,
        metadata={},
    )
    twin = Request.objects.create(
        project=draft.project,
        key=key,
        request_class=base.request_class,
        text=new.text,
        reference_date=new.reference_date,
        answers=new.answers,
        evidence=new.evidence,
        metadata={},
        created_by=draft.author,
        sha256=new.sha256,
        position=draft.project.requests.count(),
    )
    Turn.objects.bulk_create(
        Turn(request=twin, position=position, role=role, text=text)
        for position, (role, text) in enumerate(turns)
    )
    Need.objects.bulk_create(
        Need(project=draft.project, request=twin, kind=kind.name, seats=0)
        for kind in counted_kinds()
    )
    return twin
