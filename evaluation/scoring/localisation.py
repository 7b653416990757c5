"""The first stage that loses the contract, per case (protocol rules R32 and R33)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evaluation.scoring.outcomes import CaseOutcome

STAGES = ("rewrite", "retrieval", "generation", "clarification", "none")
# What a stage's failure is called. Retrieval has two: the twin's evidence came instead of the
# request's own (right topic, wrong qualifier), or nothing of either (protocol rule R27).
NEAR_MISS, MISSING = "near_miss", "missing"
CODES = ("rewrite", NEAR_MISS, MISSING, "generation", "clarification", "none")


@dataclass(frozen=True, slots=True)
class StageLost:
    """`stage` is one of `STAGES`, or None when it cannot be told; `why` is a sentence.

    `code` is one of `CODES`: the stage, but for retrieval, which fails in two ways.
    `correct_despite_loss` keeps the second fact of R33: the answer is supported and correct
    although an earlier stage lost something. It is still a failure of that stage.
    """

    request: str
    arm: str
    stage: str | None
    why: str
    correct_despite_loss: bool = False
    code: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "request": self.request,
            "arm": self.arm,
            "stage": self.stage,
            "code": self.code,
            "why": self.why,
            "correct_despite_loss": self.correct_despite_loss,
        }


def first_stage_lost(outcome: CaseOutcome) -> StageLost:
    """Return where this case first lost the contract.

    Order: clarification (asked wrongly or failed to ask); a critical constraint lost or an addition
    that breaks one: rewrite, even if retrieval got lucky; for a case that fails later, any lost
    constraint: rewrite; required evidence not retrieved: retrieval; answer not supported and
    correct: generation. A near miss is not retrieved either: it changes the code, never the stage.
    """
    stage, why = _stage(outcome)
    lucky = stage in ("rewrite", "retrieval") and outcome.supported_correct is True
    code = stage
    if stage == "retrieval":
        code = NEAR_MISS if outcome.near_misses else MISSING
    return StageLost(outcome.request, outcome.arm, stage, why, lucky, code)


def count_stages(outcomes: Iterable[CaseOutcome]) -> dict[str, int]:
    """Return how many cases lost the contract first at each stage; "undetermined" if it cannot be
    told."""
    counts = dict.fromkeys((*STAGES, "undetermined"), 0)
    for outcome in outcomes:
        counts[first_stage_lost(outcome).stage or "undetermined"] += 1
    return counts


def count_codes(outcomes: Iterable[CaseOutcome]) -> dict[str, int]:
    """Return how many cases failed first with each code; "undetermined" if it cannot be told."""
    counts = dict.fromkeys((*CODES, "undetermined"), 0)
    for outcome in outcomes:
        counts[first_stage_lost(outcome).code or "undetermined"] += 1
    return counts


def _stage(outcome: CaseOutcome) -> tuple[str | None, str]:
    if not outcome.assessed:
        return None, f"The case was not assessed: {outcome.status}."
    if outcome.unresolved:
        if outcome.asked:
            return "none", "The request is unresolved and the system asked."
        return "clarification", "The request is unresolved, but the system did not ask."
    if outcome.asked:
        return "clarification", "The request is resolved, but the system asked."
    return _lost_in_rewrite(outcome) or _lost_later(outcome)


def _lost_in_rewrite(outcome: CaseOutcome) -> tuple[str | None, str] | None:
    lost = [j for j in outcome.judgements if j.critical and j.lost]
    if lost:
        return "rewrite", "The rewrite " + " and ".join(
            f"{j.judgement} {j.constraint}" for j in lost
        ) + "."
    if outcome.breaking_additions:
        return "rewrite", "The rewrite added a restriction to a critical dimension."
    if outcome.open_critical == 1:
        return None, "1 critical judgement is open; people must settle it."
    if outcome.open_critical:
        why = f"{outcome.open_critical} critical judgements are open; people must settle them."
        return None, why
    return None


def _lost_later(outcome: CaseOutcome) -> tuple[str | None, str]:
    missing = outcome.evidence_required - outcome.evidence_hit
    wrong = outcome.supported_correct is False
    minor = [j.constraint for j in outcome.judgements if j.lost]
    if (missing or wrong) and minor:
        return "rewrite", f"The rewrite lost the minor constraint {', '.join(minor)}."
    if missing:
        return "retrieval", _evidence_fault(outcome, missing)
    if not wrong:
        return "none", "Nothing was lost at any stage that could be checked."
    if not outcome.evidence_required:
        return (
            None,
            "The answer fails, but no required evidence is recorded to tell the stages apart.",
        )
    return "generation", _answer_fault(outcome)


def _evidence_fault(outcome: CaseOutcome, missing: int) -> str:
    sentence = f"{missing} of {outcome.evidence_required} required items were not retrieved"
    if not outcome.near_misses:
        return f"{sentence}."
    if outcome.near_misses == missing:
        return f"{sentence}; the evidence of a twin was retrieved instead."
    return f"{sentence}; for {outcome.near_misses} of them the evidence of a twin was retrieved."


def _answer_fault(outcome: CaseOutcome) -> str:
    if outcome.status == "abstained":
        return "The evidence was retrieved, but the reader abstained."
    if not outcome.answer_correct:
        return "The evidence was retrieved, but the answer is not correct."
    return "The answer is correct, but the retrieved text does not support it."
