"""The rules of a protocol, filled in as sentences or pasted as protocol.json."""

import json
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation.forms.faults import in_one
from evaluation.reports.protocol.planning import General
from evaluation.reports.protocol.sentences import CORRECTIONS, JUDGES_SAID, JUDGING, TESTS
from evaluation.scoring.protocol import (
    AUDIT_PER_KIND,
    DEFAULT_CLASS,
    FAMILIES,
    JUDGES,
    MOST_RESAMPLES,
    ProtocolError,
    parse_protocol,
)

FamilyRow = tuple[str, forms.BoundField, forms.BoundField]

DEFAULTS: Mapping[str, Any] = {
    "name": "gate",
    "alpha": "0.05",
    "resamples": 10_000,
    "seed": 7,
    "correction": "holm",
    "test": "mcnemar_exact",
    "judging": "human_for_critical",
    "judges": JUDGES,
    "audit_per_kind": AUDIT_PER_KIND,
}


class ProtocolForm(forms.Form):
    """How numbers are computed and who judges; the classes' rules stand in `ClassRuleForm`."""

    name = forms.SlugField(
        label=_("Name"),
        max_length=80,
        help_text=_("The same name again registers its next version and supersedes this one."),
    )
    judging = forms.ChoiceField(
        label=_("Who judges"), choices=list(JUDGING.items()), widget=forms.RadioSelect
    )
    judges = forms.TypedChoiceField(
        label=_("How many people judge each item"),
        coerce=int,
        choices=list(JUDGES_SAID.items()),
        widget=forms.RadioSelect,
        help_text=_("Whoever is second does not see what the first said."),
    )
    audit_per_kind = forms.IntegerField(
        label=_("Sure judgements to check, of each kind"),
        min_value=0,
        max_value=1_000_000,
        help_text=_(
            "After each run so many of the judge's sure judgements of each kind of constraint are "
            "drawn by the seed, and people judge them again without knowing it. 0 draws none."
        ),
    )
    max_judge_error = forms.DecimalField(
        label=_("Judge's error: at most (%, upper bound)"),
        max_value=100,
        required=False,
        help_text=_(
            "A class is released only if the judge is shown to be wrong in no more of its "
            "judgements, in each kind that it decided itself. At 95 %: 20 checked and none wrong "
            "show 13.9 %, 59 show 5 %. Empty: no limit."
        ),
    )
    alpha = forms.DecimalField(
        label=_("Alpha"),
        min_value=Decimal("0.0001"),
        max_value=Decimal("0.5"),
        help_text=_("Intervals hold with confidence 1 − alpha: 0.05 gives 95 %."),
    )
    test = forms.ChoiceField(label=_("Test on the discordant answers"), choices=list(TESTS.items()))
    correction = forms.ChoiceField(
        label=_("Correction for several classes"), choices=list(CORRECTIONS.items())
    )
    resamples = forms.IntegerField(
        label=_("Bootstrap resamples"), min_value=1000, max_value=MOST_RESAMPLES
    )
    seed = forms.IntegerField(label=_("Seed"), min_value=0)

    def clean_max_judge_error(self) -> Decimal | None:
        limit: Decimal | None = self.cleaned_data["max_judge_error"]
        if limit is not None and limit <= 0:
            raise forms.ValidationError(
                _("No checks can show an error of 0: give more than 0, or leave it empty.")
            )
        return limit

    def general(self) -> General | None:
        """Alpha and the test as they stand in the form now; None where one of them is faulty."""
        found = self.initial
        if self.is_bound:
            self.is_valid()
            found = self.cleaned_data
        if found.get("alpha") is None or not found.get("test"):
            return None
        return General(float(found["alpha"]), found["test"])

    def content(self, classes: "Sequence[ClassRuleForm]") -> dict[str, Any]:
        """The protocol in the shape of protocol.json; both parts must be valid."""
        rules = {form.class_name: rule for form in classes if (rule := form.rule()) is not None}
        limit = self.cleaned_data["max_judge_error"]
        return {
            **self.cleaned_data,
            "alpha": float(self.cleaned_data["alpha"]),
            "max_judge_error": None if limit is None else _share(limit),
            "classes": rules,
        }


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

    def rule_so_far(self) -> dict[str, Any] | None:
        """The rule as it stands in the form now; None where it is empty or faulty."""
        form = self if self.is_bound else ClassRuleForm(self.class_name, self.initial)
        return form.rule() if form.is_valid() else None

    def lacking(self) -> list[str]:
        """What is missing or faulty in a row that somebody began; nothing of an empty row."""
        if not (self.is_bound and self.has_changed()) or self.is_valid():
            return []
        return [f"“{self[name].label}”: {in_one(said)}" for name, said in self.errors.items()]

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
        except RecursionError as fault:
            raise forms.ValidationError(_("This is nested too deeply to be read.")) from fault
        except ValueError as fault:
            raise forms.ValidationError(
                _("This is not JSON: %(fault)s.") % {"fault": fault}
            ) from fault
        try:
            parse_protocol(content, new=True)
        except ProtocolError as fault:
            raise forms.ValidationError(list(fault.faults)) from fault
        return dict(content)


def protocol_initial(content: Mapping[str, Any]) -> dict[str, Any]:
    """The initial values of a `ProtocolForm` for a protocol.json."""
    limit = content.get("max_judge_error")
    return {**DEFAULTS, **content, "max_judge_error": None if limit is None else _in_percent(limit)}


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


def _share(value: Decimal) -> float:
    return float(value / 100)


def _in_percent(value: float) -> str:
    return f"{(Decimal(str(value)) * 100).normalize():f}"
