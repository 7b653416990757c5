"""A form for the parameters of one part, made from their dataclass."""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evaluation.documenting import text_of
from evaluation.parameters import Setting, differences, named_in, settings_of
from evaluation.registry import Part, PartError, parse_parameters
from evaluation.reports.parts.words import coded, in_words
from evaluation.team_service import ServicePart

MOST_LETTERS = 20_000
YES_NO = {"true": True, "false": False}


class ParametersForm(forms.Form):
    """The parameters of a part, each with its docstring's sentence and its default.

    A field that was not sent, or a number left empty, has its default. After `is_valid`,
    `differences` is what was set otherwise, as it is stored.
    """

    def __init__(
        self,
        part: type[Part],
        noun: str,
        data: Mapping[str, Any] | None = None,
        *,
        prefix: str,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, prefix=prefix, initial=dict(initial or {}))
        self.part = part
        self.where = f'{noun} "{part.name}"'
        self.about = coded(text_of(part).before_parameters)
        self.settings = settings_of(part.Parameters)
        self.differences: dict[str, Any] = {}
        for setting in self.settings:
            self.fields[setting.name] = _field(setting)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        given = {setting.name: self._given(setting, cleaned) for setting in self.settings}
        try:
            built: Any = parse_parameters(self.part.Parameters, given, self.where)
        except PartError as fault:
            self.refuse(str(fault.__cause__ or fault), given)
        else:
            self.differences = differences(built)
        return cleaned

    def refuse(self, sentence: str, given: Mapping[str, Any] | None = None) -> bool:
        """Show a refusal at the fields that it is about; say whether it is about any.

        Where it names several, those that are as the default has them are not blamed. `given` are
        the values that were refused here; without them a later refusal must be about this part.
        """
        named = named_in(sentence, self.fields)
        if not named and issubclass(self.part, ServicePart) and self.where in sentence:
            named = ["url"]  # what keeps a service from being called at all is its address
        values = self.differences if given is None else given
        defaults = {setting.name: _shown(setting.default) for setting in self.settings}
        changed = [n for n in named if n in values and _shown(values[n]) != defaults[n]]
        blamed = changed or (named if given is not None or self.where in sentence else [])
        for name in blamed if self.is_bound else ():
            self.add_error(name, sentence)
        if given is not None and not blamed:
            self.add_error(None, sentence)
        return self.is_bound and bool(blamed)

    def _given(self, setting: Setting, cleaned: Mapping[str, Any]) -> Any:
        widget, name = self.fields[setting.name].widget, self.add_prefix(setting.name)
        omitted = widget.value_omitted_from_data(self.data, self.files, name)
        if omitted and not setting.must_be_given:
            return setting.default
        value = cleaned[setting.name]
        if setting.optional:
            return value if value not in ("", []) else None
        return setting.default if value is None else value


def initial_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The initial values of a `ParametersForm` for stored differences."""
    return {name: _shown(value) for name, value in given.items()}


def _field(setting: Setting) -> forms.Field:
    common: dict[str, Any] = {
        "label": setting.name,
        "required": setting.must_be_given and not setting.optional,
        "help_text": _help(setting),
        "initial": None if setting.must_be_given else _shown(setting.default),
    }
    empty = "" if setting.must_be_given else in_words(setting.default)
    attributes = {"placeholder": empty, "autocomplete": "off"}
    if setting.kind == "choice":
        return _choice(setting, {str(value): value for value in setting.choices}, common)
    if setting.kind == "yes_no":
        return _choice(setting, YES_NO, common)
    if setting.kind == "whole":
        return forms.IntegerField(widget=forms.NumberInput(attrs=attributes), **common)
    if setting.kind == "number":
        number = forms.NumberInput(attrs=attributes | {"step": "any"})
        return forms.FloatField(widget=number, **common)
    if setting.kind == "texts":
        return TextsField(widget=forms.Textarea(attrs={"rows": 3}), **common)
    if setting.kind == "text":
        long = isinstance(setting.default, str) and "\n" in setting.default
        area = forms.Textarea(attrs={"rows": 8}) if long else forms.TextInput(attrs=attributes)
        return forms.CharField(widget=area, strip=False, max_length=MOST_LETTERS, **common)
    return AnyField(widget=forms.TextInput(attrs=attributes), **common)


def _choice(
    setting: Setting, values: Mapping[str, Any], common: dict[str, Any]
) -> forms.TypedChoiceField:
    words = {"true": _("yes"), "false": _("no")} if values is YES_NO else {}
    choices = [
        (
            key,
            _("%(value)s (default)") % {"value": words.get(key, key)}
            if value == setting.default
            else words.get(key, key),
        )
        for key, value in values.items()
    ]
    if setting.optional:
        choices.insert(0, ("", _("none")))
    elif setting.must_be_given:
        choices.insert(0, ("", "—"))
    return forms.TypedChoiceField(
        choices=choices, coerce=values.__getitem__, empty_value=None, **common
    )


class TextsField(forms.CharField):
    """Texts, one a line; empty lines are none."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=MOST_LETTERS, **more)

    def clean(self, value: Any) -> Any:
        return [line.strip() for line in super().clean(value).splitlines() if line.strip()]


class AnyField(forms.CharField):
    """A value of several possible types: JSON where it is any, else the text itself."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=MOST_LETTERS, **more)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            return json.loads(text) if text else None
        except ValueError:
            return text


def _shown(value: Any) -> Any:
    """A value as its field holds it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    return value


def _help(setting: Setting) -> SafeString:
    meaning = coded(setting.meaning[:1].upper() + setting.meaning[1:])
    if setting.must_be_given:
        return format_html('<span lang="en">{}</span>', meaning)
    if setting.kind in {"choice", "yes_no"} and setting.default is not None:
        return format_html('<span lang="en">{}</span>', meaning)  # its option says so
    default = _("Default: %(value)s.") % {"value": in_words(setting.default)}
    return format_html('<span lang="en">{}</span> {}', meaning, default)
