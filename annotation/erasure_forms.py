"""Whom to erase, and the agreement to exactly what the page showed."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.erasure_effects import effect_of
from annotation.models import Person

_PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class WhomForm(forms.Form):
    person = forms.CharField(
        label=gettext_lazy("Username"), max_length=150, widget=forms.TextInput(attrs=_PLAIN)
    )

    def clean_person(self) -> Person:
        name = self.cleaned_data["person"]
        person = Person.objects.filter(username=name).first()
        if person is None:
            raise forms.ValidationError(_("Nobody here is called “%(name)s”.") % {"name": name})
        return person


class ErasureForm(forms.Form):
    """`seen` is the hash of the effect that the page showed."""

    texts = forms.BooleanField(
        label=gettext_lazy("Withdraw their consents too: the texts of their paraphrases go"),
        required=False,
        help_text=gettext_lazy(
            "As they could themselves: hashes stay, and the seats of those texts are free again."
        ),
    )
    typed = forms.CharField(
        label=gettext_lazy("Type the username to confirm"),
        max_length=150,
        widget=forms.TextInput(attrs=_PLAIN),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, person: Person, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed != self.person.username:
            raise forms.ValidationError(
                _("This is not “%(name)s”: nothing was erased.") % {"name": self.person.username}
            )
        return typed

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if found.get("seen") != effect_of(self.person).seen:
            raise forms.ValidationError(
                _("What it does changed after this page was opened: read it again.")
            )
        return found
