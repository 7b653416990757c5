"""A new arm: its name. Its parameters are a `ParametersForm` beside it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from evaluation.forms.parameters import ParametersForm
from evaluation.services.arms import MAX_NAME, name_fault


class ArmForm(forms.Form):
    """How pages, reports and commands call the arm."""

    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_NAME,
        help_text=_(
            "How pages, reports and commands call it: letters, digits, hyphens and underscores, "
            "such as hyde-8. It cannot be changed later."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(
        self, project: Project, rewriter: str, data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data)
        self.project = project
        self.rewriter = rewriter

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        again = self.project.arms.filter(name=name, rewriter=self.rewriter).exists()
        if not again and (fault := name_fault(self.project, name)):
            raise forms.ValidationError(fault)
        return name  # the same arm again, by a double click, is no fault: the service decides

    def refuse(self, sentence: str, parameters: ParametersForm) -> None:
        """Show why no arm was made: at the name, at the parameters that it is about, or above."""
        name = str(self.cleaned_data["name"])
        if sentence == name_fault(self.project, name):
            self.add_error("name", sentence)
        elif not parameters.refuse(sentence):
            self.add_error(None, sentence)
