"""Log in, change a password, make an account. Every check of a password is counted before it is
made.
"""

from typing import Any, cast

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, UserCreationForm
from django.utils.translation import gettext_lazy as _

from annotation.models import Person
from annotation.services import log_in
from annotation.visitors import client_address

TOO_MANY = "too_many"


class LogInForm(AuthenticationForm):
    """Django's, with the limit; a name that nobody has is answered like one with a wrong
    password.
    """

    wait_seconds = 0

    def clean(self) -> dict[str, Any]:
        username, password = (self.cleaned_data.get(name) for name in ("username", "password"))
        if username is not None and password:
            try:
                log_in.count_password_check(username=username, address=self._address())
            except log_in.TooMany as refusal:
                self.wait_seconds = max(1, int(refusal.wait.total_seconds()))
                raise forms.ValidationError(str(refusal), code=TOO_MANY) from refusal
        return super().clean()

    def _address(self) -> str:
        return client_address(self.request) if self.request else ""


class NewPasswordForm(PasswordChangeForm):
    """Django's, with the limit: the old password is a password check too."""

    def __init__(self, person: Person, address: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(person, *args, **kwargs)
        self.address = address

    def clean_old_password(self) -> str:
        try:
            log_in.count_password_check(username=self.user.get_username(), address=self.address)
        except log_in.TooMany as refusal:
            raise forms.ValidationError(str(refusal), code=TOO_MANY) from refusal
        return super().clean_old_password()


class NewAccountForm(UserCreationForm):  # type: ignore[type-arg]
    """The account of somebody who was invited."""

    class Meta:
        model = Person
        fields = ("username", "first_name")
        labels = {"first_name": _("Name")}
        help_texts = {"first_name": _("How the others see you. Without it they see the username.")}
        widgets = {"first_name": forms.TextInput(attrs={"autocomplete": "name", "dir": "auto"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Whoever comes with an account needs the choice above the form first.
        self.fields["username"].widget.attrs.pop("autofocus", None)
        self.fields["username"].widget.attrs["autocomplete"] = "username"

    def person(self) -> Person:
        """The person, not saved yet; hashing the password is the slow part."""
        return cast(Person, self.save(commit=False))
