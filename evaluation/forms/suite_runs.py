"""What a run over variation sets is started with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from evaluation.documenting import first_sentence
from evaluation.forms.parts import PartChoice, PartField
from evaluation.models import VariationSet
from evaluation.offered import offers
from evaluation.pipelines.base import PIPELINES
from evaluation.rewriters.base import REWRITERS
from evaluation.robustness.study import STANDARD
from evaluation.runs.freezing import MAX_K
from evaluation.services.suites import USUAL_K
from evaluation.suites.pipelines import Wanted, why_not

REWRITTEN = "rewritten"
# Rewriters that change no single question, or of which a pipeline of their own stands above.
_NOT_OFFERED = ("unchanged", "joined", "direct_correct", "hyde")
PARTS = ("retriever", "reader")


@dataclass(frozen=True, slots=True)
class PipelineOption:
    """A pipeline that can be chosen, or `blocked` says why not. `value` is its field's value."""

    value: str
    about: str
    blocked: str = ""
    fixed: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def wanted(self) -> Wanted:
        return Wanted(self.value.partition(":")[0], self.parameters)


class SuiteRunForm(forms.Form):
    """Sets, pipelines, retriever, reader and k; `initial` may hold every field by its name."""

    sets = forms.ModelMultipleChoiceField(
        label=_("Sets"),
        queryset=VariationSet.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one set.")},
    )
    pipelines = forms.MultipleChoiceField(label=_("Pipelines"), required=False)
    k = forms.IntegerField(
        label=_("Documents per search"), min_value=1, max_value=MAX_K, initial=USUAL_K
    )
    four_conditions = forms.BooleanField(
        label=_("Tell apart what is read from what is searched"),
        required=False,
        help_text=_(
            "Asks each varied request twice more: the varied question with the documents of the "
            "clean one, and the other way round."
        ),
    )

    def __init__(
        self,
        project: Project,
        data: Mapping[str, Any] | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.options = pipeline_options()
        self.choices = [PartChoice(name, data, self.initial) for name in PARTS]
        for choice in self.choices:
            self.fields[choice.name] = PartField(choice)
        sets, pipelines = self.fields["sets"], self.fields["pipelines"]
        assert isinstance(sets, forms.ModelMultipleChoiceField)  # noqa: S101 for the type checker
        assert isinstance(pipelines, forms.MultipleChoiceField)  # noqa: S101 for the type checker
        made = project.variation_sets.filter(state=VariationSet.State.MADE)
        self.made = sets.queryset = made.defer("manifest").order_by("number")
        pipelines.choices = [(o.value, o.value) for o in self.options if not o.blocked]
        self.chosen_sets = {str(value) for value in self["sets"].value() or ()}
        self.chosen = set(self["pipelines"].value() or ())

    @property
    def parts(self) -> list[tuple[PartChoice, forms.BoundField]]:
        return [(choice, self[choice.name]) for choice in self.choices]

    def is_valid(self) -> bool:
        return all([super().is_valid(), *(choice.is_valid() for choice in self.choices)])

    def started(self) -> dict[str, Any]:
        """Return what `start_suite` takes; the form must be valid."""
        named = set(self.cleaned_data["pipelines"])
        found: dict[str, Any] = {
            "sets": list(self.cleaned_data["sets"]),
            "pipelines": [option.wanted for option in self.options if option.value in named],
            "k": self.cleaned_data["k"],
            "four_conditions": self.cleaned_data["four_conditions"],
        }
        for choice in self.choices:
            found[choice.name] = self.cleaned_data[choice.name]
            found[f"{choice.name}_parameters"] = choice.parameters.differences
        return found


def pipeline_options() -> list[PipelineOption]:
    """Return every pipeline with its defaults, the standard one first, and one for each rewriter
    that can stand before it.
    """
    names = [name for name in PIPELINES.names() if name not in (STANDARD, REWRITTEN)]
    found = [PipelineOption(STANDARD, _about(STANDARD), fixed=True)]
    found += [PipelineOption(name, _about(name), why_not(name)) for name in names]
    if REWRITTEN in PIPELINES.names():
        found += [
            PipelineOption(
                f"{REWRITTEN}:{offer.name}",
                _now("Rewritten by `%(name)s`, then as standard. %(what)s")
                % {"name": offer.name, "what": offer.what},
                offer.blocked,
                parameters={"rewriter": offer.name},
            )
            for offer in offers(REWRITERS)
            if offer.name not in _NOT_OFFERED
        ]
    return found


def _about(name: str) -> str:
    return first_sentence(PIPELINES.find(name))
