"""Choosing a part of a kind on a form, with the fields of its own parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from evaluation.constraint_judges.base import CONSTRAINT_JUDGES
from evaluation.constraint_judges.base import DEFAULT as DEFAULT_CONSTRAINT_JUDGE
from evaluation.forms.parameters import ParametersForm
from evaluation.offered import Offer, offers
from evaluation.readers.base import READERS
from evaluation.registry import Registry
from evaluation.retrieval.base import RETRIEVERS
from evaluation.support.base import DEFAULT as DEFAULT_SUPPORT
from evaluation.support.base import SUPPORT_JUDGES


@dataclass(frozen=True, slots=True)
class PartKind:
    """A kind of part that Conditions freeze."""

    registry: Registry[Any]
    label: str | Promise
    help: str | Promise
    default: str


# By the name of their field, which is also their name in frozen Conditions.
KINDS: Mapping[str, PartKind] = {
    "retriever": PartKind(
        RETRIEVERS, _("Retriever"), _("What searches with the rewrite's queries."), "bm25"
    ),
    "reader": PartKind(
        READERS,
        _("Reader"),
        _("What writes the answer from the retrieved documents."),
        "extractive",
    ),
    "support": PartKind(
        SUPPORT_JUDGES,
        _("Support judge"),
        _("What says whether the retrieved documents support an answer."),
        DEFAULT_SUPPORT,
    ),
    "constraint_judge": PartKind(
        CONSTRAINT_JUDGES,
        _("Constraint judge"),
        _(
            "What may settle whether a rewrite keeps a constraint where the matchers are unsure. "
            "People prevail over it."
        ),
        DEFAULT_CONSTRAINT_JUDGE,
    ),
}


@dataclass(frozen=True, slots=True)
class PartRow:
    """One part of the list: it can be chosen, or `offer.blocked` says why not."""

    offer: Offer
    chosen: bool


class PartChoice:
    """The part chosen of one kind, the others, and the form of its parameters.

    `data` is what was sent, or None; `initial` is what a page without anything sent shows, by the
    fields' names.
    """

    def __init__(
        self, name: str, data: Mapping[str, Any] | None, initial: Mapping[str, Any]
    ) -> None:
        self.name = name
        self.kind = KINDS[name]
        self.offers = offers(self.kind.registry)
        sent = (initial if data is None else data).get(name)
        self.offer = self._chosen(sent)
        same = data is not None and sent in (None, "", self.offer.name)
        prefix = f"{name}-{self.offer.name}"
        self.parameters = ParametersForm(
            self.offer.part, self.kind.registry.noun, data if same else None, prefix=prefix,
            initial=_under(prefix, initial),
        )  # fmt: skip

    @property
    def anchor(self) -> str:
        """Where the page of parts tells of the part that is chosen."""
        return f"{self.kind.registry.slug}-{self.offer.name}"

    @property
    def rows(self) -> list[PartRow]:
        return [PartRow(offer, offer is self.offer) for offer in self.offers]

    def blocked(self, name: str) -> str:
        """Why the part of this name cannot be had here; "" when it can."""
        return next((offer.blocked for offer in self.offers if offer.name == name), "")

    def is_valid(self) -> bool:
        return not self.parameters.is_bound or self.parameters.is_valid()

    def _chosen(self, name: Any) -> Offer:
        free = [offer for offer in self.offers if not offer.blocked]
        wanted = (name, self.kind.default)
        return next((o for w in wanted for o in free if o.name == w), (free or self.offers)[0])


class PartField(forms.ChoiceField):
    """The field of a choice: a name that can be had here, or why it cannot. Unsent, it is the part
    that the page would have shown.
    """

    def __init__(self, choice: PartChoice) -> None:
        self.choice = choice
        names = [(offer.name, offer.name) for offer in choice.offers]
        super().__init__(
            label=str(choice.kind.label), help_text=str(choice.kind.help), choices=names,
            widget=forms.RadioSelect, initial=choice.offer.name, required=False,
        )  # fmt: skip

    def clean(self, value: Any) -> str:
        return str(super().clean(value) or self.choice.offer.name)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if why := self.choice.blocked(value):
            raise forms.ValidationError(
                _("%(name)s cannot be had here: %(why)s"), params={"name": value, "why": why}
            )


def _under(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    start = f"{prefix}-"
    return {
        name.removeprefix(start): value for name, value in values.items() if name.startswith(start)
    }
