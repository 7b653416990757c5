"""What a person decided about one answer."""

from django import forms

from evaluation.services.answers import WORDS

_CHOICES = [(word, word) for word in WORDS]


class AnswerForm(forms.Form):
    """The answer that was shown, and the words for the questions that were asked of it."""

    answer = forms.CharField(max_length=64)
    correct = forms.ChoiceField(required=False, choices=_CHOICES)
    supported = forms.ChoiceField(required=False, choices=_CHOICES)
    note = forms.CharField(required=False, max_length=2000)
