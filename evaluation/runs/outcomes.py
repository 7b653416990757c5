"""From stored rows to what the pure scores need: nothing is computed from anything but the rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.models import Case, Judgement, StageResult
from evaluation.models.judgements import that_count
from evaluation.records import Rewrite
from evaluation.scoring.answer_rules import RULES, TYPED, answer_scores, golds_type
from evaluation.scoring.answers import AnswerScore
from evaluation.scoring.answers_said import (
    NOTHING_SAID,
    AnswersSaid,
    Said,
    answer_key,
    evidence_key,
)
from evaluation.scoring.evidence import HIT, NEAR_MISS, EvidenceRecall, evidence_recall
from evaluation.scoring.localisation import first_stage_lost
from evaluation.scoring.outcomes import ASSESSED, CaseOutcome, Judged
from evaluation.scoring.protocol import wants_person
from evaluation.scoring.support import LEXICAL, Support, supported_by

Stage = StageResult.Stage
PERSON = "person"
# The answer stage of a logged run that logged no answer at all.
NOT_APPLICABLE = "not_applicable"
# The note on the retrieval of a logged run that has hits.
UPLOADED = "uploaded"


@dataclass(frozen=True)
class ScoredCase:
    """A case's outcome with the reasons that a page shows beside it.

    `answer` and `support` are what counts, a person's word where there is one; `answers` has what
    each rule says, by its name.
    """

    outcome: CaseOutcome
    evidence: EvidenceRecall
    answer: AnswerScore | None
    support: Support | None
    foreign: Mapping[str, str]
    answers: Mapping[str, AnswerScore] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome.to_json(),
            "evidence": self.evidence.to_json(),
            "answer": self.answer.to_json() if self.answer else None,
            "answers": {name: score.to_json() for name, score in self.answers.items()},
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
    said: AnswersSaid = NOTHING_SAID,
) -> ScoredCase:
    """Score one case from its rows. `documents` has the text of every retrieved document.

    What people `said` of the answer prevails over rules and models. Support that a judge wrote down
    in the judge's row is taken from there, else it is checked by words. Where the Protocol's
    `judging` wants a person, what only the matcher judged counts as unsure. A case without its rows
    has the status of its failure and is never scored as 0.
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
    # Hits that were not logged are not known to be missing: nothing that needs them is scored.
    unlogged = bool(stages[Stage.RETRIEVE].get("unlogged"))
    ranked = tuple(hit["id"] for hit in hits)
    required = () if unlogged else tuple(tuple(item) for item in request.evidence or ())
    evidence = evidence_recall(required, ranked, near_misses)
    text = answered["answer"]
    status = "ok" if case.status == NOT_APPLICABLE else case.status
    # What failed has no score, so its missing answer is not a wrong one.
    rules = _rules(answered, request.answers or ()) if status in ASSESSED else {}
    correct, supporting = _said_of(said, request.pk, text, ranked, answered.get("citations") or ())
    answer = _answer_of(rules.get(TYPED), correct)
    shown = None if unlogged else text
    support = _support_of(judged.get("support"), shown, ranked, documents)
    support_by = PERSON if supporting else _support_by(support)
    support = _said_support(support, supporting)
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
        status=status,
        query_texts=rewrite.queries,
        filters=rewrite.filters,
        ranked_ids=ranked,
        tie_groups=tie_groups(hits),
        own_evidence=required,
        answer_text=text,
        answer_rules={name: score.value for name, score in rules.items()},
        gold_type=golds_type(request.answers or ()) if rules else "",
        correct_by=PERSON if correct else "rule" if answer and answer.value is not None else "",
        support_by=support_by,
        uncheckable=support_by == "" and (unlogged or bool(text)),
        rewrite_kind="" if stages[Stage.REWRITE].get("unlogged") else rewrite.kind,
        fell_back=rewrite.fell_back,
        latency_ms=_measured(stages, "latency_ms"),
        calls=_calls(stages),
        cost=_measured(stages, "cost_usd"),
    )
    return ScoredCase(outcome, evidence, answer, support, judged["foreign"], rules)


def _rules(answered: Mapping[str, Any], golds: Sequence[str]) -> dict[str, AnswerScore]:
    """What each rule says of the answer; nothing without golds. Of an answer that a logged run does
    not have, each says that it is not applicable.
    """
    if not golds:
        return {}
    if answered.get("status") == NOT_APPLICABLE:
        why = "The logged run has no answers."
        return {name: AnswerScore(name, None, None, why) for name in RULES}
    return answer_scores(answered["answer"], golds)


def _said_of(
    said: AnswersSaid, request: int, text: str | None, ranked: Sequence[str], cited: Sequence[str]
) -> tuple[Said | None, Said | None]:
    """What a person said of this answer: whether it is correct, and whether it is supported."""
    if not text or said is NOTHING_SAID:
        return None, None
    key = answer_key(text)
    return (
        said.correct.get((request, key)),
        said.supported.get((request, key, evidence_key(ranked, cited))),
    )


def _answer_of(typed: AnswerScore | None, said: Said | None) -> AnswerScore | None:
    if said is None:
        return typed
    why = "A person judged the answer correct." if said.yes else "A person judged it not correct."
    beside = [said.note, f"{typed.rule}: {typed.why}" if typed else ""]
    return AnswerScore(PERSON, float(said.yes), None, " ".join([why, *filter(None, beside)]))


def _support_of(
    stored: Mapping[str, Any] | None,
    text: str | None,
    ranked: Sequence[str],
    documents: Mapping[str, str],
) -> Support | None:
    if not text:
        return None
    if stored is not None:
        return Support.from_json(stored)
    return supported_by(text, [(key, documents[key]) for key in ranked])


def _support_by(support: Support | None) -> str:
    if support is None:
        return ""
    if support.status == "judge_error":
        return "error"
    if support.value is None:
        return ""
    return "rule" if support.rule == LEXICAL else "model"


def _said_support(support: Support | None, said: Said | None) -> Support | None:
    if said is None:
        return support
    why = "A person judged it supported." if said.yes else "A person judged it not supported."
    beside = [said.note, f"{support.rule}: {support.why}" if support else ""]
    claims = support.claims if support else ()
    return Support(said.yes, " ".join([why, *filter(None, beside)]), PERSON, claims)


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


def _wants_person(judgement: Judgement, judging: str) -> bool:
    critical = judgement.constraint.materiality == "critical"
    return judgement.person_id is None and wants_person(judging, critical=critical)


def _judged(judgements: list[Judgement], judging: str) -> tuple[Judged, ...]:
    rows = sorted(that_count(judgements).values(), key=lambda j: j.constraint.position)
    return tuple(
        Judged(
            j.constraint.key,
            j.constraint.kind,
            j.constraint.materiality == "critical",
            "unsure" if _wants_person(j, judging) else j.judgement,
        )
        for j in rows
    )


def _measured(stages: Mapping[str, Mapping[str, Any]], name: str) -> float | None:
    """Rewrite and answer together (milliseconds, or USD); None if neither was measured. What a line
    of a logged run says is of the whole pipeline: the rewriting is in it already.
    """
    whole = stages[Stage.ANSWER].get(name)
    if whole is not None and _is_logged(stages):
        return float(whole)
    measured = [
        float(value)
        for stage in (Stage.REWRITE, Stage.ANSWER)
        if (value := stages[stage].get(name)) is not None
    ]
    return sum(measured) if measured else None


def _is_logged(stages: Mapping[str, Mapping[str, Any]]) -> bool:
    found = stages[Stage.RETRIEVE]
    return found.get("note") == UPLOADED or bool(found.get("unlogged"))


def _calls(stages: Mapping[str, Mapping[str, Any]]) -> int | None:
    """The outside calls that rewrite, search and answer took, those that were shared with equal
    ones included; None if they were not counted.
    """
    told = [stages[stage].get("calls") for stage in (Stage.REWRITE, Stage.RETRIEVE, Stage.ANSWER)]
    counts = [
        sum(one.values()) if isinstance(one, Mapping) else int(one)
        for one in told
        if one is not None
    ]
    return sum(counts) if counts else None
