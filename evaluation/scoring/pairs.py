"""Twin pairs scored as one unit (protocol rules R20 to R23) and expansion controls (R22)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.records import KEPT
from evaluation.scoring.bounded import Bounded
from evaluation.scoring.outcomes import CaseOutcome, scored
from evaluation.statistics import Estimate, wilson

COMPONENTS = ("rewrite", "evidence", "answer")


@dataclass(frozen=True, slots=True)
class Twins:
    """Two requests that differ in one decisive qualifier, `constraint` (the same id in both
    contracts).

    `twins_in_base` is the judgement of the twin's constraint in the base's rewrite, `bases_in_twin`
    the other way round; None when this was not judged.
    """

    id: str
    family: str
    base: str
    twin: str
    constraint: str
    twins_in_base: str | None = None
    bases_in_twin: str | None = None


@dataclass(frozen=True, slots=True)
class PairResult:
    """One pair under one arm. Each component is True, False, or None when it does not apply or is
    open.

    `worst` and `best` are the pair's result with open judgements counted as lost and as kept; both
    None when a side was not assessed. `passed` is None unless they agree. `why` is a sentence.
    """

    id: str
    family: str
    request_class: str
    arm: str
    rewrite: bool | None
    evidence: bool | None
    answer: bool | None
    worst: bool | None
    best: bool | None
    why: str

    @property
    def assessed(self) -> bool:
        return self.worst is not None

    @property
    def passed(self) -> bool | None:
        return self.worst if self.worst == self.best else None

    def to_json(self) -> dict[str, Any]:
        names = ("id", "family", "request_class", "arm", *COMPONENTS, "worst", "best", "why")
        return {**{name: getattr(self, name) for name in names}, "passed": self.passed}


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """Passes of one family: pairs as units, and each component by itself as a diagnostic.

    `not_assessed` counts pairs with a failed or missing side, which are in no denominator.
    """

    family: str
    passes: Bounded
    rewrite: Estimate
    evidence: Estimate
    answer: Estimate
    not_assessed: int

    def to_json(self) -> dict[str, Any]:
        return {
            "family": self.family,
            "passes": self.passes.to_json(),
            **{name: getattr(self, name).to_json() for name in COMPONENTS},
            "not_assessed": self.not_assessed,
        }


def judge_pair(twins: Twins, base: CaseOutcome, twin: CaseOutcome) -> PairResult:
    """Return whether rewrite, evidence and answer all differ as the two contracts do.

    Resolved pair: each side's rewrite keeps its own qualifier and not the other's; each side ranks
    a document that only it requires above every one that only the other requires (the NevIR rule,
    Weller et al. 2024: right on both sides, a tie fails); each answer is correct for its own gold.
    The same queries and filters on both sides always fail, and so does the same ranking (unless
    both require the same documents) or the same answer. A side that is unresolved passes only by
    asking, a resolved one never by asking. A component without annotation (no required items, no
    gold) is None and is left out. Raises ValueError when the outcomes are not the two requests of
    the pair under one arm.
    """
    _require_sides(twins, base, twin)
    missing = [side for side in (base, twin) if not side.assessed]
    if missing:
        why = f"{missing[0].request} was not assessed: {missing[0].status}."
        return _result(twins, base, (None, None, None), None, None, why)
    worst = _rewrite(twins, base, twin, open_as_kept=False)
    best = _rewrite(twins, base, twin, open_as_kept=True)
    evidence, answer = _evidence(base, twin), _answer(base, twin)
    later = [part for part in (evidence, answer) if part is not None]
    rewrite = worst if worst == best else None
    parts = (rewrite, evidence, answer)
    return _result(
        twins,
        base,
        parts,
        worst and all(later),
        best and all(later),
        _why(twins, base, twin, parts),
    )


def family_results(pairs: Iterable[PairResult], *, level: float = 0.95) -> tuple[FamilyResult, ...]:
    """Return the result of every family among one arm's `pairs`, sorted by name (Wilson
    intervals)."""
    rows = list(pairs)
    families = sorted({pair.family for pair in rows})
    return tuple(
        _family(name, [pair for pair in rows if pair.family == name], level) for name in families
    )


def false_rejection_rate(controls: Iterable[CaseOutcome], *, level: float = 0.95) -> Bounded:
    """Return the share of expansion controls that are wrongly found incomplete (R22; lower is
    better).

    `controls` are one arm's cases of control requests, whose rewrite adds vocabulary but keeps the
    contract.
    """
    rows = scored(controls)
    still_open = sum(outcome.open_critical for outcome in rows)

    def rate(open_as_kept: bool) -> Estimate:
        if not rows:
            return Estimate.undefined("No control was assessed.")
        rejected = sum(not outcome.complete(open_as_kept=open_as_kept) for outcome in rows)
        return wilson(rejected, len(rows), level=level)

    return Bounded(rate(False), rate(True), still_open)


def _require_sides(twins: Twins, base: CaseOutcome, twin: CaseOutcome) -> None:
    if (base.request, twin.request) != (twins.base, twins.twin) or base.arm != twin.arm:
        raise ValueError(
            f"Pair {twins.id!r} is {twins.base!r} and {twins.twin!r} under one arm, not"
            f" {base.request!r} under {base.arm!r} and {twin.request!r} under {twin.arm!r}."
        )


def _rewrite(twins: Twins, base: CaseOutcome, twin: CaseOutcome, *, open_as_kept: bool) -> bool:
    own = (_side(twins, base, open_as_kept), _side(twins, twin, open_as_kept))
    if not all(own):
        return False
    if base.unresolved or twin.unresolved:
        return True
    if (base.query_texts, base.filters) == (twin.query_texts, twin.filters):
        return False
    foreign = (twins.twins_in_base, twins.bases_in_twin)
    # An open judgement of the other's qualifier is bad news when it turns out kept.
    return not any(j in KEPT or (j == "unsure" and not open_as_kept) for j in foreign)


def _side(twins: Twins, outcome: CaseOutcome, open_as_kept: bool) -> bool:
    if outcome.unresolved or outcome.asked:
        return outcome.unresolved and outcome.asked
    for judged in outcome.judgements:
        if judged.constraint == twins.constraint:
            return judged.kept or (judged.open and open_as_kept)
    raise ValueError(
        f"Pair {twins.id!r} turns on constraint {twins.constraint!r}, which has no judgement for"
        f" request {outcome.request!r}: judge it before scoring the pair."
    )


def _evidence(base: CaseOutcome, twin: CaseOutcome) -> bool | None:
    if base.unresolved or twin.unresolved:
        return None
    mine = {document for item in base.own_evidence for document in item}
    theirs = {document for item in twin.own_evidence for document in item}
    if not mine or not theirs:
        return None
    if mine == theirs:
        return bool(mine & set(base.ranked_ids)) and bool(mine & set(twin.ranked_ids))
    # A side whose documents are all shared can only be asked to rank one above the other's own.
    return _prefers(base.ranked_ids, (mine - theirs) or mine, theirs - mine) and _prefers(
        twin.ranked_ids, (theirs - mine) or theirs, mine - theirs
    )


def _prefers(ranked: Sequence[str], own: set[str], foreign: set[str]) -> bool:
    """Return whether an own document is ranked above every foreign one; neither listed: False."""
    for document in ranked:
        if document in own:
            return True
        if document in foreign:
            return False
    return False


def _answer(base: CaseOutcome, twin: CaseOutcome) -> bool | None:
    sides = [side for side in (base, twin) if not side.unresolved]
    if not sides or any(side.answer_correct is None for side in sides):
        return None
    if len(sides) == 2 and _folded(base.answer_text) == _folded(twin.answer_text):
        return False
    return all(bool(side.answer_correct) for side in sides)


def _folded(text: str | None) -> str:
    return " ".join((text or "").lower().split())


def _why(twins: Twins, base: CaseOutcome, twin: CaseOutcome, parts: tuple[bool | None, ...]) -> str:
    if not (base.unresolved or twin.unresolved) and (
        (base.query_texts, base.filters) == (twin.query_texts, twin.filters)
    ):
        return _same_rewrite(base, twin)
    failed = [name for name, part in zip(COMPONENTS, parts, strict=True) if part is False]
    if failed:
        return f"The two sides do not differ as they should in: {', '.join(failed)}."
    if parts[0] is None:
        return f"A judgement of constraint {twins.constraint} is open."
    absent = [n for n, part in zip(COMPONENTS, parts, strict=True) if part is None]
    note = f" Not applicable: {', '.join(absent)}." if absent else ""
    return f"Both sides differ as they should.{note}"


def _same_rewrite(base: CaseOutcome, twin: CaseOutcome) -> str:
    if base.asked and twin.asked:
        return "Both sides asked back, although both requests are resolved."
    if not base.query_texts:
        return "Neither side has a query."
    return "Both sides got the same rewrite."


def _result(
    twins: Twins,
    base: CaseOutcome,
    parts: tuple[bool | None, bool | None, bool | None],
    worst: bool | None,
    best: bool | None,
    why: str,
) -> PairResult:
    return PairResult(
        twins.id,
        twins.family,
        base.request_class,
        base.arm,
        *parts,
        worst=worst,
        best=best,
        why=why,
    )


def _family(name: str, pairs: list[PairResult], level: float) -> FamilyResult:
    rows = [pair for pair in pairs if pair.assessed]
    still_open = sum(pair.passed is None for pair in rows)
    none = "No pair of this family was assessed."
    waiting = "Every rewrite of this family waits for a person."
    parts = {part: [getattr(pair, part) for pair in rows] for part in COMPONENTS}
    return FamilyResult(
        family=name,
        passes=Bounded(
            _rate([pair.worst for pair in rows], level, none),
            _rate([pair.best for pair in rows], level, none),
            still_open,
        ),
        rewrite=_rate(parts["rewrite"], level, waiting if rows else none),
        evidence=_rate(
            parts["evidence"], level, "No pair records required evidence on both sides."
        ),
        answer=_rate(parts["answer"], level, "No pair has gold answers."),
        not_assessed=len(pairs) - len(rows),
    )


def _rate(results: Sequence[bool | None], level: float, reason: str) -> Estimate:
    known = [result for result in results if result is not None]
    return wilson(sum(known), len(known), level=level) if known else Estimate.undefined(reason)
