"""The shape of what people send. Whether they may send it is asked elsewhere."""

from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from annotation.guidelines import MAX_LENGTH
from annotation.models import Person, Project, Role
from annotation.permissions import is_member
from annotation.services.invitations import MAX_DAYS
from annotation.services.projects import SETTINGS

MAX_CONSENT = 20_000


def _with_plain_lines(text: str) -> str:
    """Browsers send lines that end in CR LF; without the CR the same words are the same text."""
    return text.replace("\r\n", "\n").strip()


class NewProjectForm(forms.ModelForm):  # type: ignore[type-arg] # generic for mypy only
    class Meta:
        model = Project
        fields = ("name", "slug", "description", "purpose", "hypothetical")
        widgets = {"purpose": forms.RadioSelect, "description": forms.Textarea(attrs={"rows": 4})}
        help_texts = {
            "slug": _("Letters, digits and hyphens; it stands in every address and never changes."),
            "purpose": _("This is settled now: a retrieval-only study never gets verdicts."),
        }
        error_messages = {"slug": {"unique": _("This short name is taken: choose another.")}}


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """What an owner may change later."""

    limits = {
        "lease_minutes": (5, 24 * 60),
        "reviewers_per_request": (2, 5),
        "paraphrases_per_request": (0, 10),
    }

    class Meta:
        model = Project
        fields = SETTINGS
        widgets = {
            "description": forms.Textarea(attrs={"rows": 4}),
            "reference_date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "consent_text": forms.Textarea(attrs={"rows": 6, "class": "words-s", "dir": "auto"}),
        }
        help_texts = {
            "lease_minutes": _("A seat without a saved change for so long returns to the pool."),
            "reviewers_per_request": _(
                "2 to 5. The bench settles the first two sealed sheets; further ones count for "
                "agreement."
            ),
            "paraphrases_per_request": _("0 to 10. How many people reword each request."),
            "reference_date": _(
                "What “now” means in a request that brings no date of its own. Leave it empty if "
                "each brings one."
            ),
            "consent_text": _(
                "Annotators agree to it before their first item, and again when it changes. "
                "Leave it empty to ask for nothing."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["consent_text"].validators.append(MaxLengthValidator(MAX_CONSENT))
        for name, (low, high) in self.limits.items():
            field = self.fields[name]
            field.validators += [MinValueValidator(low), MaxValueValidator(high)]
            field.widget.attrs.update(min=low, max=high)

    def clean_consent_text(self) -> str:
        return _with_plain_lines(self.cleaned_data["consent_text"])


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=Role.Name.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one role.")},
    )


class NewMemberForm(RolesForm):
    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    field_order = ("username", "roles")

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project

    def clean_username(self) -> Person:
        username = self.cleaned_data["username"]
        person = Person.objects.filter(username=username, erased_at=None).first()
        if person is None:
            raise forms.ValidationError(
                _(
                    "Nobody here is called “%(username)s”. Send them an invitation link, or "
                    "have whoever runs this server add them: "
                    "python manage.py add_person %(username)s"
                )
                % {"username": username}
            )
        if is_member(person, self.project):
            raise forms.ValidationError(
                _("%(name)s is a member already: change the roles in the list.")
                % {"name": person.shown_name}
            )
        return person


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Why it cannot be judged"), required=False)


class InvitationForm(RolesForm):
    """A link for one person: what they may do here, for whom it is, how long it holds."""

    note = forms.CharField(
        label=_("For whom"),
        max_length=120,
        required=False,
        help_text=_("Only owners see this note."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    days = forms.IntegerField(
        label=_("Days it holds"), min_value=1, max_value=MAX_DAYS, initial=7, help_text=_("1 to 30")
    )


class GuidelineForm(forms.Form):
    """A new version of one guideline; `seen` is the version that the page showed."""

    text = forms.CharField(
        label=_("Text"),
        required=False,
        max_length=MAX_LENGTH,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "class": "words-s", "dir": "auto"}),
        help_text=_("Markdown: # heading, - list, **strong**, `code`, [words](https://…)."),
    )
    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def clean_text(self) -> str:
        return _with_plain_lines(self.cleaned_data["text"])
