"""What a person decided about one constraint."""

from django import forms

from evaluation.services.judgements import CHOICES


class JudgementForm(forms.Form):
    """What a person decided about one constraint."""

    outcome = forms.ChoiceField(choices=[(name, name) for name in CHOICES])
    note = forms.CharField(required=False, max_length=2000)
