"""From stored rows to what the pure scores need: nothing is computed from anything but the rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.models import Case, Judgement, StageResult
from evaluation.records import Rewrite
from evaluation.scoring.answers import AnswerScore, typed_match
from evaluation.scoring.evidence import HIT, NEAR_MISS, EvidenceRecall, evidence_recall
from evaluation.scoring.localisation import first_stage_lost
from evaluation.scoring.outcomes import CaseOutcome, Judged
from evaluation.scoring.support import Support, supported

Stage = StageResult.Stage


@dataclass(frozen=True)
class ScoredCase:
    """A case's outcome with the reasons that a page shows beside it."""

    outcome: CaseOutcome
    evidence: EvidenceRecall
    answer: AnswerScore | None
    support: Support | None
    foreign: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome.to_json(),
            "evidence": self.evidence.to_json(),
            "answer": self.answer.to_json() if self.answer else None,
            "support": self.support.to_json() if self.support else None,
            "first_lost": first_stage_lost(self.outcome).to_json(),
        }


def score_case(
    case: Case,
    stages: Mapping[str, Mapping[str, Any]],
    judgements: list[Judgement],
    documents: Mapping[str, str],
    near_misses: Collection[str],
    judging: str = "automatic",
) -> ScoredCase:
    """Score one case from its rows. `documents` has the text of every retrieved document.

    Where the Protocol's `judging` wants a person, what only the matcher judged counts as unsure.
    A case without its rows has the status of its failure and is never scored as 0.
    """
    request = case.request
    unresolved = bool(case.contract and case.contract.unresolved)
    if case.state != Case.State.DONE:
        outcome = CaseOutcome(
            request=request.key,
            request_class=request.request_class.name,
            arm=case.arm.name,
            unresolved=unresolved,
            status=case.status or "not_run",
        )
        return ScoredCase(outcome, evidence_recall((), ()), None, None, {})
    rewrite = Rewrite.from_json(stages[Stage.REWRITE])
    answered = stages[Stage.ANSWER]
    judged = stages[Stage.JUDGE]
    hits = stages[Stage.RETRIEVE]["hits"]
    ranked = tuple(hit["id"] for hit in hits)
    required = tuple(tuple(item) for item in request.evidence or ())
    evidence = evidence_recall(required, ranked, near_misses)
    text = answered["answer"]
    answer = typed_match(text, request.answers) if request.answers else None
    support = supported(text, [documents[key] for key in ranked]) if text else None
    outcome = CaseOutcome(
        request=request.key,
        request_class=request.request_class.name,
        arm=case.arm.name,
        unresolved=unresolved,
        judgements=_judged(judgements, judging),
        added_kinds=tuple(sorted(addition["kind"] for addition in judged["added"])),
        asked=rewrite.asks or bool(answered.get("clarification")),
        evidence_hit=evidence.count(HIT),
        evidence_required=len(evidence.items),
        near_misses=evidence.count(NEAR_MISS),
        answer_correct=answer.correct if answer else None,
        supported=support.value if support else None,
        status=case.status,
        query_texts=rewrite.queries,
        filters=rewrite.filters,
        ranked_ids=ranked,
        tie_groups=tie_groups(hits),
        own_evidence=required,
        answer_text=text,
        latency_ms=_latency(stages),
        cost=rewrite.cost_usd,
    )
    return ScoredCase(outcome, evidence, answer, support, judged["foreign"])


def tie_groups(hits: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Return a number for each hit, the same for hits that tie: of one query with an equal score,
    or (in a logged run) with an equal rank. Only the ids order those, and ids say nothing. A fused
    list has one scale of scores, whatever query a hit counts for.
    """
    groups: dict[tuple[str, int, float], int] = {}
    found = []
    for position, hit in enumerate(hits):
        query = -1 if _is_fused(hit) else hit.get("query", 0)
        keys = ("score", query, float(hit["score"])), ("rank", query, float(hit["rank"]))
        group = next((groups[key] for key in keys if key in groups), position)
        groups.update(dict.fromkeys(keys, group))
        found.append(group)
    return tuple(found)


def _is_fused(hit: Mapping[str, Any]) -> bool:
    """Return whether the hit's score is made from several lists, which then say by what."""
    return any(found.get("by") for found in hit.get("found") or ())


def effective(judgements: list[Judgement]) -> dict[int, Judgement]:
    """The judgement that counts for each constraint: a person's where there is one."""
    found: dict[int, Judgement] = {}
    for judgement in sorted(judgements, key=lambda j: j.person_id is not None):
        found[judgement.constraint_id] = judgement
    return found


def _wants_person(judgement: Judgement, judging: str) -> bool:
    if judgement.person_id is not None or judging == "automatic":
        return False
    return judging == "human_for_all" or judgement.constraint.materiality == "critical"


def _judged(judgements: list[Judgement], judging: str) -> tuple[Judged, ...]:
    rows = sorted(effective(judgements).values(), key=lambda j: j.constraint.position)
    return tuple(
        Judged(
            j.constraint.key,
            j.constraint.kind,
            j.constraint.materiality == "critical",
            "unsure" if _wants_person(j, judging) else j.judgement,
        )
        for j in rows
    )


def _latency(stages: Mapping[str, Mapping[str, Any]]) -> float | None:
    """Rewrite and answer together, in milliseconds; None if neither was measured."""
    measured = [
        ms
        for stage in (Stage.REWRITE, Stage.ANSWER)
        if (ms := stages[stage].get("latency_ms")) is not None
    ]
    return sum(measured) if measured else None
