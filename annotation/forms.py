"""The shape of what people send. Whether they may send it is asked elsewhere."""

from typing import Any

from django import forms
from django.apps import apps
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from annotation.importing.kinds import FILE_KINDS, FileKind
from annotation.importing.reading import MAX_BYTES
from annotation.models import Person, Project, Role
from annotation.permissions import is_member, may


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

    limits = {"lease_minutes": (5, 24 * 60)}

    class Meta:
        model = Project
        fields = ("name", "description", "lease_minutes")
        widgets = {"description": forms.Textarea(attrs={"rows": 4})}
        help_texts = {
            "lease_minutes": _("A seat without a saved change for so long returns to the pool."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (low, high) in self.limits.items():
            field = self.fields[name]
            field.validators += [MinValueValidator(low), MaxValueValidator(high)]
            field.widget.attrs.update(min=low, max=high)


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
        person = Person.objects.filter(username=username).first()
        if person is None:
            raise forms.ValidationError(
                _(
                    "Nobody here is called “%(username)s”. Whoever runs this server can add them "
                    "with: python manage.py add_person %(username)s"
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


class ImportForm(forms.Form):
    """One file and what it is; only the kinds that the person may import are offered."""

    kind = forms.ChoiceField(label=_("What the file holds"))
    arm = forms.CharField(label=_("Name of the arm"), max_length=80, required=False)
    file = forms.FileField(label=_("File"), allow_empty_file=True)
    check_only = forms.BooleanField(label=_("Check only, write nothing"), required=False)

    def __init__(self, person: Person, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kinds = [k for k in _kinds_in_order() if may(person, k.act, project).allowed]
        targeted = ", ".join(str(k.label) for k in self.kinds if k.target)
        kind, arm = self.fields["kind"], self.fields["arm"]
        assert isinstance(kind, forms.ChoiceField)  # noqa: S101 for the type checker
        kind.choices = [(k.name, k.label) for k in self.kinds]
        arm.help_text = _("Only for: %(kinds)s.") % {"kinds": targeted}
        if not targeted:
            arm.widget = forms.HiddenInput()

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(
                _("The file is over %(limit)d MiB: split it.") % {"limit": MAX_BYTES // 2**20}
            )
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        kind = FILE_KINDS.get(cleaned.get("kind", ""))
        if kind and kind.target and not cleaned.get("arm", "").strip():
            self.add_error("arm", _("This kind of file belongs to an arm: name it."))
        # A name that the kind does not use would make the same file look like another one.
        cleaned["arm"] = cleaned.get("arm", "").strip() if kind and kind.target else ""
        return cleaned


def _kinds_in_order() -> list[FileKind]:
    """The kinds as a study needs them: the files of an app build on those of the apps below it."""
    lowest_first = [config.name for config in apps.get_app_configs()][::-1]
    return sorted(
        FILE_KINDS.values(), key=lambda kind: lowest_first.index(kind.__module__.split(".")[0])
    )
