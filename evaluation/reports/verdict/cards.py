"""Verdicts as a reader sees them: classes grouped by outcome, each with its deciding rule and every
other rule. Knows no model: built from the verdicts' JSON, which the gate reads too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.figures import of_total
from evaluation.scoring.percentages import registered
from evaluation.scoring.verdict import OUTCOMES, UNTESTED
from evaluation.scoring.verdict_rules import percent

WORDS: Mapping[str, str | Promise] = {
    "release": gettext_lazy("Release"),
    "fallback": gettext_lazy("Fall back"),
    "clarify": gettext_lazy("Clarify"),
    "not_assessable": gettext_lazy("Not assessable"),
}
PASSED = {
    True: gettext_lazy("holds"),
    False: gettext_lazy("does not hold"),
    None: gettext_lazy("decides nothing"),
}
# The rules whose sentences a release rests on; the others only say that it could be assessed.
_RELEASING = ("completeness", "regression", "fell_back", "judge_error")
# The rules that decide together: whichever of them is named as deciding, each that failed counts.
_TOGETHER = (
    ("protocol", "coverage", "sample_size", "family_size", "open_judgements"),
    ("completeness", "regression", "family"),
)


@dataclass(frozen=True, slots=True)
class RuleShown:
    """One rule with its numbers as text; a number that the rule does not have is empty."""

    name: str
    state: str
    passed: str | Promise
    sentence: str
    value: str
    bound: str
    threshold: str
    counts: str


@dataclass(frozen=True, slots=True)
class ClassShown:
    """The verdict on one class. `why` has the sentence of every rule that decided, `sentence` is
    the whole one.

    `silent` are the unresolved requests without a question where that decided, `others` the state
    of every other rule there. `waiting` says what is open and whether it matters, `untested` what
    a release does not rest on, `asked` how many unresolved requests were asked about; each is empty
    if there is nothing to say.
    """

    name: str
    anchor: str
    outcome: str
    word: str | Promise
    why: str
    sentence: str
    waiting: str
    untested: str
    remedy: str
    rules: tuple[RuleShown, ...]
    asked: str
    silent: tuple[str, ...]
    unresolved: int
    others: str
    sha256: str
    critical_lost: int = 0  # requests that lost a critical constraint


@dataclass(frozen=True, slots=True)
class Card:
    """The classes that share an outcome."""

    outcome: str
    word: str | Promise
    classes: tuple[ClassShown, ...]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """One request whose right behaviour is to ask."""

    request: str
    request_class: str
    asked: bool | None


def class_shown(content: Mapping[str, Any]) -> ClassShown:
    """Return what a page shows of one verdict."""
    return ClassShown(
        name=content["request_class"],
        anchor=f"rules-{slugify(content['request_class']) or 'class'}",
        outcome=content["outcome"],
        word=WORDS[content["outcome"]],
        why=_why(content),
        sentence=content["sentence"],
        waiting=_waiting(content),
        untested=_untested(content),
        remedy=content["remedy"] or "",
        rules=tuple(rule_shown(rule) for rule in content["rules"]),
        asked=_asked(content),
        silent=_silent(content),
        unresolved=content["unresolved"],
        others=_others(content),
        sha256=content["inputs_sha256"],
    )


def cards(
    contents: Iterable[Mapping[str, Any]], critical_losses: Mapping[str, int] | None = None
) -> tuple[Card, ...]:
    """Return one card for each outcome that occurs, in the order of `OUTCOMES`."""
    lost = critical_losses or {}
    shown = [
        replace(class_shown(content), critical_lost=lost.get(content["request_class"], 0))
        for content in contents
    ]
    return tuple(
        Card(outcome, WORDS[outcome], tuple(c for c in shown if c.outcome == outcome))
        for outcome in OUTCOMES
        if any(c.outcome == outcome for c in shown)
    )


def rule_shown(rule: Mapping[str, Any]) -> RuleShown:
    """Return one rule with its numbers as text."""
    counts = rule["threshold"] is not None and rule["value"] is None and _is_size(rule["name"])
    return RuleShown(
        name=_label(rule["name"]),
        state={True: "holds", False: "fails"}.get(rule["passed"], "silent"),
        passed=PASSED[rule["passed"]],
        sentence=rule["sentence"],
        value=_rate(rule["value"], rule["threshold"]),
        bound=_rate(rule["bound"], rule["threshold"]),
        threshold=_threshold(rule["threshold"], counts),
        counts=_counts(rule),
    )


def unresolved(contents: Iterable[Mapping[str, Any]]) -> tuple[Unresolved, ...]:
    """Return the unresolved requests of all classes in the order of the classes."""
    return tuple(
        Unresolved(item["request"], content["request_class"], item["asked"])
        for content in contents
        for item in content["clarify"]
    )


def summary(outcomes: Sequence[str]) -> str:
    """One line for a list of runs: how many classes have each outcome."""
    counted = ((outcomes.count(outcome), WORDS[outcome]) for outcome in OUTCOMES)
    return " · ".join(f"{count} {str(word).lower()}" for count, word in counted if count)


def _why(content: Mapping[str, Any]) -> str:
    apart = _untested(content)
    sentences = [
        rule["sentence"]
        for rule in content["rules"]
        if _decided(rule, content) and not (apart and rule["name"] == "regression")
    ]
    return " ".join(sentences) or content["sentence"]


def _decided(rule: Mapping[str, Any], content: Mapping[str, Any]) -> bool:
    """Whether the outcome rests on the rule. Under a release a family that is not clean is shown
    too, though it is allowed.
    """
    name = _bare(rule["name"])
    if content["deciding"] == "all_rules":
        return name in _RELEASING or (name == "family" and bool(rule["numerator"]))
    if rule["name"] == content["deciding"]:
        return True
    deciding = _bare(content["deciding"])
    group = next((names for names in _TOGETHER if deciding in names), ())
    return name in group and rule["passed"] is False


def _silent(content: Mapping[str, Any]) -> tuple[str, ...]:
    if content["outcome"] != "clarify":
        return ()
    return tuple(item["request"] for item in content["clarify"] if item["asked"] is not True)


def _others(content: Mapping[str, Any]) -> str:
    """What every other rule says, where only a missing question stands against a release."""
    if content["outcome"] != "clarify":
        return ""
    rest = [rule for rule in content["rules"] if rule["name"] != content["deciding"]]
    failed = [_label(rule["name"]) for rule in rest if rule["passed"] is False]
    if failed:
        return _("Of the other rules these do not hold: %(rules)s.") % {"rules": ", ".join(failed)}
    hold = sum(rule["passed"] is True for rule in rest)
    if hold == len(rest):
        return ngettext("The other rule holds.", "All other %(n)d rules hold.", hold) % {"n": hold}
    return ngettext(
        "Of the other %(n)d rule %(hold)d holds and %(silent)d decides nothing.",
        "Of the other %(n)d rules %(hold)d hold and %(silent)d decide nothing.",
        len(rest),
    ) % {"n": len(rest), "hold": hold, "silent": len(rest) - hold}


def _untested(content: Mapping[str, Any]) -> str:
    for rule in content["rules"] if content["outcome"] == "release" else ():
        if rule["name"] == "regression" and rule["passed"] is None:
            return f"{rule['sentence']} {UNTESTED}"
    return ""


def _waiting(content: Mapping[str, Any]) -> str:
    for rule in content["rules"]:
        if rule["name"] == "open_judgements" != content["deciding"]:
            # That the outcome is one or the other either way is untrue of what nobody could assess.
            decided = content["outcome"] != "not_assessable"
            told = decided or (rule["passed"] is False and not _decided(rule, content))
            return str(rule["sentence"]) if told else ""
    return ""


def _asked(content: Mapping[str, Any]) -> str:
    if not content["unresolved"]:
        return ""
    return ngettext(
        "Asked in %(asked)d of %(n)d unresolved request.",
        "Asked in %(asked)d of %(n)d unresolved requests.",
        content["unresolved"],
    ) % {"asked": content["asked"], "n": content["unresolved"]}


def _label(name: str) -> str:
    labels = {
        "protocol": _("protocol"),
        "coverage": _("coverage"),
        "sample_size": _("sample size"),
        "family_size": _("pairs of %(family)s"),
        "open_judgements": _("open judgements"),
        "completeness": _("critical completeness"),
        "regression": _("regression"),
        "family": _("twin pairs: %(family)s"),
        "clarification": _("clarification"),
        "fell_back": _("fell back to the original"),
        "judge_error": _("error of the judge"),
    }
    rule, _colon, family = name.partition(":")
    label = labels.get(rule, rule)
    return label % {"family": family} if family else label


def _is_size(name: str) -> bool:
    return _bare(name) in ("sample_size", "family_size")


def _bare(name: str) -> str:
    """The name of the rule without the family that it is of."""
    return name.partition(":")[0]


def _rate(value: float | None, threshold: float | None) -> str:
    if value is None:
        return ""
    # As in the rule's own sentence, and as thresholds are printed beside it: 100 %, not 100.0 %.
    return percent(value, *(() if threshold is None else (threshold,)))


def _threshold(value: float | None, counts: bool) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if counts else registered(value)


def _counts(rule: Mapping[str, Any]) -> str:
    if rule["numerator"] is None:
        return ""
    if rule["denominator"] is None:
        return str(rule["numerator"])
    return of_total(rule["numerator"], rule["denominator"])
