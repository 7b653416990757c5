"""What the pages of twins show: both sides beside each other, word by word and row by row."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.forms import Field
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from annotation.canonical import canonical_json
from annotation.models import Person, Project, Request
from annotation.permissions import may
from annotation.services.exposure import expose_all
from contracts.forms import VALUE_FORMS, LinesField
from contracts.marking import segments
from contracts.models import Contract, TwinDraft
from contracts.phrases import WORDS
from contracts.services.twins.checking import faults_of, next_key, open_faults, said_of, titles_of
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms
from contracts.twins.validating import PairFault, differing
from contracts.views.shown import LABELS, TurnShown, marks_of, phrase_of, turns_shown
from contracts.word_diff import Piece, word_diff

SAME, CHANGED, DROPPED, ADDED = "same", "changed", "dropped", "added"
SHOWN = ("contract", "answers and evidence")


def expose_requests(person: Person, project: Project, *requests: Request) -> None:
    """Write down that the person is shown contract, answers and evidence of these requests."""
    for what in SHOWN:
        expose_all(person=person, project=project, subjects=[r.key for r in requests], what=what)


@dataclass(frozen=True)
class TurnCompared:
    """One turn of both sides; without `pieces` it is the same in both."""

    speaker: str
    current: bool
    text: str
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class RowCompared:
    """One constraint of both contracts. `fields` are the parts of the value that differ: name, as
    the base has it, as the twin has it.
    """

    number: int
    label: str | Promise
    state: str
    base: str
    twin: str
    materiality: str
    named: bool  # the constraint in which the pair differs
    fields: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class FaultSeen:
    """A fault with the reason that stands for it."""

    fault: PairFault
    sentence: str
    reason: str
    stands_in_the_way: bool


def turns_compared(request: Request, texts: Sequence[str]) -> list[TurnCompared]:
    """The conversation of the base with what the twin changes in it."""
    return [
        TurnCompared(turn.speaker, turn.current, there, _pieces(here, there))
        for turn, here, there in zip(_turns(request), request.texts, texts, strict=False)
    ]


def _pieces(here: str, there: str) -> tuple[Piece, ...]:
    return () if here == there else word_diff(here, there)


def _turns(request: Request) -> list[TurnShown]:
    return turns_shown(request, [])


def rows_compared(base: ContractTerms, twin: ContractTerms, constraint: str) -> list[RowCompared]:
    """Every constraint of either contract, in the base's order."""
    left = {c.id: c for c in base.constraints}
    right = {c.id: c for c in twin.constraints}
    changed = set(differing(base, twin))
    ids = [*left, *(key for key in right if key not in left)]
    return [
        _row(number, left.get(key), right.get(key), key in changed, key == constraint)
        for number, key in enumerate(ids, start=1)
    ]


def _row(
    number: int,
    base: ConstraintTerms | None,
    twin: ConstraintTerms | None,
    changed: bool,
    named: bool,
) -> RowCompared:
    any_side = base or twin
    assert any_side is not None  # noqa: S101 one of the two has this id
    state = ADDED if base is None else DROPPED if twin is None else CHANGED if changed else SAME
    return RowCompared(
        number=number,
        label=LABELS[any_side.kind],
        state=state,
        base=phrase_of(base) if base else "",
        twin=phrase_of(twin) if twin else "",
        materiality=any_side.materiality,
        named=named,
        fields=_differing_fields(base, twin) if base and twin else [],
    )


def _differing_fields(base: ConstraintTerms, twin: ConstraintTerms) -> list[tuple[str, str, str]]:
    labels = VALUE_FORMS[base.kind].base_fields
    names = [*base.value, *(name for name in twin.value if name not in base.value)]
    return [
        (
            _label(labels[name]) if name in labels else name,
            _said(base.value.get(name)),
            _said(twin.value.get(name)),
        )
        for name in names
        if canonical_json(base.value.get(name)) != canonical_json(twin.value.get(name))
    ]


def _label(field: Field) -> str:
    """What a field is called, without how to write into it."""
    label = str(field.label)
    return (label.rpartition(",")[0] or label) if isinstance(field, LinesField) else label


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        return "; ".join(str(item) for item in value) or "—"
    if value is None:
        return "—"
    return _(WORDS[value]) if isinstance(value, str) and value in WORDS else str(value)


@dataclass(frozen=True)
class SideShown:
    """One request of a pair with its contract: what it asks and what is right for it."""

    name: str
    key: str
    turns: list[TurnShown]
    answers: Sequence[str]
    items: list[list[tuple[str, str]]]  # required items: documents with their titles
    ambiguity: Ambiguity
    contract: Contract | None = None


def side_shown(name: str, request: Request, contract: Contract | None) -> SideShown:
    """A request that stands."""
    terms = contract.terms if contract else ContractTerms()
    return SideShown(
        name=name,
        key=request.key,
        turns=turns_shown(request, marks_of(terms)),
        answers=request.answers or (),
        items=items_shown(request.project, request.evidence or ()),
        ambiguity=terms.ambiguity,
        contract=contract,
    )


def drafted_side(draft: TwinDraft) -> SideShown:
    """The twin as it is drafted."""
    return SideShown(
        name=_("twin"),
        key=next_key(draft),
        turns=drafted_turns(draft),
        answers=draft.answers,
        items=items_shown(draft.project, draft.evidence),
        ambiguity=draft.contract_terms.ambiguity,
    )


def drafted_turns(draft: TwinDraft) -> list[TurnShown]:
    """The twin's conversation with its marks, said by the speakers of the base."""
    request, marks = draft.base.request, marks_of(draft.contract_terms)
    return [
        TurnShown(turn.index, turn.speaker, turn.current, segments(text, turn.index, marks))
        for turn, text in zip(_turns(request), draft.texts, strict=False)
    ]


def items_shown(project: Project, evidence: Sequence[Sequence[str]]) -> list[list[tuple[str, str]]]:
    """Required items with the titles of their documents."""
    titles = titles_of(project, [key for item in evidence for key in item])
    return [[(key, titles.get(key, "")) for key in item] for item in evidence]


def faults_seen(draft: TwinDraft) -> list[FaultSeen]:
    """The draft's faults, those in the way first; one line for each sentence."""
    faults = faults_of(draft)
    open_ones = open_faults(faults, draft.reasons)
    seen = [
        FaultSeen(fault, said_of(fault), str(draft.reasons.get(fault.code, "")), fault in open_ones)
        for fault in faults
    ]
    return sorted(seen, key=lambda one: not one.stands_in_the_way)


def compared(
    base: Request,
    base_terms: ContractTerms,
    twin_texts: Sequence[str],
    twin: ContractTerms,
    constraint: str,
) -> dict[str, Any]:
    """What shows the difference of two sides: words and contract."""
    return {
        "turns": turns_compared(base, twin_texts),
        "rows": rows_compared(base_terms, twin, constraint),
        "marks": [
            (_("base"), base_terms.ambiguity),
            (_("twin"), twin.ambiguity),
        ]
        if base_terms.ambiguity != twin.ambiguity
        else [],
    }


def draft_compared(draft: TwinDraft) -> dict[str, Any]:
    """The same of a draft, with its faults."""
    faults = faults_seen(draft)
    shown: dict[str, Any] = {
        "draft": draft,
        "faults": faults,
        "in_the_way": sum(one.stands_in_the_way for one in faults),
        "next_key": next_key(draft),
        "items": items_shown(draft.project, draft.evidence),
    }
    if draft.is_control:
        return shown
    request = draft.base.request
    return shown | compared(
        request, draft.base.terms, draft.texts, draft.contract_terms, draft.constraint
    )


def approvals(person: Person, project: Project) -> dict[str, bool]:
    """What the person may do with twins here."""
    return {
        "may_approve": may(person, "approve_twins", project).allowed,
        "may_import": may(person, "import", project).allowed,
    }
