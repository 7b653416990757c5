"""The shape of a new API token."""

from datetime import timedelta

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.services.tokens import LIFETIME, SCOPES

NEVER = "never"
DAYS = ("7", "30", str(LIFETIME.days), "365")


def _lifetimes() -> list[tuple[str, str]]:
    """Asked for by every form anew, because what is filled in here is words at once."""
    return [
        *((days, _("%(days)s days") % {"days": days}) for days in DAYS),
        (NEVER, str(_("never: until I revoke it"))),
    ]


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        help_text=_("What it is for, so that you know it again: “nightly import”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(name, label) for name, label in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
        initial=["read"],
        help_text=_("It may never do more than you may yourself."),
        error_messages={"required": _("Choose at least one.")},
    )
    days = forms.ChoiceField(
        label=_("It ends after"),
        choices=_lifetimes,
        initial=str(LIFETIME.days),
    )

    def lifetime(self) -> timedelta | None:
        """How long the token holds; None for ever."""
        days = self.cleaned_data["days"]
        return None if days == NEVER else timedelta(days=int(days))
