"""What the pages of this app show, computed before the template: words with marks, rows with
their forms.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from annotation.changes import Path
from annotation.keys import Act
from annotation.models import Request, Seat
from contracts.checking import TermsFault, constraint_faults
from contracts.forms import VALUE_FORMS, AmbiguityForm, ValueForm, value_form
from contracts.marking import Mark, Segment, segments
from contracts.phrases import describe_value
from contracts.terms import ConstraintTerms, ContractTerms
from contracts.values import ValueFault, validate_value


@dataclass(frozen=True)
class KindShown:
    """A kind of constraint as the desk offers it: its key, its name, and its rule in a sentence."""

    name: str
    key: str
    label: str | Promise
    rule: str | Promise

    @property
    def act(self) -> str:
        """The name of the act of marking it, which everybody may give another key."""
        return f"mark_{self.name}"


KINDS_SHOWN = (
    KindShown(
        "referent",
        "r",
        _("referent"),
        _("Who or what is meant. Name what “it” stands for, and the turn that settles it."),
    ),
    KindShown(
        "time",
        "t",
        _("time"),
        _("When. Keep the relation as the words say it: “before 2021” is not “until 2021”."),
    ),
    KindShown(
        "quantity", "q", _("quantity"), _("How much or how many, with unit, currency, aggregation.")
    ),
    KindShown(
        "polarity", "p", _("polarity"), _("What is negated or left out: “not”, “excluding”.")
    ),
    KindShown(
        "status",
        "s",
        _("status"),
        _("Which state is asked for (approved, draft …), and its rivals."),
    ),
    KindShown(
        "comparison",
        "c",
        _("comparison"),
        _("What is compared with what, by what, in which direction."),
    ),
    KindShown(
        "evidence", "e", _("evidence"), _("The kind of source that the answer must rest on.")
    ),
)
LABELS = {kind.name: kind.label for kind in KINDS_SHOWN}
# The acts of a sheet beside those of every kind of work; everybody may choose other keys.
SHEET_ACTS = (
    *(Act(kind.act, kind.key, kind.label, ("sheet",)) for kind in KINDS_SHOWN),
    Act("ambiguity", "u", _("cannot be answered as asked"), ("sheet",)),
    Act("materiality", "m", _("critical or minor, for the row in focus"), ("sheet",)),
)
# What the history of a draft calls the saves of a sheet.
SHEET_SAVES = {
    "sheet-mark": gettext_noop("marked words"),
    "sheet-value": gettext_noop("changed a value"),
    "sheet-materiality": gettext_noop("changed materiality"),
    "sheet-remove": gettext_noop("removed a constraint"),
    "sheet-ambiguity": gettext_noop("changed what cannot be answered"),
}


@dataclass(frozen=True)
class TurnShown:
    """One turn of the conversation; `index` is what a span's `turn` counts, the current text is
    the last.
    """

    index: int
    speaker: str
    current: bool
    segments: list[Segment]


@dataclass(frozen=True)
class RowShown:
    """One constraint of a sheet or contract, numbered as its marks are."""

    number: int
    constraint: ConstraintTerms
    label: str | Promise
    words: str  # the marked words
    phrase: str  # what they mean; empty while the value has faults
    faults: list[str] = field(default_factory=list)
    form: ValueForm | None = None
    fresh: bool = False  # just marked: its first field takes the focus


@dataclass(frozen=True)
class FaultShown:
    """A fault in the words of the page; `key` and `field` are the constraint's id and its field."""

    sentence: str
    key: str = ""
    field: str = ""

    def __str__(self) -> str:
        return self.sentence


def turns_shown(request: Request, marks: Sequence[Mark]) -> list[TurnShown]:
    """The whole conversation of a request with the marks in their places."""
    speakers = [turn.get_role_display() for turn in request.turns.all()]
    texts = request.texts
    return [
        TurnShown(
            index=index,
            speaker=str(speakers[index] if index < len(speakers) else _("user, now")),
            current=index == len(texts) - 1,
            segments=segments(text, index, marks),
        )
        for index, text in enumerate(texts)
    ]


def marks_of(terms: ContractTerms) -> list[Mark]:
    return [
        Mark(number, c.kind, c.span)
        for number, c in enumerate(terms.constraints, start=1)
        if c.span is not None
    ]


def marked_words(constraint: ConstraintTerms, texts: Sequence[str]) -> str:
    """The words of the request that the constraint marks; empty without a span inside the
    request.
    """
    span = constraint.span
    if span is None or not 0 <= span.turn < len(texts):
        return ""
    return texts[span.turn][span.start : span.end]


def phrase_of(constraint: ConstraintTerms) -> str:
    """The value in a phrase; empty while it has faults."""
    if validate_value(constraint.kind, constraint.value):
        return ""
    return describe_value(constraint.kind, constraint.value, gettext)


def row_shown(
    number: int,
    constraint: ConstraintTerms,
    texts: Sequence[str],
    *,
    form: ValueForm | None = None,
    fresh: bool = False,
) -> RowShown:
    return RowShown(
        number=number,
        constraint=constraint,
        label=LABELS[constraint.kind],
        words=marked_words(constraint, texts),
        phrase=phrase_of(constraint),
        faults=[_said(constraint.kind, fault) for fault in constraint_faults(constraint, texts)],
        form=form,
        fresh=fresh,
    )


def faults_shown(terms: ContractTerms, faults: Sequence[TermsFault]) -> list[FaultShown]:
    """The faults with the numbers of the rows and the labels of the fields."""
    rows = {c.id: (number, c.kind) for number, c in enumerate(terms.constraints, start=1)}
    return [
        _fault_shown(*rows[fault.key], fault)
        if fault.key in rows
        else FaultShown(gettext(str(fault)))
        for fault in faults
    ]


def _fault_shown(number: int, kind: str, fault: TermsFault) -> FaultShown:
    field = fault.fault.field if isinstance(fault.fault, ValueFault) else ""
    sentence = gettext("Row %(number)d, %(said)s") % {
        "number": number,
        "said": _said(kind, fault.fault),
    }
    return FaultShown(sentence, fault.key, field)


def _said(kind: str, fault: ValueFault | str) -> str:
    """A fault with the labels of the fields in place of their names: “Start: missing; …”."""
    if isinstance(fault, str):
        return gettext(fault)
    labels = VALUE_FORMS[kind].base_fields

    def label(name: str) -> str:
        return str(labels[name].label) if name in labels else name

    other = f"“{label(fault.other)}”" if fault.other else ""
    said, rest = fault.told(gettext)
    return f"{label(fault.field)}: {said.removeprefix('is ')}{other}{rest}"


def terms_shown(request: Request, terms: ContractTerms) -> dict[str, Any]:
    """What a page that only reads the terms needs: turns with marks, rows, readings."""
    texts = request.texts
    return {
        "turns": turns_shown(request, marks_of(terms)),
        "rows": [row_shown(n, c, texts) for n, c in enumerate(terms.constraints, start=1)],
        "ambiguity": terms.ambiguity,
    }


def element_of(path: Path) -> str:
    """The id of the element that shows one value of a sheet's draft; empty for what is gone."""
    match path:
        case ("ambiguity", "unresolved"):
            return "id_unresolved"
        case ("ambiguity", *_rest):
            return "id_readings"
        case ("constraints", key, "materiality"):
            return f"materiality-{key}"
        case ("constraints", key, "value", name, *_rest) | ("constraints", key, name, *_rest):
            return f"{key}-{name}"
        case ("constraints", key):
            return f"what-{key}"
    return ""


def sheet_shown(seat: Seat, terms: ContractTerms, *, fresh: str = "") -> dict[str, Any]:
    """What the work on a sheet needs; `fresh` is the id of the constraint that was just marked."""
    texts = seat.request.texts
    rows = [
        row_shown(number, c, texts, form=value_form(c, texts), fresh=c.id == fresh)
        for number, c in enumerate(terms.constraints, start=1)
    ]
    return {
        "seat": seat,
        "turns": turns_shown(seat.request, marks_of(terms)),
        "rows": rows,
        "ambiguity_form": AmbiguityForm.of(terms.ambiguity),
        "kinds": KINDS_SHOWN,
    }
