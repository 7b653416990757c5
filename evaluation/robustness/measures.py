"""What is measured of one row of a suite: the answer under each rule by its name, and the evidence.

A row that failed has no value under any measure: an error is a status and never a score.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.scoring.answer_rules import Rule
from evaluation.scoring.answers import flashrag_acc, inacc, typed_match
from evaluation.scoring.evidence import evidence_recall
from evaluation.scoring.flashrag import flashrag_exact_match, flashrag_f1

OK, ABSTAINED, FAILED = "ok", "abstained", "failed"

# By the names under which results hold them; "typed" is the product's own rule.
ANSWER_RULES: Mapping[str, Rule] = {
    "em": flashrag_exact_match,
    "f1": flashrag_f1,
    "acc": flashrag_acc,
    "inacc": inacc,
    "typed": typed_match,
}
RECALL = "recall"
MEASURES = (*ANSWER_RULES, RECALL)
# Say anything from 0 to 1; the others say 0 or 1.
GRADED = ("f1", RECALL)
FORMULAS: Mapping[str, str] = {
    "em": "flashrag_em/1",
    "f1": "flashrag_f1/1",
    "acc": "flashrag_acc/1",
    "inacc": "inacc/1",
    "typed": "typed_match/2",
    RECALL: "evidence_recall/1",
}

NO_ANSWERS = "The request has no gold answer."
NO_EVIDENCE = "The request records no required evidence."
ROW_FAILED = "The row failed, and an error is no score."
ROW_MISSING = "The row is not there."


@dataclass(frozen=True, slots=True)
class Gold:
    """What a request is scored against. `base` is the request that it is a twin of, or itself."""

    key: str
    answers: tuple[str, ...] = ()
    evidence: tuple[tuple[str, ...], ...] = ()
    base: str = ""

    @property
    def cluster(self) -> str:
        return self.base or self.key


@dataclass(frozen=True, slots=True)
class Scored:
    """One row: its status, its value under each of `MEASURES` or None, and why there is none.

    `took` are its numbers of retrievals and of calls of a model.
    """

    status: str
    values: Mapping[str, float | None]
    why: Mapping[str, str] = field(default_factory=dict)
    error: str = ""
    took: tuple[int, int] | None = None

    @property
    def failed(self) -> bool:
        return self.status == FAILED


def score(content: Mapping[str, Any], gold: Gold, *, k: int) -> Scored:
    """Return what a row's `content` (an outcome as JSON, with "status" and "error") is worth.

    Recall is over the first `k` documents, each counted once. No answer is worth 0, as a wrong
    one; a gold that a rule refuses leaves that rule without a value.
    """
    if content["status"] == FAILED:
        why = dict.fromkeys(MEASURES, ROW_FAILED)
        return Scored(FAILED, dict.fromkeys(MEASURES), why, str(content.get("error", "")))
    values: dict[str, float | None] = {}
    why = {}
    for name, rule in ANSWER_RULES.items():
        values[name], why[name] = _applied(rule, content.get("answer"), gold.answers)
    documents = list(dict.fromkeys(hit["id"] for hit in content.get("hits", ())))[:k]
    values[RECALL], why[RECALL] = _recall(documents, gold.evidence)
    took = (int(content.get("retrievals", 0)), int(content.get("generations", 0)))
    return Scored(content["status"], values, {n: w for n, w in why.items() if w}, took=took)


def _applied(rule: Rule, answer: str | None, golds: Sequence[str]) -> tuple[float | None, str]:
    if not golds:
        return None, NO_ANSWERS
    try:
        value = rule(answer, golds).value
    except ValueError as fault:
        return None, str(fault)
    return value, "" if value is not None else NO_ANSWERS


def _recall(
    documents: Sequence[str], required: Sequence[Sequence[str]]
) -> tuple[float | None, str]:
    if not required:
        return None, NO_EVIDENCE
    return evidence_recall(required, documents).recall.value, ""
