"""The shape of what annotators and adjudicators send. A draft may be unfinished, so no field is
required here.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contracts.models import Decision, Training
from contracts.phrases import WORDS
from contracts.terms import KINDS, MATERIALITIES, Ambiguity, ConstraintTerms
from contracts.values import (
    AGGREGATIONS,
    CALENDARS,
    DIRECTIONS,
    FIELDS,
    MODES,
    OPERATORS,
    RELATIONS,
    complete_value,
)

# With these relations an empty end means "the same as the start"; the page leaves it empty.
ONE_DATE = ("on", "during", "as_of")


class LinesField(forms.CharField):
    """A list of phrases, one a line: a phrase may hold commas."""

    widget = forms.Textarea(attrs={"rows": 1, "dir": "auto", "autocomplete": "off"})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        text = str(value or "")
        ProhibitNullCharactersValidator()(text)  # Django's own check does not look into lists
        return [line.strip() for line in text.splitlines() if line.strip()]


class NumberField(forms.Field):
    """A number as text, so that an unfinished digit never clears what the person typed."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
    default_error_messages = {"invalid": _("write a number such as 4.1, not “%(value)s”.")}

    def prepare_value(self, value: Any) -> Any:
        return int(value) if isinstance(value, float) and value.is_integer() else value

    def to_python(self, value: Any) -> float | None:
        typed = str(value or "").strip()
        if not typed:
            return None
        try:
            number = float(typed)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid", params={"value": typed}
            )
        return number


def _text(label: Any, placeholder: str = "") -> forms.CharField:
    attributes = {"dir": "auto", "autocomplete": "off"}
    if placeholder:
        attributes["placeholder"] = placeholder
    return forms.CharField(label=label, required=False, widget=forms.TextInput(attrs=attributes))


def _choice(label: Any, words: Sequence[str], *, empty: bool = False) -> forms.TypedChoiceField:
    # In English the words are those of contracts.jsonl: whoever reads the file meets the same ones.
    said = {**{word: _(WORDS[word]) for word in WORDS}, "by": pgettext_lazy("of a time", "by")}
    choices = [(word, said.get(word, word)) for word in words]
    return forms.TypedChoiceField(
        label=label,
        choices=[("", "—"), *choices] if empty else choices,
        required=False,
        empty_value=None,
    )


class ValueForm(forms.Form):
    """The value of one constraint and its admissible forms; each kind has its own fields."""

    def __init__(
        self, constraint: ConstraintTerms, texts: Sequence[str], *args: Any, **kwargs: Any
    ):
        self.constraint = constraint
        kwargs.setdefault("initial", self.shown(constraint))
        kwargs.setdefault("auto_id", f"{constraint.id}-%s")
        super().__init__(*args, **kwargs)
        self.fields["admissible"] = LinesField(
            label=_("Other wordings that say the same, one a line"), required=False
        )
        if "from_turn" in self.fields:
            self._offer_turns(texts)

    def shown(self, constraint: ConstraintTerms) -> dict[str, Any]:
        """What the fields show for the constraint as it stands."""
        value = dict(constraint.value)
        if value.get("relation") in ONE_DATE and value.get("end") == value.get("start"):
            value["end"] = None
        return {**value, "admissible": constraint.admissible}

    def typed_value(self) -> dict[str, Any]:
        """The typed fields; what was left empty is null where it may be, and missing where it may
        not.
        """
        found: dict[str, Any] = {}
        for name, field in FIELDS[self.constraint.kind].items():
            typed = self.cleaned_data.get(name)
            if typed not in ("", None):
                found[name] = typed
            elif field.nullable:
                found[name] = None
        return complete_value(self.constraint.kind, found)

    def typed_admissible(self) -> list[str]:
        return list(self.cleaned_data["admissible"])

    def sentences(self) -> list[str]:
        """The form's faults, each with the name of its field."""
        return [
            f"{self.fields[name].label}: {fault}" if name in self.fields else str(fault)
            for name, faults in self.errors.items()
            for fault in faults
        ]

    def _offer_turns(self, texts: Sequence[str]) -> None:
        turns = [(n, f"{n}: {text[:60]}") for n, text in enumerate(texts)]
        field = self.fields["from_turn"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101 for the type checker
        field.choices = [("", "—"), *turns]


class ReferentForm(ValueForm):
    name = _text(_("Name"))
    aliases = LinesField(label=_("Aliases, one a line"), required=False)
    from_turn = forms.TypedChoiceField(
        label=_("Settled by turn"), required=False, coerce=int, empty_value=None
    )
    unresolved = forms.BooleanField(label=_("Nobody can tell which one is meant"), required=False)


class TimeForm(ValueForm):
    relation = _choice(_("Relation"), RELATIONS, empty=True)
    start = _text(_("Start"), "2023-04-30, 2023-04, 2023-Q1, 2023")
    end = _text(_("End"), "2023-04-30, 2023-04, 2023-Q1, 2023")
    calendar = _choice(_("Calendar"), CALENDARS)
    reference_date = _text(_("Date of “now”, for wordings such as “current”"), "2024-06-30")


class QuantityForm(ValueForm):
    operator = _choice(_("Operator"), OPERATORS, empty=True)
    value = NumberField(label=_("Value"), required=False)
    high = NumberField(label=_("Upper end, with “between”"), required=False)
    unit = _text(_("Unit"))
    currency = _text(_("Currency"), "EUR")
    aggregation = _choice(_("Aggregation"), AGGREGATIONS, empty=True)


class PolarityForm(ValueForm):
    mode = _choice(_("Mode"), MODES, empty=True)
    target = _text(_("What is negated or left out"))


class StatusForm(ValueForm):
    value = _text(_("Status"), "approved, proposed, draft, final")
    rivals = LinesField(label=_("Rivals that it is not, one a line"), required=False)


class ComparisonForm(ValueForm):
    sets = LinesField(label=_("What is compared, one a line"), required=False)
    direction = _choice(_("Direction"), DIRECTIONS, empty=True)
    measure = _text(_("Measure"))


class EvidenceForm(ValueForm):
    source = _text(_("Kind of source"))


VALUE_FORMS: Mapping[str, type[ValueForm]] = {
    "referent": ReferentForm,
    "time": TimeForm,
    "quantity": QuantityForm,
    "polarity": PolarityForm,
    "status": StatusForm,
    "comparison": ComparisonForm,
    "evidence": EvidenceForm,
}


def value_form(
    constraint: ConstraintTerms, texts: Sequence[str], data: Any = None, **kwargs: Any
) -> ValueForm:
    """Return the form of the constraint's kind, filled with its value or with what was sent."""
    return VALUE_FORMS[constraint.kind](constraint, texts, data, **kwargs)


class MarkForm(forms.Form):
    """Words of the request that a person marks; offsets are code points. `words` is what the page
    showed.
    """

    kind = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS])
    turn = forms.IntegerField(min_value=0)
    start = forms.IntegerField(min_value=0)
    end = forms.IntegerField(min_value=0)
    words = forms.CharField(required=False, strip=False)


class AmbiguityForm(forms.Form):
    """The mark that the right reply is a question, and what a person might mean."""

    unresolved = forms.BooleanField(
        label=_("Cannot be answered as asked: the right reply is a question"), required=False
    )
    readings = LinesField(label=_("What might be meant, one reading a line"), required=False)

    @classmethod
    def of(cls, mark: Ambiguity, prefix: str | None = None) -> "AmbiguityForm":
        return cls(initial=mark.to_json(), prefix=prefix)


class DecisionForm(forms.Form):
    """How one difference is settled."""

    item = forms.CharField(max_length=80)
    take = forms.ChoiceField(choices=Decision.Take.choices)
    note = forms.CharField(required=False)


class MaterialityForm(forms.Form):
    materiality = forms.ChoiceField(
        label=_("Materiality"), choices=[(word, word) for word in MATERIALITIES]
    )


class TrainingForm(forms.Form):
    """Whether annotators must qualify, and the pass mark as people say it: in percent."""

    required = forms.BooleanField(
        label=_("Annotators seal sheets only after they passed"), required=False
    )
    percent = forms.IntegerField(
        label=_("Pass mark: percent of the known critical demands that must be found"),
        min_value=0,
        max_value=100,
    )

    @staticmethod
    def of(training: Training) -> dict[str, Any]:
        return {"required": training.required, "percent": round(training.pass_mark * 100)}

    def settings(self) -> dict[str, Any]:
        """What was sent, in the service's units."""
        sent = self.cleaned_data
        return {"required": sent["required"], "pass_mark": sent["percent"] / 100}
