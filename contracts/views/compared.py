"""The rows of the bench: two reviewers' sheets side by side, what differs, and what was decided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.canonical import canonical_json
from contracts.differences import AMBIGUITY, Difference
from contracts.forms import VALUE_FORMS, AmbiguityForm, MaterialityForm, ValueForm, value_form
from contracts.marking import Mark
from contracts.models import Adjudication, Decision
from contracts.services.adjudication import rows_of
from contracts.terms import Ambiguity, ConstraintTerms
from contracts.views.shown import LABELS, marked_words, phrase_of, turns_shown


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
    undecided.
    """
    request = adjudication.request
    texts = request.texts
    rows = [
        _row(number, difference, decision, texts)
        for number, (difference, decision) in enumerate(rows_of(adjudication), start=1)
    ]
    return {
        "adjudication": adjudication,
        "turns": turns_shown(request, _marks(rows)),
        "rows": rows,
        "differing": sum(not row.difference.agreed for row in rows),
        "undecided": sum(not row.difference.agreed and row.decision is None for row in rows),
        "decided": sum(row.decision is not None for row in rows),
    }


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
        a=_side(a, b, difference, texts),
        b=_side(b, a, difference, texts),
    )
    if difference.agreed:
        return row
    settled = ConstraintTerms.from_json(decision.result) if decision and decision.result else None
    shown = settled or a or b
    auto_id = f"edit{number}-%s"
    return BenchRow(
        row.number,
        row.difference,
        row.label,
        row.a,
        row.b,
        decision=decision,
        result=SideShown(phrase_of(settled), settled.materiality) if settled else None,
        form=value_form(shown, texts, auto_id=auto_id),
        materiality_form=MaterialityForm(
            initial={"materiality": shown.materiality}, auto_id=auto_id
        ),
    )


def _ambiguity_row(number: int, difference: Difference, decision: Decision | None) -> BenchRow:
    result = decision.result if decision else None
    shown = result or difference.a
    return BenchRow(
        number=number,
        difference=difference,
        label=gettext_lazy("ambiguity"),
        a=_reading(difference.a),
        b=_reading(difference.b),
        decision=decision,
        result=_reading(result) if result else None,
        ambiguity_form=AmbiguityForm(initial=shown, auto_id=f"edit{number}-%s"),
    )


def _reading(mark: Mapping[str, Any]) -> SideShown:
    shown = Ambiguity(mark["unresolved"], tuple(mark["readings"]))
    if not shown.unresolved:
        return SideShown(_("can be answered as asked"))
    readings = [(_("reading"), reading) for reading in shown.readings]
    return SideShown(_("cannot be answered as asked"), fields=readings)


def _side(
    side: ConstraintTerms | None,
    other: ConstraintTerms | None,
    difference: Difference,
    texts: Sequence[str],
) -> SideShown | None:
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
