"""The single rules behind a verdict, each a record with its numbers and a sentence (R39 to R41)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evaluation.scoring.audit import JudgeAudit, KindAudit
from evaluation.scoring.completeness import critical_completeness
from evaluation.scoring.outcomes import CaseOutcome, scored
from evaluation.scoring.pairs import PairResult
from evaluation.scoring.percentages import percentage, registered
from evaluation.scoring.protocol import ClassRule, FamilyRule
from evaluation.statistics import clean_requests_needed, clopper_pearson

# A family also fails by its plain rate, from this many failures and this rate on (R41).
SYSTEMATIC_FAILURES = 2
SYSTEMATIC_RATE = 0.2


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as evaluated: `passed` is None when it does not apply or is undefined.

    `value` = `numerator` / `denominator` is compared by itself or through `bound` with `threshold`.
    """

    name: str
    passed: bool | None
    sentence: str
    value: float | None = None
    bound: float | None = None
    threshold: float | None = None
    numerator: int | None = None
    denominator: int | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def coverage_rule(
    original: Sequence[CaseOutcome], candidate: Sequence[CaseOutcome], pairs: Iterable[PairResult]
) -> Rule:
    """Every case of both arms and every pair of a demanded family was assessed."""
    cases = [*original, *candidate]
    failed = Counter(outcome.status for outcome in cases if not outcome.assessed)
    lost_pairs = sum(not pair.assessed for pair in pairs)
    done = len(cases) - failed.total()
    numbers = {"numerator": done, "denominator": len(cases)}
    value = done / len(cases) if cases else None
    if not failed and not lost_pairs:
        sentence = f"All {len(cases)} cases of both arms were assessed."
        return Rule("coverage", True, sentence, value, None, 1.0, **numbers)
    kinds = ", ".join(f"{count} {status}" for status, count in sorted(failed.items()))
    parts = [f"{failed.total()} of {len(cases)} cases are missing or failed ({kinds})"]
    if lost_pairs:
        parts = [*(parts if failed else []), f"{count_of(lost_pairs, 'twin pair')} not assessed"]
    sentence = " and ".join(parts) + ": run them again before deciding."
    return Rule("coverage", False, sentence, value, None, 1.0, **numbers)


def size_rule(resolved: int, rule: ClassRule) -> Rule:
    """The class has as many resolved requests as the protocol wants."""
    passed = resolved >= rule.min_requests
    wants = f"the protocol wants {rule.min_requests}"
    sentence = f"The class has {count_of(resolved, 'resolved request')}; {wants}."
    return Rule(
        "sample_size", passed, sentence, threshold=float(rule.min_requests), numerator=resolved
    )


def family_size_rule(family: str, pairs: Sequence[PairResult], rule: FamilyRule) -> Rule:
    """A demanded family has as many assessed pairs as the protocol wants."""
    found = sum(pair.assessed for pair in pairs)
    sentence = (
        f"Family {family} has {count_of(found, 'assessed twin pair')};"
        f" the protocol wants {rule.min_pairs}."
    )
    return Rule(
        f"family_size:{family}",
        found >= rule.min_pairs,
        sentence,
        threshold=float(rule.min_pairs),
        numerator=found,
    )


def completeness_rule(
    candidate: Sequence[CaseOutcome], rule: ClassRule, level: float, *, open_as_kept: bool
) -> Rule:
    """Critical completeness reaches the floor; vacuously complete requests count and are named
    (R26)."""
    score = critical_completeness(candidate, level=level)
    rate = score.overall.best if open_as_kept else score.overall.worst
    if rate.value is None or rate.numerator is None:
        return Rule("completeness", None, rate.reason, threshold=rule.completeness_floor)
    bound = clopper_pearson(rate.numerator, rate.n, level=level, side="lower").low
    vacuous = f", {score.vacuous} of them without a critical constraint" if score.vacuous else ""
    still_open = _counted_as(score.overall.open, "judgements", "kept" if open_as_kept else "lost")
    broken = score.broken_by_addition
    alone = " without an added restriction" if broken else ""
    verbs = ("keeps", "adds") if broken == 1 else ("keep", "add")
    added = f" {broken} more {verbs[0]} them all but {verbs[1]} a restriction;" if broken else ""
    floor = rule.completeness_floor
    sentence = (
        f"Every critical constraint is kept{alone} in"
        f" {rate.numerator} of {count_of(rate.n, 'request')}{vacuous}{still_open}"
        f" ({percent(rate.value, floor)});{added}"
        f" the floor for this share is {registered(floor)}. With {registered(level)} confidence it"
        f" is at least {percent(bound, floor)}, which decides nothing."
    )
    return Rule(
        "completeness",
        rate.value >= rule.completeness_floor,
        sentence,
        rate.value,
        bound,
        rule.completeness_floor,
        rate.numerator,
        rate.n,
    )


def unjudged_answers(
    original: Sequence[CaseOutcome], candidate: Sequence[CaseOutcome]
) -> tuple[str, ...]:
    """Return requests that the original got right and whose candidate answer is unjudged."""
    after = {outcome.request: outcome.supported_correct for outcome in scored(candidate)}
    return tuple(
        outcome.request
        for outcome in scored(original)
        if outcome.supported_correct and after.get(outcome.request, False) is None
    )


def regression_rule(
    original: Sequence[CaseOutcome],
    candidate: Sequence[CaseOutcome],
    rule: ClassRule,
    level: float,
    *,
    open_as_kept: bool,
) -> Rule:
    """The exact one-sided upper bound of the regression rate stays at or below the ceiling (R35,
    R40).

    An unjudged candidate answer to a request that the original answered correctly counts as lost,
    or as kept when `open_as_kept`. Nothing correct at the original leaves the rule undefined and
    not violated.
    """
    ceiling = rule.regression_ceiling
    after = {outcome.request: outcome.supported_correct for outcome in scored(candidate)}
    before = [outcome for outcome in scored(original) if outcome.request in after]
    right = [outcome.request for outcome in before if outcome.supported_correct]
    if not right:
        judged = any(outcome.supported_correct is not None for outcome in before)
        why = "the original answered none correctly" if judged else "no answer could be judged"
        sentence = f"Regression could not be tested: {why}."
        return Rule("regression", None, sentence, threshold=ceiling, numerator=0, denominator=0)
    # `after` holds True, False or None (unjudged).
    lost = sum(
        after[request] is False or (after[request] is None and not open_as_kept)
        for request in right
    )
    rate = clopper_pearson(lost, len(right), level=level, side="upper")
    bound = 1.0 if rate.high is None else rate.high
    passed = bound <= ceiling
    unjudged = sum(after[request] is None for request in right)
    still_open = _counted_as(unjudged, "answers", "kept" if open_as_kept else "lost")
    verb = "is" if len(right) == 1 else "are"
    sentence = (
        f"{lost} of {count_of(len(right), 'answer')} that the original got right {verb} lost"
        f"{still_open} ({percent(rate.value, ceiling)}). With {registered(level)} confidence"
        f" at most {percent(bound, ceiling)} are; the ceiling for this bound is"
        f" {registered(ceiling)}."
    )
    if not passed:
        needed = clean_requests_needed(ceiling, level=level, failures=lost)
        more = needed.n - len(right)
        sentence += (
            f" {more} more without a further loss would bring the bound there."
            if needed.value is not None and lost / len(right) <= ceiling
            else ""
        )
    return Rule("regression", passed, sentence, rate.value, bound, ceiling, lost, len(right))


def is_systematic(failures: int, n: int, *, allowed: float, level: float) -> bool:
    """Return whether so many failed of `n` assessed pairs, at least one, are a systematic flip
    failure: the exact one-sided lower bound of their rate exceeds `allowed`, or at least 2 failed
    and the rate is at least the larger of 20 % and `allowed` (R41).
    """
    if failures >= SYSTEMATIC_FAILURES and failures / n >= max(SYSTEMATIC_RATE, allowed):
        return True
    return (clopper_pearson(failures, n, level=level, side="lower").low or 0.0) > allowed


def family_rule(
    family: str,
    pairs: Sequence[PairResult],
    rule: FamilyRule | None,
    level: float,
    *,
    open_as_kept: bool,
) -> Rule:
    """The family shows no systematic flip failure (R41).

    It fails when `is_systematic` says so with `max_failure_rate` allowed. A family that the
    protocol does not name (`rule` None) is reported and decides nothing.
    """
    assessed = [pair for pair in pairs if pair.assessed]
    results = [pair.best if open_as_kept else pair.worst for pair in assessed]
    failures, n = results.count(False), len(results)
    name = f"family:{family}"
    if not n:
        threshold = rule.max_failure_rate if rule else None
        return Rule(name, None, f"Family {family} has no assessed twin pair.", threshold=threshold)
    bound = clopper_pearson(failures, n, level=level, side="lower").low or 0.0
    rate = failures / n
    waiting = sum(pair.passed is None for pair in assessed)
    still_open = _counted_as(waiting, "pairs", "passed" if open_as_kept else "failed")
    counts = f"Family {family}: {failures} of {count_of(n, 'twin pair')} failed{still_open}"
    if rule is None:
        sentence = (
            f"{counts} ({percent(rate)}). The protocol does not name this family, so it decides"
            " nothing."
        )
        return Rule(name, None, sentence, rate, bound, None, failures, n)
    allowed = rule.max_failure_rate
    systematic = is_systematic(failures, n, allowed=allowed, level=level)
    sentence = (
        f"{counts} ({percent(rate, allowed)}, at least {percent(bound, allowed)}"
        f" with {registered(level)} confidence); {registered(allowed)} are allowed,"
        f" so this is{'' if systematic else ' not'} systematic."
    )
    return Rule(name, not systematic, sentence, rate, bound, allowed, failures, n)


def fell_back_rule(candidate: Sequence[CaseOutcome]) -> Rule | None:
    """Say in how many assessed requests the original was searched because the rewriter failed; None
    if in none. It decides nothing: they are scored as that search.
    """
    assessed = [outcome for outcome in candidate if outcome.assessed]
    count, n = sum(outcome.fell_back for outcome in assessed), len(assessed)
    if not count:
        return None
    sentence = (
        f"In {count} of {count_of(n, 'request')} the rewriter failed and the original was searched"
        " in its place: scored as that search, and no rewrite that succeeded."
    )
    return Rule("fell_back", None, sentence, count / n, None, None, count, n)


def judge_error_rule(judge: JudgeAudit, limit: float, level: float) -> Rule:
    """Of each kind that the judge itself decided in the class, the exact one-sided upper bound of
    its error stays at or below the limit; a kind of which nothing was checked is above it.

    `value`, `bound` and counts are those of the kind that stands worst.
    """
    name = "judge_error"
    count = sum(judge.decided.values())
    if not count:
        return Rule(name, None, "The judge decided no constraint itself.", threshold=limit)
    found = {kind: judge.kinds[kind] for kind, n in sorted(judge.decided.items()) if n}
    # Of what was not checked nothing is known: it may be wrong throughout.
    bounds = {kind: 1.0 if a.error.high is None else a.error.high for kind, a in found.items()}
    worst = max(found, key=lambda kind: (not found[kind].checked, bounds[kind]))
    above = [kind for kind, a in found.items() if not a.checked or bounds[kind] > limit]
    told = "; ".join(_checked(kind, found[kind], limit) for kind in above or [worst])
    others = len(found) - len(above or [worst])
    sentence = (
        f"The judge itself decided {count} of {count_of(judge.constraints, 'constraint')}. Its"
        f" error is{' not' if above else ''} shown to be within the limit of {registered(limit)}"
        f" with {registered(level)} confidence: {told}."
    )
    shown = found[worst]
    if above:
        sentence += (
            f" It is within the limit in {count_of(others, 'other kind')}." if others else ""
        )
        sentence += _more_to_check(worst, shown, limit, level)
    elif others:
        sentence += f" It is no more in {count_of(others, 'other kind')}."
    return Rule(
        name,
        not above,
        sentence,
        shown.error.value,
        shown.error.high,
        limit,
        shown.wrong,
        shown.checked,
    )


def _checked(kind: str, audit: KindAudit, limit: float) -> str:
    if not audit.drawn:
        return f"{kind}, none of {audit.population} was drawn to be checked"
    if not audit.checked:
        return f"{kind}, 0 of {audit.drawn} drawn were checked"
    rate = f"{percent(audit.error.value, limit)}, at most {percent(audit.error.high, limit)}"
    return f"{kind}, {audit.wrong} of {audit.checked} checked were wrong ({rate})"


def _more_to_check(kind: str, audit: KindAudit, limit: float, level: float) -> str:
    """How many more would do, where more can do."""
    needed = clean_requests_needed(limit, level=level, failures=audit.wrong)
    if needed.value is None or audit.wrong > limit * audit.checked:
        return ""
    more = needed.n - audit.checked
    if needed.n > audit.drawn:
        return (
            f" Showing it for {kind} takes {needed.n} checked, {audit.wrong} of them wrong, and "
            f"{audit.drawn} were drawn: a Protocol that draws more can."
        )
    return f" {more} more of {kind} without a wrong one would bring the bound there."


def percent(value: float | None, *apart: float) -> str:
    """Return a rate as a percentage that reads unlike 0, 1 and `apart` unless it equals them."""
    if value is None:
        return "an undefined share"
    return f"{percentage(value, apart=apart).removesuffix('.0')} %"


def _counted_as(still_open: int, what: str, counted: str) -> str:
    return f", open {what} counted as {counted}" if still_open else ""


def count_of(count: int, noun: str) -> str:
    """Return "1 pair", "2 pairs"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
