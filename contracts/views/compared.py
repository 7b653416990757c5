"""The rows of the bench: two reviewers' sheets side by side, what differs, and what was decided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.canonical import canonical_json
from contracts.differences import AMBIGUITY, Difference
from contracts.forms import VALUE_FORMS, AmbiguityForm, MaterialityForm, ValueForm, value_form
from contracts.marking import Mark
from contracts.merging import CannotMerge, merged
from contracts.models import Adjudication, Decision
from contracts.services.bench.rows import further_sheets, is_open, presence_of, rows_of
from contracts.terms import Ambiguity, ConstraintTerms
from contracts.views.shown import LABELS, marked_words, phrase_of, turns_shown

# Why reviewers differ, each with its key.
REASONS = (
    ("gap", "g", gettext_lazy("guideline gap")),
    ("slip", "s", gettext_lazy("slip")),
    ("reading", "r", gettext_lazy("reading")),
    ("other", "o", gettext_lazy("other")),
)


@dataclass(frozen=True)
class SideShown:
    """What one reviewer has in a row, or what was decided. `fields` are the parts that differ,
    named and shown.
    """

    phrase: str
    materiality: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class BenchRow:
    """One row: both sides (None: no such constraint), and for a difference its decision and its
    forms.
    """

    number: int
    difference: Difference
    label: str | Promise
    a: SideShown | None
    b: SideShown | None
    decision: Decision | None = None
    result: SideShown | None = None
    form: ValueForm | None = None
    materiality_form: MaterialityForm | None = None
    ambiguity_form: AmbiguityForm | None = None
    # Why the two sides cannot be merged; empty where they can.
    no_merge: str = ""
    # How many of all reviewers have it, where more than two sealed a sheet.
    presence: str = ""
    last: bool = False  # decided last, alone: a reason that is given now is meant for it

    @property
    def is_open(self) -> bool:
        return is_open(self.difference, self.decision)

    @property
    def materiality_differs(self) -> bool:
        return "materiality" in self.difference.fields

    @property
    def edits(self) -> list[Any]:
        """The forms in which this row's decision is edited."""
        forms = (self.form, self.materiality_form, self.ambiguity_form)
        return [form for form in forms if form is not None]


def bench_shown(adjudication: Adjudication) -> dict[str, Any]:
    """What the bench needs of one adjudication: the words with numbered marks, the rows, what is
    undecided, and what further reviewers have.
    """
    request = adjudication.request
    texts = request.texts
    further = further_sheets(adjudication)
    votes, others = presence_of(adjudication, further) if further else ({}, [])
    found = rows_of(adjudication)
    last = _last_alone([decision for _difference, decision in found if decision])
    rows = [
        replace(
            _row(number, difference, decision, texts),
            presence=_presence(votes.get(difference.item), len(further) + 2),
            last=decision is not None and decision.pk == last,
        )
        for number, (difference, decision) in enumerate(found, start=1)
    ]
    differing = [row for row in rows if not row.difference.agreed]
    return {
        "adjudication": adjudication,
        "turns": turns_shown(request, _marks(rows)),
        "rows": rows,
        "differing": len(differing),
        "undecided": sum(row.is_open for row in differing),
        "decided": sum(row.decision is not None for row in differing),
        "unreasoned": sum(bool(row.decision and not row.decision.reason) for row in differing),
        "reasons": REASONS,
        "further": len(further),
        "others": others,
        "sent_back": adjudication.sent_back.upper(),
        "returnable": _returnable(adjudication),
    }


def _last_alone(decisions: Sequence[Decision]) -> int | None:
    """The decision that was made last; None where several were made in one step."""
    if not decisions:
        return None
    moment = max(decision.decided_at for decision in decisions)
    last = [decision.pk for decision in decisions if decision.decided_at == moment]
    return last[0] if len(last) == 1 else None


def _presence(have: int | None, of: int) -> str:
    if have is None:
        return ""
    return _("%(have)d of %(of)d reviewers have it") % {"have": have, "of": of}


def _returnable(adjudication: Adjudication) -> list[tuple[str, str]]:
    """The sides whose sheet can go back: sealed here by its reviewer."""
    sheets = (("a", adjudication.sheet_a), ("b", adjudication.sheet_b))
    return [
        (side, side.upper()) for side, sheet in sheets if sheet.seat and sheet.seat.draft_version
    ]


def _marks(rows: Sequence[BenchRow]) -> list[Mark]:
    """Each row's number over the words that either reviewer marked, once where they marked the
    same.
    """
    found = []
    for row in rows:
        if row.difference.kind == AMBIGUITY:
            continue
        sides = (row.difference.a, row.difference.b)
        spans = {side.span for side in sides if side is not None and side.span is not None}
        found += [Mark(row.number, row.difference.kind, span) for span in spans]
    return found


def _row(
    number: int, difference: Difference, decision: Decision | None, texts: Sequence[str]
) -> BenchRow:
    if difference.kind == AMBIGUITY:
        return _ambiguity_row(number, difference, decision)
    a, b = difference.a, difference.b
    row = BenchRow(
        number=number,
        difference=difference,
        label=LABELS[difference.kind],
        a=side_shown(a, b, difference, texts),
        b=side_shown(b, a, difference, texts),
    )
    if difference.agreed:
        return row
    settled = ConstraintTerms.from_json(decision.result) if decision and decision.result else None
    shown = settled or a or b
    auto_id = f"edit{number}-%s"
    return replace(
        row,
        decision=decision,
        no_merge=_no_merge(difference),
        result=SideShown(phrase_of(settled), settled.materiality) if settled else None,
        form=value_form(shown, texts, auto_id=auto_id),
        materiality_form=MaterialityForm(
            initial={"materiality": shown.materiality}, auto_id=auto_id
        ),
    )


def _ambiguity_row(number: int, difference: Difference, decision: Decision | None) -> BenchRow:
    if difference.agreed:
        decision = None
    result = decision.result if decision else None
    # Undecided, the form offers what either reviewer reads.
    both = list(dict.fromkeys([*difference.a["readings"], *difference.b["readings"]]))
    marked = difference.a["unresolved"] or difference.b["unresolved"]
    return BenchRow(
        number=number,
        difference=difference,
        label=gettext_lazy("ambiguity"),
        a=reading_shown(difference.a),
        b=reading_shown(difference.b),
        decision=decision,
        result=reading_shown(result) if result else None,
        no_merge=_no_merge(difference),
        ambiguity_form=AmbiguityForm(
            initial=result or {"unresolved": marked, "readings": both}, auto_id=f"edit{number}-%s"
        ),
    )


def _no_merge(difference: Difference) -> str:
    try:
        merged(difference)
    except CannotMerge as refusal:
        return _(str(refusal))
    return ""


def reading_shown(mark: Mapping[str, Any]) -> SideShown:
    """The ambiguity mark in a phrase, its readings as fields."""
    shown = Ambiguity(mark["unresolved"], tuple(mark["readings"]))
    if not shown.unresolved:
        return SideShown(_("can be answered as asked"))
    readings = [(_("reading"), reading) for reading in shown.readings]
    return SideShown(_("cannot be answered as asked"), fields=readings)


def side_shown(
    side: ConstraintTerms | None,
    other: ConstraintTerms | None,
    difference: Difference,
    texts: Sequence[str],
) -> SideShown | None:
    """One side of a row with the parts in which it differs from the other."""
    if side is None:
        return None
    fields = []
    if other is None or "words" in difference.fields:
        fields.append((_("words"), f"“{marked_words(side, texts)}”"))
    if other is not None and "value" in difference.fields:
        fields += _differing_values(side, other)
    if other is not None and "admissible" in difference.fields:
        fields.append((_("other wordings"), "; ".join(side.admissible) or "—"))
    return SideShown(phrase_of(side), side.materiality, fields)


def _differing_values(side: ConstraintTerms, other: ConstraintTerms) -> list[tuple[str, str]]:
    labels = VALUE_FORMS[side.kind].base_fields
    names = [*side.value, *(name for name in other.value if name not in side.value)]
    return [
        (str(labels[name].label) if name in labels else name, _value_shown(side.value.get(name)))
        for name in names
        if canonical_json(side.value.get(name)) != canonical_json(other.value.get(name))
    ]


def _value_shown(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        return "; ".join(str(item) for item in value) or "—"
    return "—" if value is None else str(value)
