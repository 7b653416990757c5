"""Release, fall back or clarify: one decision per request class (protocol rules R39 to R44)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation.canonical import content_hash
from evaluation.scoring.audit import JudgeAudit
from evaluation.scoring.differences import evidence_gain
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.pairs import PairResult
from evaluation.scoring.percentages import MINUS, signed_points
from evaluation.scoring.protocol import ClassRule, Protocol
from evaluation.scoring.verdict_inputs import ClassInputs, gather
from evaluation.scoring.verdict_rules import (
    Rule,
    completeness_rule,
    count_of,
    coverage_rule,
    family_rule,
    family_size_rule,
    fell_back_rule,
    judge_error_rule,
    regression_rule,
    size_rule,
)
from evaluation.statistics import Estimate

RULE_VERSION = "verdict/1"
OUTCOMES = ("release", "fallback", "clarify", "not_assessable")
FUSE = "fuse, with the original always included"
# A mean of recall differences below this is float noise (3/5 - 2/5 is not quite 1/5), not a gain.
GAIN_TOLERANCE = 1e-9
MOST_NAMED = 10  # requests in a sentence
UNTESTED = "This release does not say that no answer is lost."
DISABLE = "disable the rewriter and search with the original"


@dataclass(frozen=True, slots=True)
class ClarifyRequest:
    """An unresolved request: the right behaviour is to ask; `asked` is None if its case failed."""

    request: str
    asked: bool | None

    def to_json(self) -> dict[str, Any]:
        return {"request": self.request, "asked": self.asked}


@dataclass(frozen=True, slots=True)
class ClassVerdict:
    """The decision for one request class, with everything needed to recompute it.

    `outcome` is one of `OUTCOMES`, `deciding` the name of the rule in `rules` that decided
    ("all_rules" for a release), `remedy` what to do on a fallback. `clarify` lists the unresolved
    requests whatever the outcome. `open` counts open judgements and unjudged answers. Hashes are
    over the inputs and the protocol.
    """

    request_class: str
    arm: str
    outcome: str
    deciding: str
    sentence: str
    remedy: str | None
    rules: tuple[Rule, ...]
    clarify: tuple[ClarifyRequest, ...]
    resolved: int
    unresolved: int
    open: int
    evidence_gain: Estimate
    inputs_sha256: str
    protocol_sha256: str
    rule_version: str = RULE_VERSION

    @property
    def asked(self) -> int:
        """How many of the unresolved requests the candidate asked about."""
        return sum(item.asked is True for item in self.clarify)

    def to_json(self) -> dict[str, Any]:
        return {
            "request_class": self.request_class,
            "arm": self.arm,
            "outcome": self.outcome,
            "deciding": self.deciding,
            "sentence": self.sentence,
            "remedy": self.remedy,
            "rules": [rule.to_json() for rule in self.rules],
            "clarify": [item.to_json() for item in self.clarify],
            "asked": self.asked,
            "resolved": self.resolved,
            "unresolved": self.unresolved,
            "open": self.open,
            "evidence_gain": self.evidence_gain.to_json(),
            "inputs_sha256": self.inputs_sha256,
            "protocol_sha256": self.protocol_sha256,
            "rule_version": self.rule_version,
        }


@dataclass(frozen=True, slots=True)
class _Decision:
    outcome: str
    deciding: str
    sentence: str
    remedy: str | None = None


def decide(
    protocol: Protocol,
    request_class: str,
    arm: str,
    outcomes_original: Iterable[CaseOutcome],
    outcomes_candidate: Iterable[CaseOutcome],
    pairs: Iterable[PairResult],
    judge: JudgeAudit | None = None,
) -> ClassVerdict:
    """Return the verdict on `arm` for one request class; other classes and arms in the inputs are
    ignored.

    In this order (R44):

    1. `not_assessable` without a rule for the class, when a case or a demanded pair was not
    assessed, with fewer resolved requests than `min_requests`, with fewer pairs of a demanded
    family than `min_pairs`, or when open judgements counted as lost and as kept lead to different
    outcomes. 2. `fallback` when completeness is below its floor, the regression bound above its
    ceiling, or a family fails systematically (`verdict_rules.family_rule`). Fuse if evidence recall
    gains, else disable. 3. `clarify` when the candidate did not ask in some unresolved request. 4.
    `release`; but `not_assessable` when the protocol limits the judge's error and the audit does
    not show it to be within the limit (`verdict_rules.judge_error_rule`).

    A class of unresolved requests only needs no sample sizes: it is `release` if the candidate
    asked in all, else `clarify`. Equal inputs in any order give equal `to_json()`. `judge` is the
    audit of the judge, read only where the protocol limits its error. Raises ValueError for a
    request that occurs twice in an arm or is unresolved in one arm only, and for a limit without
    an audit.
    """
    here = gather(protocol, request_class, arm, outcomes_original, outcomes_candidate, pairs, judge)
    gain = evidence_gain(
        here.original,
        here.candidate,
        level=protocol.level,
        resamples=protocol.resamples,
        seed=protocol.seed,
    )
    rules, decision = _with_judge(here, *_decide(here, gain))
    return ClassVerdict(
        request_class=request_class,
        arm=arm,
        outcome=decision.outcome,
        deciding=decision.deciding,
        sentence=f"{_headline(decision.outcome, request_class)} {decision.sentence}",
        remedy=decision.remedy,
        rules=rules,
        clarify=tuple(
            ClarifyRequest(o.request, o.asked if o.assessed else None)
            for o in here.candidate
            if o.unresolved
        ),
        resolved=here.resolved,
        unresolved=here.unresolved,
        open=sum(here.open_counts[:2]),
        evidence_gain=gain,
        inputs_sha256=here.sha256,
        protocol_sha256=content_hash(protocol.to_json()),
    )


def exit_code(verdicts: Sequence[ClassVerdict]) -> int:
    """Return 0 if every class is released, 1 with any fallback or not assessable, else 2 (clarify).

    Raises ValueError without a verdict: nothing was decided, which is the caller's error (exit code
    3).
    """
    if not verdicts:
        raise ValueError("There is no verdict: evaluate at least one request class first.")
    outcomes = {verdict.outcome for verdict in verdicts}
    if outcomes & {"fallback", "not_assessable"}:
        return 1
    return 2 if "clarify" in outcomes else 0


def _decide(here: ClassInputs, gain: Estimate) -> tuple[tuple[Rule, ...], _Decision]:
    if here.rule is None:
        sentence = 'The protocol names neither this class nor "*".'
        rule = Rule("protocol", False, sentence)
        return (rule,), _Decision("not_assessable", "protocol", sentence)
    demanded = [pair for pair in here.pairs if pair.family in here.rule.families]
    gates = [coverage_rule(here.original, here.candidate, demanded)]
    asking = _clarification_rule(here)
    if here.only_unresolved:
        blocked = _blocked(gates)
        return (*gates, asking), blocked or _passed(here, asking)
    gates.append(size_rule(here.resolved, here.rule))
    for family, wanted in sorted(here.rule.families.items()):
        gates.append(family_size_rule(family, here.family(family), wanted))
    worst = _class_rules(here, here.rule, open_as_kept=False)
    best = _class_rules(here, here.rule, open_as_kept=True)
    if any(here.open_counts):
        gates.append(
            _open_rule(here, _judge(here, worst, asking, gain), _judge(here, best, asking, gain))
        )
    return (*gates, *worst, asking), _blocked(gates) or _judge(here, worst, asking, gain)


def _with_judge(
    here: ClassInputs, rules: tuple[Rule, ...], decision: _Decision
) -> tuple[tuple[Rule, ...], _Decision]:
    """Nothing is released on the word of a judge that may be wrong too often."""
    limit = here.protocol.max_judge_error
    if limit is None or here.judge is None or here.rule is None:
        return rules, decision
    rule = judge_error_rule(here.judge, limit, here.protocol.level)
    if decision.outcome == "release" and rule.passed is False:
        decision = _Decision("not_assessable", rule.name, rule.sentence)
    elif decision.outcome == "release":
        # What could not be tested stays at the end.
        decision = replace(decision, sentence=f"{rule.sentence} {decision.sentence}")
    return (*rules, rule), decision


def _class_rules(here: ClassInputs, rule: ClassRule, *, open_as_kept: bool) -> list[Rule]:
    level = here.protocol.level
    families = sorted({pair.family for pair in here.pairs} | rule.families.keys())
    fell_back = fell_back_rule(here.candidate)
    return [
        completeness_rule(here.candidate, rule, level, open_as_kept=open_as_kept),
        regression_rule(here.original, here.candidate, rule, level, open_as_kept=open_as_kept),
        *(
            family_rule(
                family,
                here.family(family),
                rule.families.get(family),
                level,
                open_as_kept=open_as_kept,
            )
            for family in families
        ),
        *([fell_back] if fell_back else []),
    ]


def _word(decision: _Decision) -> str:
    return {"fallback": "fall back"}.get(decision.outcome, decision.outcome.replace("_", " "))


def _open_rule(here: ClassInputs, worst: _Decision, best: _Decision) -> Rule:
    judgements, answers, open_pairs = here.open_counts
    nouns = ((judgements, "critical judgement"), (answers, "answer"), (open_pairs, "twin pair"))
    what = " and ".join(count_of(count, noun) for count, noun in nouns if count)
    verb = "is" if judgements + answers + open_pairs == 1 else "are"
    if worst.outcome == best.outcome:
        sentence = f"{what} {verb} open, but the outcome is {_word(worst)} either way."
    else:
        sentence = (
            f"{what} {verb} open: counted as lost the outcome is {_word(worst)}, counted as kept"
            f" it is {_word(best)}. People must settle them."
        )
    return Rule(
        "open_judgements", worst.outcome == best.outcome, sentence, numerator=judgements + answers
    )


def _clarification_rule(here: ClassInputs) -> Rule:
    unresolved = [o for o in here.candidate if o.unresolved]
    asked = sum(o.asked and o.assessed for o in unresolved)
    if not unresolved:
        return Rule("clarification", None, "The class has no unresolved request.")
    sentence = (
        f"The candidate asked in {asked} of {count_of(len(unresolved), 'unresolved request')}."
    )
    return Rule(
        "clarification",
        asked == len(unresolved),
        sentence,
        asked / len(unresolved),
        None,
        1.0,
        asked,
        len(unresolved),
    )


def _blocked(gates: Sequence[Rule]) -> _Decision | None:
    failed = [rule for rule in gates if rule.passed is False]
    if not failed:
        return None
    sentence = " ".join(rule.sentence for rule in failed)
    return _Decision("not_assessable", failed[0].name, sentence)


def _judge(here: ClassInputs, rules: Sequence[Rule], asking: Rule, gain: Estimate) -> _Decision:
    failed = [rule for rule in rules if rule.passed is False]
    if not failed:
        return _passed(here, asking, rules)
    remedy, why = _remedy(gain)
    told = [rule.sentence for rule in rules if rule.name == "fell_back"]
    why = " ".join((why, *told))
    sentence = " ".join(rule.sentence for rule in failed)
    return _Decision("fallback", failed[0].name, f"{sentence} {why} Remedy: {remedy}.", remedy)


def _passed(here: ClassInputs, asking: Rule, rules: Sequence[Rule] = ()) -> _Decision:
    if asking.passed is False:
        return _Decision("clarify", asking.name, f"{asking.sentence} {_until_it_asks(here)}")
    # What could not be tested stands at the end, where it is not overlooked.
    untested = [rule for rule in rules if rule.name == "regression" and rule.passed is None]
    shown = [rule.sentence for rule in rules if rule not in untested] or [asking.sentence]
    shown += [f"{rule.sentence} {UNTESTED}" for rule in untested]
    return _Decision("release", "all_rules", " ".join(shown))


def _until_it_asks(here: ClassInputs) -> str:
    unresolved = [o for o in here.candidate if o.unresolved]
    silent = [o.request for o in unresolved if not o.asked]
    n, left = len(unresolved), len(silent) - MOST_NAMED
    named = ", ".join(silent[:MOST_NAMED]) + (f" and {left} more" if left > 0 else "")
    return f"Do not ship for this class until it asks in {n} of {n}; it did not in {named}."


def _remedy(gain: Estimate) -> tuple[str, str]:
    if gain.value is None:
        return DISABLE, "No gain in evidence recall can be shown, because none was measured."
    points = (
        f"{signed_points(gain.value).replace('-', MINUS)} points over {count_of(gain.n, 'request')}"
    )
    if gain.value > GAIN_TOLERANCE:
        return FUSE, f"Evidence recall gains {points}."
    return DISABLE, f"Evidence recall does not gain ({points})."


def _headline(outcome: str, request_class: str) -> str:
    words = {
        "release": "Release",
        "fallback": "Fall back in",
        "clarify": "Clarify in",
        "not_assessable": "Not assessable:",
    }
    return f"{words[outcome]} {request_class}."
