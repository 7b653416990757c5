"""Standalone references: the human arm, written from the request and its contract, never from the
evidence.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.checks import Demand, RewriteWarning
from annotation.checks.answers import leaked
from annotation.models import HumanRewrite, Person, Project, Request, Seat
from annotation.services import seats
from annotation.services.drafts import Sent
from annotation.services.projects import Refused
from annotation.services.rewrites import (
    read_rewrite,
    retract_rewrite,
    seal_rewrite,
    seal_typed,
    warnings_of,
)
from contracts.models import Contract
from contracts.phrases import describe_value
from contracts.terms import ConstraintTerms, ContractTerms
from contracts.work import knows_too_much, reference_of

# The fields of a value whose words say the whole of it: any of them in the text is enough.
_NAMES = {"referent": ("name", "aliases"), "status": ("value",), "evidence": ("source",)}


def leaked_answers(request: Request, text: str) -> list[str]:
    """Return the answers of the request that stand in the text as whole words: a reference must
    not name them. An answer that the request itself says is no leak.
    """
    answers = [str(answer) for answer in request.answers or []]
    return [answers[place] for place in leaked(text, answers, request.texts)]


def demands_of(terms: ContractTerms, texts: Sequence[str]) -> tuple[Demand, ...]:
    """What the live checks need of a contract: what each constraint names, and what says it.
    `texts` are the turns of the request, the current text last.
    """
    return tuple(_demand(constraint, texts) for constraint in terms.constraints)


def reference_warnings(seat: Seat, draft: Mapping[str, Any]) -> tuple[RewriteWarning, ...]:
    """What the live checks say of a reference in the light of the contract in force."""
    contract = Contract.objects.current(seat.project).filter(request=seat.request).first()
    demands = demands_of(contract.terms, seat.request.texts) if contract else ()
    return warnings_of(seat, draft, demands)


def read_reference(seat: Seat, sent: Any) -> dict[str, Any]:
    """Turn what a program sent into a draft, or refuse it."""
    return read_rewrite(seat, sent, warned=reference_warnings, clarifies=True)


def seal_drafted(*, actor: Person, seat: Seat, sent: Sent | None = None) -> HumanRewrite:
    """Seal the person's standalone reference as the draft has it; a second call returns the same
    one. With `sent`, a draft newer than the page showed raises StaleDraft.
    """
    _refuse_who_knows(actor, seat)
    return seal_rewrite(actor=actor, seat=seat, warned=reference_warnings, sent=sent)


def seal_typed_reference(
    *, actor: Person, seat: Seat, draft: dict[str, Any], sent: Sent
) -> HumanRewrite:
    """Save what the page has and seal it."""
    _refuse_who_knows(actor, seat)
    return seal_typed(actor=actor, seat=seat, draft=draft, warned=reference_warnings, sent=sent)


def retract_standalone(actor: Person, seat: Seat) -> None:
    """Take the sealed reference back. Call inside the retracting transaction."""
    if knows_too_much(actor, seat.request):
        raise Refused(_("You were shown more of this request since you sealed it."))
    retract_rewrite(actor, seat)


def mark_references_read(project: Project) -> None:
    """A run reads the references: none of them can be taken back now. Call inside its transaction,
    after `lock`.
    """
    written = HumanRewrite.objects.standing().filter(
        request__project=project, kind=HumanRewrite.Kind.STANDALONE
    )
    seats.mark_read(seats=Seat.objects.filter(human_rewrites__in=written))


def _refuse_who_knows(actor: Person, seat: Seat) -> None:
    """Who was shown the answer or a rewrite since they took the seat, or came second, is refused:
    the seat goes back to the pool.
    """
    if seat.state != Seat.State.HELD:
        return
    if knows_too_much(actor, seat.request):
        seats.release(seat=seat, why=Seat.Why.CLOSED)
        raise Refused(
            _("You were shown more of this request than its writer may see: another takes it.")
        )
    if reference_of(seat.request).exclude(seat=seat).exists():
        seats.release(seat=seat, why=Seat.Why.CLOSED)
        raise Refused(_("This request has its reference already. Your draft is kept."))


def _demand(constraint: ConstraintTerms, texts: Sequence[str]) -> Demand:
    span = constraint.span
    marked = texts[span.turn][span.start : span.end] if span and span.turn < len(texts) else ""
    said = [describe_value(constraint.kind, constraint.value), *constraint.admissible, marked]
    mentions = [*said, *_texts(constraint.value.values())]
    names = [constraint.value.get(field) for field in _NAMES.get(constraint.kind, ())]
    return Demand(mentions=tuple(mentions), wordings=(*constraint.admissible, *_texts(names)))


def _texts(values: Any) -> list[str]:
    found: list[str] = []
    for value in values:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += [text for text in value if isinstance(text, str)]
    return [text for text in found if text.strip()]
