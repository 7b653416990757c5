"""The protocol and the arms of a new run."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from evaluation.models import Arm, Protocol
from evaluation.offered import offers
from evaluation.reports.parts.words import differences_in_words
from evaluation.rewriters.base import REWRITERS


class ArmOption:
    """One arm that a run can have: its name, what it is, and why it cannot run, if so."""

    def __init__(self, name: str, about: Any, *, fixed: bool = False, blocked: Any = "") -> None:
        self.name = name
        self.about = about
        self.fixed = fixed
        self.blocked = blocked


class StartForm(forms.Form):
    """The protocol and the arms of a new run; the original is always among them."""

    protocol = forms.ModelChoiceField(
        label=_("Protocol"), queryset=Protocol.objects.none(), required=False, empty_label=None
    )
    arms = forms.MultipleChoiceField(label=_("Arms"), required=False)
    fresh = forms.BooleanField(
        label=_("Compute everything anew"),
        required=False,
        help_text=_(
            "Otherwise what an equal earlier run computed is taken over: the same arm, request "
            "and conditions."
        ),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.options = arm_options(project)
        protocol, arms = self.fields["protocol"], self.fields["arms"]
        assert isinstance(protocol, forms.ModelChoiceField)  # noqa: S101 for the type checker
        assert isinstance(arms, forms.MultipleChoiceField)  # noqa: S101 for the type checker
        protocol.queryset = project.protocols.filter(superseded_by=None).order_by("-pk")
        protocol.required = project.takes_contracts
        arms.choices = [(o.name, o.name) for o in self.options if not o.blocked]
        self.chosen = set(self["arms"].value() or ()) if self.is_bound else {"human"}

    def arm_names(self) -> list[str]:
        return list(dict.fromkeys(["original", *self.cleaned_data["arms"]]))


def arm_options(project: Project) -> list[ArmOption]:
    """Return every arm that a run of the project can have: fixed ones, uploaded ones, those made
    here with parameters, and the rewriters with their defaults.
    """
    found = [
        ArmOption("original", _("the request as the user sent it; always part"), fixed=True),
        ArmOption("human", _("the standalone references that people wrote")),
    ]
    for arm in project.arms.filter(source=Arm.Source.UPLOADED).order_by("name"):
        found.append(ArmOption(arm.name, _("uploaded rewrites")))
    rewriters = {offer.name: offer for offer in offers(REWRITERS)}
    taken = {option.name for option in found}
    for arm in project.arms.filter(source=Arm.Source.ENGINE).order_by("name"):
        if arm.is_default:
            continue
        taken.add(arm.name)
        offer = rewriters.get(arm.rewriter)
        blocked = offer.blocked if offer else _now("there is no such rewriter any more")
        found.append(ArmOption(arm.name, described(arm), blocked=blocked))
    for offer in rewriters.values():
        if offer.name not in taken:
            found.append(ArmOption(offer.name, offer.what, blocked=offer.blocked))
    return found


def described(arm: Arm) -> str:
    """Say what an arm that is run here is: its rewriter, and what differs from the defaults."""
    return _now("%(rewriter)s: %(parameters)s") % {
        "rewriter": arm.rewriter,
        "parameters": differences_in_words(REWRITERS, arm.rewriter, arm.parameters),
    }
