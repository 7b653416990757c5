"""A new set of variations, and what a person says of one variation."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from evaluation.documenting import first_sentence
from evaluation.offered import Offer, offers
from evaluation.parameters import settings_of
from evaluation.services.variation_reviews import LONGEST_NOTE
from evaluation.services.variations import (
    MAX_NAME,
    MAX_SEED,
    MOST_PER_KIND,
    MOST_WEIGHT,
    PER_KIND,
    name_fault,
)
from evaluation.variations.base import VARIATIONS
from evaluation.varying.making import HUMAN

PAPER, PROTECT = "paper", "protect"
# As in QE-RAG.
USUAL = {"spelling": 3, "keyboard": 1, "visual": 1}
PLAIN = {"autocomplete": "off", "spellcheck": "false"}


class VariationSetForm(forms.Form):
    """The recipe of a set. A kind without a weight is not in it."""

    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_NAME,
        help_text=_(
            "How pages, files and commands call the set: letters, digits, hyphens and underscores, "
            "such as typing-20. It cannot be changed later."
        ),
        widget=forms.TextInput(attrs=PLAIN),
    )
    percent = forms.FloatField(
        label=_("Requests that are varied, in %"),
        min_value=0.01,
        max_value=100,
        initial=20,
        help_text=_(
            "The others stay as they are. With the same seed, the requests of a lower share are "
            "among those of a higher one."
        ),
        widget=forms.NumberInput(attrs={"step": "any"} | PLAIN),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=MAX_SEED,
        initial=7,
        help_text=_("Decides which requests are varied, and how: the same seed, the same set."),
    )
    mode = forms.ChoiceField(
        label=_("Spelling, keyboard and visual errors"),
        choices=[
            (PAPER, _("as the paper made them: any word may change, a year or a name too")),
            (PROTECT, _("protecting names, numbers, negations and words of time and comparison")),
        ],
        initial=PAPER,
    )
    which = forms.TypedChoiceField(
        label=_("Human paraphrases"),
        choices=[
            ("1", _("that of the person who wrote first")),
            ("2", _("that of a second person")),
        ],
        coerce=int,
        initial="1",
    )
    per_kind = forms.IntegerField(
        label=_("Of each kind, people look at"),
        min_value=0,
        max_value=MOST_PER_KIND,
        initial=PER_KIND,
        help_text=_("Drawn by the seed; two people look at each."),
    )

    def __init__(self, project: Project, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.project = project
        self.offers = offers(VARIATIONS)
        for offer in self.offers:
            self.fields[_field(offer.name)] = _weight(offer.name, bool(offer.blocked))
        self.fields[_field(HUMAN)] = _weight(HUMAN, blocked=False)

    @property
    def rows(self) -> list[tuple[forms.BoundField, str, str, str]]:
        """Each kind's field, its name, what it is in a sentence of English, and why it cannot be
        had here.
        """
        found = [(self[_field(o.name)], o.name, _what(o), o.blocked) for o in self.offers]
        own = "Paraphrases that people of this study wrote, while their authors let them stand."
        return [*found, (self[_field(HUMAN)], HUMAN, own, "")]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        again = self.project.variation_sets.filter(name=name).exists()
        if not again and (fault := name_fault(self.project, name)):
            raise forms.ValidationError(fault)
        return name  # the same set again, by a double click, is no fault: the service decides

    @property
    def kinds(self) -> dict[str, int]:
        """The weights that were given, as far as they are right."""
        names = [*(offer.name for offer in self.offers), HUMAN]
        given = {name: self.cleaned_data.get(_field(name)) for name in names}
        return {name: weight for name, weight in given.items() if weight}

    @property
    def rate(self) -> float:
        return round(float(self.cleaned_data["percent"]) / 100, 8)

    @property
    def parameters(self) -> dict[str, dict[str, Any]]:
        return parameters_of(self.kinds, self.cleaned_data["mode"], self.cleaned_data["which"])

    def refuse(self, sentence: str) -> None:
        """Show why no set was made: at the name, or above."""
        at_name = sentence == name_fault(self.project, str(self.cleaned_data.get("name", "")))
        self.add_error("name" if at_name else None, sentence)


class VariationReviewForm(forms.Form):
    """What a person says of one variation: yes or no to both questions."""

    meaning = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])
    category = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])
    remark = forms.CharField(required=False, max_length=LONGEST_NOTE)


def parameters_of(kinds: Mapping[str, int], mode: str, which: int) -> dict[str, dict[str, Any]]:
    """The parameters of a set's kinds: the mode for those that have one, whose paraphrase."""
    found: dict[str, dict[str, Any]] = {}
    for kind in kinds:
        if kind == HUMAN:
            found[kind] = {"which": which} if which != 1 else {}
        elif mode != PAPER and kind in VARIATIONS.names() and has_mode(kind):
            found[kind] = {"mode": mode}
    return {kind: given for kind, given in found.items() if given}


def has_mode(kind: str) -> bool:
    """Whether a kind's maker has the two modes."""
    settings = settings_of(VARIATIONS.find(kind).Parameters)
    return any(one.name == "mode" and PROTECT in one.choices for one in settings)


def _field(kind: str) -> str:
    return f"weight_{kind}"


def _weight(kind: str, blocked: bool) -> forms.IntegerField:
    return forms.IntegerField(
        label=kind,
        required=False,
        min_value=0,
        max_value=MOST_WEIGHT,
        initial=USUAL.get(kind),
        disabled=blocked,
        widget=forms.NumberInput(attrs={"placeholder": "–", "inputmode": "numeric"} | PLAIN),
    )


def _what(offer: Offer) -> str:
    return first_sentence(offer.part)
