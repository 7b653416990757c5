"""The shape of what people send about protocols, conditions, runs and judgements."""

import json
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from evaluation.models import Arm, Protocol
from evaluation.readers.base import reader_names
from evaluation.reports.protocol_sentences import CORRECTIONS, JUDGING, ORIGINAL_FORMS, TESTS
from evaluation.retrieval import retriever_names
from evaluation.rewriters.base import REWRITERS
from evaluation.runs.freezing import MAX_K
from evaluation.runs.generation import described_generator
from evaluation.scoring.protocol import DEFAULT_CLASS, FAMILIES, ProtocolError, parse_protocol
from evaluation.services.judgements import CHOICES

FamilyRow = tuple[str, forms.BoundField, forms.BoundField]

DEFAULTS: Mapping[str, Any] = {
    "name": "gate",
    "alpha": "0.05",
    "resamples": 10_000,
    "seed": 7,
    "correction": "holm",
    "test": "mcnemar_exact",
    "judging": "human_for_critical",
}


def _choices(words: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return list(words.items())


class ProtocolForm(forms.Form):
    """How numbers are computed and who judges; the classes' rules stand in `ClassRuleForm`."""

    name = forms.SlugField(
        label=_("Name"),
        max_length=80,
        help_text=_("The same name again registers its next version and supersedes this one."),
    )
    judging = forms.ChoiceField(
        label=_("Who judges"), choices=_choices(JUDGING), widget=forms.RadioSelect
    )
    alpha = forms.DecimalField(
        label=_("Alpha"),
        min_value=Decimal("0.0001"),
        max_value=Decimal("0.5"),
        help_text=_("Intervals hold with confidence 1 − alpha: 0.05 gives 95 %."),
    )
    test = forms.ChoiceField(label=_("Test on the discordant answers"), choices=_choices(TESTS))
    correction = forms.ChoiceField(
        label=_("Correction for several classes"), choices=_choices(CORRECTIONS)
    )
    resamples = forms.IntegerField(
        label=_("Bootstrap resamples"), min_value=1000, max_value=1_000_000
    )
    seed = forms.IntegerField(label=_("Seed"), min_value=0)

    def content(self, classes: "Sequence[ClassRuleForm]") -> dict[str, Any]:
        """The protocol in the shape of protocol.json; both parts must be valid."""
        rules = {form.class_name: rule for form in classes if (rule := form.rule()) is not None}
        return {**self.cleaned_data, "alpha": float(self.cleaned_data["alpha"]), "classes": rules}


class ClassRuleForm(forms.Form):
    """The rules of one request class in percent. Left empty, the class has the default's rules."""

    completeness_floor = forms.DecimalField(
        label=_("Every critical constraint kept in at least (% of requests)"),
        min_value=0, max_value=100, required=False,
    )  # fmt: skip
    regression_ceiling = forms.DecimalField(
        label=_("Right answers lost: at most (%, upper bound)"),
        min_value=0, max_value=100, required=False,
    )  # fmt: skip
    min_requests = forms.IntegerField(
        label=_("Resolved requests: at least"), min_value=1, required=False
    )

    def __init__(self, class_name: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.class_name = class_name
        for family in FAMILIES:
            self.fields[f"{family}_rate"] = forms.DecimalField(
                label=_("%(family)s: failures at most (%%)") % {"family": family},
                min_value=0, max_value=100, required=False,
            )  # fmt: skip
            self.fields[f"{family}_pairs"] = forms.IntegerField(
                label=_("%(family)s: pairs at least") % {"family": family},
                min_value=1, required=False,
            )  # fmt: skip

    @property
    def is_default(self) -> bool:
        return self.class_name == DEFAULT_CLASS

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self._main]

    @property
    def families(self) -> list[FamilyRow]:
        return [(f, self[f"{f}_rate"], self[f"{f}_pairs"]) for f in FAMILIES]

    def families_of(self, wanted: Collection[str]) -> tuple[list[FamilyRow], list[FamilyRow]]:
        """Split the families: those wanted, or with a value or a fault, and the others."""
        near: list[FamilyRow] = []
        others: list[FamilyRow] = []
        for row in self.families:
            family, rate, pairs = row
            filled = rate.value() or pairs.value() or rate.errors or pairs.errors
            (near if family in wanted or filled else others).append(row)
        return near, others

    _main = ("completeness_floor", "regression_ceiling", "min_requests")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        given = [name for name in cleaned if cleaned[name] is not None]
        if given or self.is_default and not self.errors:
            self._need_all(self._main, cleaned, _("Fill this in too, or empty the whole row."))
        for family in FAMILIES:
            pair = (f"{family}_rate", f"{family}_pairs")
            if any(cleaned.get(name) is not None for name in pair):
                self._need_all(pair, cleaned, _("Give both the failures and the pairs."))
        return cleaned

    def rule(self) -> dict[str, Any] | None:
        """The rule in the shape of protocol.json, or None when the row is empty."""
        cleaned = self.cleaned_data
        if cleaned.get("min_requests") is None:
            return None
        return {
            "completeness_floor": _share(cleaned["completeness_floor"]),
            "regression_ceiling": _share(cleaned["regression_ceiling"]),
            "min_requests": cleaned["min_requests"],
            "families": {
                family: {
                    "max_failure_rate": _share(cleaned[f"{family}_rate"]),
                    "min_pairs": cleaned[f"{family}_pairs"],
                }
                for family in FAMILIES
                if cleaned.get(f"{family}_rate") is not None
            },
        }

    def _need_all(self, names: Sequence[str], cleaned: Mapping[str, Any], fault: Any) -> None:
        for name in names:
            if cleaned.get(name) is None and name not in self.errors:
                self.add_error(name, fault)


class PastedProtocolForm(forms.Form):
    """A whole protocol.json as text."""

    pasted = forms.CharField(
        label=_("protocol.json"),
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
        max_length=200_000,
    )

    def clean_pasted(self) -> dict[str, Any]:
        try:
            content = json.loads(self.cleaned_data["pasted"])
        except ValueError as fault:
            raise forms.ValidationError(
                _("This is not JSON: %(fault)s.") % {"fault": fault}
            ) from fault
        try:
            parse_protocol(content)
        except ProtocolError as fault:
            raise forms.ValidationError(list(fault.faults)) from fault
        return dict(content)


def rule_initial(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The initial values of a `ClassRuleForm` for a rule of protocol.json."""
    found: dict[str, Any] = {
        "completeness_floor": _in_percent(rule["completeness_floor"]),
        "regression_ceiling": _in_percent(rule["regression_ceiling"]),
        "min_requests": rule["min_requests"],
    }
    for family, wanted in rule.get("families", {}).items():
        found[f"{family}_rate"] = _in_percent(wanted["max_failure_rate"])
        found[f"{family}_pairs"] = wanted["min_pairs"]
    return found


class ConditionsForm(forms.Form):
    """What is frozen besides the corpus, the requests and the contracts."""

    retriever = forms.ChoiceField(label=_("Retriever"))
    k = forms.IntegerField(
        label=_("Documents per request"),
        min_value=1,
        max_value=MAX_K,
        initial=5,
        help_text=_("Every arm gets the best k documents for its rewrite."),
    )
    reader = forms.ChoiceField(
        label=_("Reader"), help_text=_("What writes the answer from the retrieved documents.")
    )
    original = forms.ChoiceField(
        label=_("The original arm sends"),
        choices=_choices(ORIGINAL_FORMS),
        widget=forms.RadioSelect,
        initial="last",
    )
    token_budget = forms.IntegerField(
        label=_("Words of passages that the reader gets, at most"),
        min_value=1,
        max_value=1_000_000,
        initial=2048,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, names in (("retriever", retriever_names()), ("reader", reader_names())):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101 for the type checker
            field.choices = [(part, part) for part in names]
        self.initial.setdefault("retriever", "bm25")
        self.initial.setdefault("reader", "extractive")


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
    """Return every arm that a run of the project can have: fixed ones, uploaded ones, rewriters."""
    found = [
        ArmOption("original", _("the request as the user sent it; always part"), fixed=True),
        ArmOption("human", _("the standalone references that people wrote")),
    ]
    for arm in project.arms.filter(source=Arm.Source.UPLOADED).order_by("name"):
        found.append(ArmOption(arm.name, _("uploaded rewrites")))
    without_model = described_generator() is None
    for name in REWRITERS.names():
        rewriter = REWRITERS.find(name)
        blocked = without_model and rewriter.needs_generator
        found.append(
            ArmOption(
                name,
                (rewriter.__doc__ or "").strip().partition("\n")[0],
                blocked=_("needs a language model, and none is set") if blocked else "",
            )
        )
    return found


class JudgementForm(forms.Form):
    """What a person decided about one constraint."""

    outcome = forms.ChoiceField(choices=[(name, name) for name in CHOICES])
    note = forms.CharField(required=False, max_length=2000)


def _share(value: Decimal) -> float:
    return float(value / 100)


def _in_percent(value: float) -> str:
    return f"{(Decimal(str(value)) * 100).normalize():f}"
