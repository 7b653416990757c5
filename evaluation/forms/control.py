"""What people send about a run that has started: how to extend it, why it may go without cases."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation.forms.starting import arm_options
from evaluation.models import Run
from evaluation.services.runs import Newer
from evaluation.services.runs.control import LONGEST_REASON


class ExtendForm(forms.Form):
    """More arms, the requests of now, or both."""

    arms = forms.MultipleChoiceField(label=_("More arms"), required=False)
    with_new_requests = forms.BooleanField(label=_("With the requests of now"), required=False)

    def __init__(self, run: Run, newer: Newer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.options = [o for o in arm_options(run.project) if o.name not in run.arm_content]
        arms = self.fields["arms"]
        assert isinstance(arms, forms.MultipleChoiceField)  # noqa: S101 for the type checker
        arms.choices = [(o.name, o.name) for o in self.options if not o.blocked]
        self.chosen = set(self["arms"].value() or ())
        self.newer = newer


class WithoutFailedForm(forms.Form):
    """Why a run may be concluded without the cases that failed."""

    reason = forms.CharField(
        label=_("Why may it be concluded without them?"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Kept in the ledger, and shown with the verdicts."),
        error_messages={
            "required": _("Say why the run may be concluded without them: it is kept with the run.")
        },
    )
