"""Making a twin or a control: begun from a contract, saved as often as wanted, and proposed to
somebody else.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services.projects import Refused
from contracts.models import CONTROL, Contract, TwinDraft
from contracts.moving import moved_terms
from contracts.services.twins.checking import faults_of, open_faults, said_of
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms
from contracts.twins.families import FAMILIES, families_for, propose
from contracts.twins.flips import Flip, Known

State = TwinDraft.State
EDITABLE = (State.DRAFT, State.SENT_BACK)


class Stale(Refused):
    """Another tab saved the draft after this one had read it."""


@dataclass(frozen=True)
class Read:
    """Which draft a page had read, and in which tab: the tab that saved last is never stale."""

    version: int
    tab: UUID | None = None


@dataclass(frozen=True)
class Written:
    """What an author wrote. `value` and `admissible` are of the flipped constraint; None leaves
    them as they are. `evidence` has a list of document ids for each required item; a reason that
    is not among `reasons` stays, an empty one goes.
    """

    texts: tuple[str, ...] = ()
    family: str = ""
    value: Mapping[str, Any] | None = None
    admissible: tuple[str, ...] | None = None
    ambiguity: Ambiguity | None = None
    answers: tuple[str, ...] = ()
    evidence: tuple[tuple[str, ...], ...] = ()
    accepts: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    key: str = ""


def flips_of(contract: Contract, constraint: str) -> tuple[Flip, ...]:
    """What may be proposed for one constraint of a contract, every flip once."""
    return flips_by_constraint(contract, [constraint])[constraint]


def flips_by_constraint(
    contract: Contract, constraints: Sequence[str]
) -> dict[str, tuple[Flip, ...]]:
    """What may be proposed for each of some constraints of a contract; the study is read once."""
    texts, terms = contract.request.texts, contract.terms
    named = any(c.id in constraints and c.kind == "referent" for c in terms.constraints)
    known = known_of(contract.request.project) if named else Known()
    found = {one: propose(texts, terms, one, known) for one in constraints}
    return {one: tuple({flip_id(f): f for f in flips}.values()) for one, flips in found.items()}


def flip_id(flip: Flip) -> str:
    """A short name of a flip, the same whenever it is proposed."""
    said = {"family": flip.family, "texts": list(flip.texts), "terms": flip.terms.to_json()}
    return content_hash(said)[:16]


def known_of(project: Project) -> Known:
    """Names of referents in the project's contracts, most used first, and names that begin with the
    same word together: a parent, its subsidiaries, two of one name.
    """
    referents = Contract.objects.current(project).filter(constraints__kind="referent")
    values = referents.values_list("constraints__value", flat=True)
    used = Counter(str(value["name"]) for value in values.iterator() if value.get("name"))
    names = tuple(name for name, _n in sorted(used.items(), key=lambda one: (-one[1], one[0])))
    together: dict[str, list[str]] = {}
    for name in names:
        together.setdefault(name.split()[0].casefold(), []).append(name)
    return Known(names, tuple(tuple(group) for group in together.values() if len(group) > 1))


def begin(*, actor: Person, contract: Contract, constraint: str, flip: Flip | None) -> TwinDraft:
    """Begin a twin of the contract's request: from a proposed flip, or (None) from the request as
    it stands, for a twin in one's own words.
    """
    request = contract.request
    require(actor, "build_twins", request.project)
    _refuse_superseded(contract)
    flipped = _decisive(contract, constraint)
    if flip is None:
        families = families_for(flipped) or tuple(FAMILIES)
        terms = replace(contract.terms, admissible_rewrites=())
        family, texts = families[0], tuple(request.texts)
    else:
        family, texts, terms = flip.family, flip.texts, flip.terms
    return TwinDraft.objects.create(
        project=request.project,
        base=contract,
        constraint=constraint,
        family=family,
        texts=list(texts),
        terms=terms.to_json(),
        author=actor,
    )


def begin_control(*, actor: Person, contract: Contract, accepts: Sequence[str]) -> TwinDraft:
    """Begin a control: texts that add to the request what its contract allows, and must pass."""
    require(actor, "build_twins", contract.request.project)
    _refuse_superseded(contract)
    return TwinDraft.objects.create(
        project=contract.request.project,
        base=contract,
        family=CONTROL,
        accepts=list(accepts),
        author=actor,
    )


@transaction.atomic
def save(*, actor: Person, draft: TwinDraft, written: Written, read: Read) -> TwinDraft:
    """Keep what the author wrote, unfinished or not. Raises Stale when another tab saved since."""
    require(actor, "build_twins", draft.project)
    _own(actor, draft)
    draft.refresh_from_db()
    if draft.state not in EDITABLE or draft.deleted_at:
        raise Refused(_("This draft is not open any more: take it back before you change it."))
    if read.version != draft.version and (read.tab is None or read.tab != draft.tab):
        raise Stale(_("This draft was changed in another tab since this page was loaded."))
    changed = _changed(draft, written)
    now = TwinDraft.objects.filter(pk=draft.pk, version=draft.version, state__in=EDITABLE).update(
        **changed, version=draft.version + 1, tab=read.tab, saved_at=timezone.now()
    )
    if not now:
        raise Stale(_("This draft was changed in another tab since this page was loaded."))
    draft.refresh_from_db()
    return draft


def propose_for_approval(*, actor: Person, draft: TwinDraft) -> TwinDraft:
    """Hand the draft to somebody else for approval; refused with a sentence for each fault that is
    not excused.
    """
    require(actor, "build_twins", draft.project)
    _own(actor, draft)
    draft.refresh_from_db()
    if draft.state == State.PROPOSED:
        return draft
    _refuse_superseded(draft.base)
    refuse_faulty(draft)
    _move(draft, EDITABLE, state=State.PROPOSED, proposed_at=timezone.now(), words="")
    return draft


def take_back(*, actor: Person, draft: TwinDraft) -> TwinDraft:
    """Take a proposed draft back to change it, as long as nobody decided."""
    require(actor, "build_twins", draft.project)
    _own(actor, draft)
    _move(draft, (State.PROPOSED,), state=State.DRAFT, proposed_at=None)
    return draft


def delete_draft(*, actor: Person, draft: TwinDraft) -> None:
    """Put a draft out of sight; its author can bring it back."""
    require(actor, "build_twins", draft.project)
    _own(actor, draft)
    _move(draft, EDITABLE, deleted_at=timezone.now())


def restore_draft(*, actor: Person, draft: TwinDraft) -> TwinDraft:
    """Bring a deleted draft back."""
    require(actor, "build_twins", draft.project)
    _own(actor, draft)
    TwinDraft.objects.filter(pk=draft.pk).update(deleted_at=None)
    draft.refresh_from_db()
    return draft


def refuse_faulty(draft: TwinDraft) -> None:
    """Raise Refused with every fault that stands in the way, one sentence a line."""
    standing = open_faults(faults_of(draft), draft.reasons)
    if standing:
        raise Refused("\n".join(said_of(fault) for fault in standing))


def refuse_superseded(draft: TwinDraft) -> None:
    """Raise Refused when the base has a newer contract than the one that the draft began from."""
    _refuse_superseded(draft.base)


def _refuse_superseded(contract: Contract) -> None:
    newer = Contract.objects.filter(request=contract.request, version__gt=contract.version)
    if last := newer.order_by("-version").first():
        raise Refused(
            _("%(key)s has a newer contract, version %(number)d: begin from that one.")
            % {"key": contract.request.key, "number": last.version}
        )


def _decisive(contract: Contract, constraint: str) -> ConstraintTerms:
    found = next((c for c in contract.terms.constraints if c.id == constraint), None)
    if found is None:
        raise Refused(_("The contract has no such constraint: choose one of its rows."))
    if not found.critical:
        raise Refused(
            _("Only a critical constraint decides a pair; this one is minor: choose another.")
        )
    return found


def _own(actor: Person, draft: TwinDraft) -> None:
    if draft.author_id != actor.pk:
        raise Refused(_("This draft is somebody else's: only its author changes it."))


def _move(draft: TwinDraft, states: Sequence[str], **changed: Any) -> None:
    """Change the draft if it is still in one of the states; somebody else may have been faster."""
    rows = TwinDraft.objects.filter(
        pk=draft.pk, version=draft.version, state__in=states, deleted_at=None
    )
    if not rows.update(**changed, version=draft.version + 1):
        raise Refused(_("This draft was changed or decided meanwhile: load the page again."))
    draft.refresh_from_db()


def _changed(draft: TwinDraft, written: Written) -> dict[str, Any]:
    """The columns that the author's words change."""
    reasons = {**draft.reasons, **written.reasons}
    changed: dict[str, Any] = {
        "reasons": {code: why for code, why in reasons.items() if why},
        "key": written.key,
    }
    if draft.is_control:
        return {**changed, "accepts": list(written.accepts)}
    if written.family and written.family not in FAMILIES:
        raise Refused(_("There is no such family: choose one of the list."))
    if len(written.texts) != len(draft.texts):
        raise Refused(_("A twin has as many turns as its base: load the page again."))
    return {
        **changed,
        "family": written.family or draft.family,
        "texts": list(written.texts),
        "terms": terms_written(draft, written).to_json(),
        "answers": list(written.answers),
        "evidence": [list(item) for item in written.evidence],
    }


def terms_written(draft: TwinDraft, written: Written) -> ContractTerms:
    """The twin's terms after an edit: spans follow their words, the flipped constraint has the new
    value. Words that were cut and come back are found again by those of the base.
    """
    base = moved_terms(draft.base.terms, draft.base.request.texts, written.texts)
    spans = {c.id: c.span for c in base.constraints}
    moved = moved_terms(draft.contract_terms, draft.texts, written.texts)
    constraints = tuple(
        replace(_edited(c, draft, written), span=c.span or spans.get(c.id))
        for c in moved.constraints
    )
    return replace(
        moved,
        constraints=constraints,
        ambiguity=moved.ambiguity if written.ambiguity is None else written.ambiguity,
    )


def _edited(c: ConstraintTerms, draft: TwinDraft, written: Written) -> ConstraintTerms:
    if c.id != draft.constraint:
        return c
    return replace(
        c,
        value=c.value if written.value is None else dict(written.value),
        admissible=c.admissible if written.admissible is None else written.admissible,
    )
