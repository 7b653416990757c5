"""What is frozen besides the corpus, the requests and the contracts."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation.forms.parts import KINDS, PartChoice, PartField
from evaluation.reports.protocol.sentences import ORIGINAL_FORMS
from evaluation.runs.freezing import MAX_K


class ConditionsForm(forms.Form):
    """The parts with their parameters, and the numbers of a run.

    `initial` may hold every field by its name, those of the parameters too: so a page that was
    asked for another part keeps what stood in the other fields.
    """

    k = forms.IntegerField(
        label=_("Documents per request"),
        min_value=1,
        max_value=MAX_K,
        initial=5,
        help_text=_("Every arm gets the best k documents for its rewrite."),
    )
    original = forms.ChoiceField(
        label=_("The original arm sends"),
        choices=list(ORIGINAL_FORMS.items()),
        widget=forms.RadioSelect,
        initial="last",
    )
    token_budget = forms.IntegerField(
        label=_("Words of passages that the reader gets, at most"),
        min_value=1,
        max_value=1_000_000,
        initial=2048,
    )
    only_unseen = forms.BooleanField(
        label=_("Only requests without a result so far"),
        required=False,
        help_text=_(
            "A protocol decides only on requests that had no result when it was registered: with "
            "this, the others are left out, counted at the newest registration."
        ),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.choices = [PartChoice(name, data, self.initial) for name in KINDS]
        for choice in self.choices:
            self.fields[choice.name] = PartField(choice)

    @property
    def parts(self) -> list[tuple[PartChoice, forms.BoundField]]:
        return [(choice, self[choice.name]) for choice in self.choices]

    @property
    def numbers(self) -> list[forms.BoundField]:
        return [self[name] for name in self.base_fields]

    def is_valid(self) -> bool:
        sound = [super().is_valid(), *(choice.is_valid() for choice in self.choices)]
        return all(sound)

    def frozen(self) -> dict[str, Any]:
        """Return what `freeze_conditions` takes; the form must be valid."""
        found = dict(self.cleaned_data)
        for choice in self.choices:
            found[f"{choice.name}_parameters"] = choice.parameters.differences
        return found

    def refuse(self, sentence: str) -> None:
        """Show why it cannot be frozen: at the parameters that it is about, or above the form."""
        about = [choice.parameters.refuse(sentence) for choice in self.choices if choice.is_valid()]
        if not any(about):
            self.add_error(None, sentence)
