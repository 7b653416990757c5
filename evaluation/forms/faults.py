"""What is wrong with forms, gathered for the summary above them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One faulty field: the id of its control, the row that it is in, its label and the fault."""

    id: str
    where: str
    label: str
    said: str


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a form as a whole, and field by field in the order of the page."""

    reasons: tuple[str, ...]
    fields: tuple[FieldFault, ...]


def faults_of(parts: Iterable[tuple[str, forms.BaseForm]]) -> Faults | None:
    """Return the faults of bound forms, each with the name of its row ("" for none); None without
    any.
    """
    reasons: list[str] = []
    fields: list[FieldFault] = []
    for where, form in parts:
        if not form.is_bound:
            continue
        reasons += [str(said) for said in form.errors.get(NON_FIELD_ERRORS, ())]
        fields += [
            FieldFault(_control(form[name]), where, str(form[name].label), in_one(said))
            for name in form.fields
            if (said := form.errors.get(name))
        ]
    return Faults(tuple(reasons), tuple(fields)) if reasons or fields else None


def in_one(said: Iterable[object]) -> str:
    """The faults of a field in one line."""
    return " ".join(str(fault) for fault in said)


def _control(field: forms.BoundField) -> str:
    """The id of the control, of a group of radio buttons the first."""
    first = next(iter(field.subwidgets), None) if field.use_fieldset else None
    return str(first.id_for_label if first else field.id_for_label)
