"""What a run over variation sets is started with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from evaluation.documenting import first_sentence
from evaluation.forms.parameters import ParametersForm
from evaluation.forms.parts import PartChoice, PartField
from evaluation.models import VariationSet
from evaluation.offered import offers
from evaluation.pipelines.base import PIPELINES, Pipeline
from evaluation.registry import Part, PartError
from evaluation.rewriters.base import REWRITERS
from evaluation.robustness.study import STANDARD
from evaluation.runs.freezing import MAX_K
from evaluation.runs.parts import rewriter_for
from evaluation.services.suites import USUAL_K
from evaluation.suites.pipelines import REWRITTEN, Wanted, why_not

# Rewriters that change no single question, or of which a pipeline of their own stands above.
_NOT_OFFERED = ("unchanged", "joined", "direct_correct", "hyde")
PARTS = ("retriever", "reader")


@dataclass(frozen=True, slots=True)
class PipelineOption:
    """A pipeline that can be chosen, or `blocked` says why not. `value` is its field's value,
    `part` what has its parameters: itself or its rewriter. `note` says what it needs beside.
    """

    value: str
    about: str
    part: type[Part]
    noun: str = PIPELINES.noun
    blocked: str = ""
    note: str = ""
    fixed: bool = False


class PipelineChoice:
    """One option of the form, with the form of its parameters."""

    def __init__(
        self,
        option: PipelineOption,
        chosen: bool,
        data: Mapping[str, Any] | None,
        initial: Mapping[str, Any],
    ) -> None:
        self.option = option
        self.chosen = chosen and not option.blocked
        prefix = option.value.replace(":", "-")
        start = f"{prefix}-"
        given = {n.removeprefix(start): v for n, v in initial.items() if n.startswith(start)}
        sent = data if self.chosen else None
        self.parameters = ParametersForm(
            option.part, option.noun, sent, prefix=prefix, initial=given
        )
        self.settable = bool(self.parameters.settings) and not (option.fixed or option.blocked)

    @property
    def unfolded(self) -> bool:
        """Whether its parameters are to be seen: something is set in them, or wrong."""
        told = self.parameters
        return bool(told.is_bound and (told.errors or told.differences)) or bool(told.initial)

    @property
    def wanted(self) -> Wanted:
        return Wanted.named(self.option.value, self.parameters.differences)

    def is_valid(self) -> bool:
        return not self.parameters.is_bound or self.parameters.is_valid()


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
        options = pipeline_options()
        self.choices = [PartChoice(name, data, self.initial) for name in PARTS]
        for choice in self.choices:
            self.fields[choice.name] = PartField(choice)
        sets, pipelines = self.fields["sets"], self.fields["pipelines"]
        assert isinstance(sets, forms.ModelMultipleChoiceField)  # noqa: S101 for the type checker
        assert isinstance(pipelines, forms.MultipleChoiceField)  # noqa: S101 for the type checker
        made = project.variation_sets.filter(state=VariationSet.State.MADE)
        self.made = sets.queryset = made.defer("manifest").order_by("number")
        pipelines.choices = [(o.value, o.value) for o in options if not o.blocked]
        self.chosen_sets = {str(value) for value in self["sets"].value() or ()}
        chosen = set(self["pipelines"].value() or ())
        self.options = [PipelineChoice(o, o.value in chosen, data, self.initial) for o in options]

    @property
    def parts(self) -> list[tuple[PartChoice, forms.BoundField]]:
        return [(choice, self[choice.name]) for choice in self.choices]

    def is_valid(self) -> bool:
        parts = [choice.is_valid() for choice in self.choices]
        return all([super().is_valid(), *parts, *(option.is_valid() for option in self.options)])

    def started(self) -> dict[str, Any]:
        """Return what `start_suite` takes; the form must be valid."""
        found: dict[str, Any] = {
            "sets": list(self.cleaned_data["sets"]),
            "pipelines": [option.wanted for option in self.options if option.chosen],
            "k": self.cleaned_data["k"],
            "four_conditions": self.cleaned_data["four_conditions"],
        }
        for choice in self.choices:
            found[choice.name] = self.cleaned_data[choice.name]
            found[f"{choice.name}_parameters"] = choice.parameters.differences
        return found


def pipeline_options() -> list[PipelineOption]:
    """Return every pipeline, the standard one first, and one for each rewriter that can stand
    before it.
    """
    names = [name for name in PIPELINES.names() if name not in (STANDARD, REWRITTEN)]
    parts = {name: PIPELINES.find(name) for name in (STANDARD, *names)}
    found = [PipelineOption(STANDARD, first_sentence(parts[STANDARD]), parts[STANDARD], fixed=True)]
    found += [_option(name, parts[name]) for name in names]
    if REWRITTEN in PIPELINES.names():
        found += [
            PipelineOption(
                f"{REWRITTEN}:{offer.name}",
                _now("Rewritten by `%(name)s`, then as standard. %(what)s")
                % {"name": offer.name, "what": offer.what},
                offer.part,
                REWRITERS.noun,
                offer.blocked,
                "" if offer.blocked else _needed(offer.name),
            )
            for offer in offers(REWRITERS)
            if offer.name not in _NOT_OFFERED
        ]
    return found


def _option(name: str, part: type[Pipeline]) -> PipelineOption:
    why = why_not(name)
    if not (why and part.needs_tokens) or part.needs_generator:
        return PipelineOption(name, first_sentence(part), part, blocked=why)
    # What is missing may come with the reader, which is chosen further down.
    more = _now("%(why)s, or choose the reader local and give its path") % {"why": why}
    return PipelineOption(name, first_sentence(part), part, note=more)


def _needed(rewriter: str) -> str:
    """What a rewriter lacks with its defaults, as a sentence; its parameters may give it."""
    try:
        rewriter_for(rewriter, {}, only_described=True).describe()
    except PartError as fault:
        return str(fault)
    return ""
