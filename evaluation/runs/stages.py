"""The four stages of a case as functions of plain values: rewrite, retrieve, answer, judge. No
database.

Every stage returns the JSON that is stored; a later stage reads only what an earlier one stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.constraint_judges import ConstraintJudge, ConstraintJudgeError
from evaluation.constraint_judges.base import UNSURE, left_open
from evaluation.readers import ReaderError
from evaluation.readers.base import Reader
from evaluation.records import (
    Answer,
    ConstraintJudgement,
    Document,
    Hit,
    RequestText,
    Rewrite,
    question_of,
)
from evaluation.retrieval import FilterError, Retriever
from evaluation.rewriters import RewriteError, Rewriter
from evaluation.scoring.preservation import judge_rewrite
from evaluation.scoring.support import Support
from evaluation.support import SupportError, SupportJudge

# Who "judged" a rewrite that nobody logged: no person can settle that either.
UNLOGGED = "matcher:unlogged/1"
# What a reader wrote that was no answer is kept to be looked into, up to so many characters.
_MOST_RAW = 10_000


@dataclass(frozen=True)
class CaseInput:
    """What the stages of one case may see. `foreign` is the twin's decisive constraint, for
    pairs.
    """

    request: RequestText
    contract: ContractTerms | None
    foreign: tuple[tuple[str, ConstraintTerms], ...] = ()
    uploaded: Mapping[str, Any] | None = None


def rewrite_by(rewriter: Rewriter, case: CaseInput) -> dict[str, Any]:
    """Run a rewriter. What it could not do is its own outcome, of kind "error", with the reason."""
    try:
        return {**rewriter.rewrite(case.request).to_json(), "error": ""}
    except RewriteError as fault:
        return {**fault.as_rewrite().to_json(), "error": fault.reason, "raw": fault.raw}


def rewrite_given(rewrite: Rewrite) -> dict[str, Any]:
    """Store a rewrite that was not made here: a person's reference or an uploaded line."""
    return {**rewrite.to_json(), "error": ""}


def retrieve(
    retriever: Retriever, rewrite: Rewrite, *, k: int, original: str = ""
) -> dict[str, Any]:
    """Search with every query of the rewrite; nothing to search with gives no hits, and says so.

    A retriever that fuses may add the `original` request; then `searched` says what was sent.
    """
    if not rewrite.queries:
        return {"hits": [], "note": "The rewrite has no query, so nothing was searched."}
    queries = retriever.searched(rewrite.queries, original)
    try:
        hits = retriever.search(queries, k=k, filters=rewrite.filters)
    except FilterError as fault:
        # A filter that the search cannot apply finds nothing in production either.
        return {"hits": [], "note": str(fault)}
    more = {"searched": list(queries)} if queries != rewrite.queries else {}
    return {"hits": [hit.to_json() for hit in hits], "note": "", **more}


def answer(
    reader: Reader,
    rewrite: Rewrite,
    hits: Sequence[Hit],
    documents: Mapping[str, Document],
    *,
    token_budget: int,
    original: str = "",
) -> dict[str, Any]:
    """Answer the question as it was sent from the passages that fit the budget, best first."""
    if rewrite.asks or not rewrite.queries:
        return {**Answer(None).to_json(), "status": "abstained", "error": ""}
    passages = _within_budget([(hit, documents[hit.id]) for hit in hits], token_budget)
    try:
        found = reader.answer(question_of(rewrite, original), passages)
    except ReaderError as fault:
        status = "truncated" if fault.cut else "provider_error"
        raw = {"raw": fault.raw[:_MOST_RAW]} if fault.raw else {}
        return {**fault.as_answer().to_json(), "status": status, "error": fault.reason, **raw}
    status = "ok" if found.text is not None else "abstained"
    return {**found.to_json(), "status": status, "error": ""}


def judge(case: CaseInput, rewrite: Rewrite) -> dict[str, Any]:
    """Judge every constraint of the contract, and the twins' constraints, against the rewrite."""
    if case.contract is None:
        return nothing_judged()
    judged = judge_rewrite(case.request, case.contract, rewrite)
    foreign = {
        pair: judge_rewrite(case.request, ContractTerms(constraints=(constraint,)), rewrite)
        .judgements[0]
        .judgement
        for pair, constraint in case.foreign
    }
    return {**judged.to_json(), "foreign": foreign}


def settle_unsure(
    judge: ConstraintJudge, case: CaseInput, rewrite: Rewrite, judged: dict[str, Any]
) -> dict[str, Any]:
    """Return what the matchers `judged` with what the judge settles of the constraints that they
    left unsure. Twins' constraints are the matchers' alone.

    What the judge could not do leaves all of them unsure, with the reason, which the row keeps with
    what a model wrote. An EndpointError goes through: then the case can be tried again.
    """
    if case.contract is None or case.contract.ambiguity.unresolved:
        return judged  # it is scored by whether the system asks, so nobody settles its constraints
    rows = [ConstraintJudgement(**row) for row in judged["judgements"]]
    if not any(row.judgement == UNSURE for row in rows):
        return judged
    more: dict[str, Any] = {}
    try:
        settled = judge.settle(case.request, case.contract, rewrite, rows)
    except ConstraintJudgeError as fault:
        failed = [left_open(row, fault.reason) if row.judgement == UNSURE else row for row in rows]
        settled = tuple(failed)
        raw = fault.raw[:_MOST_RAW] if fault.raw else None
        more = {"constraint_judge": {"error": fault.reason, "raw": raw}}
    return {**judged, "judgements": [row.to_json() for row in settled], **more}


def check_support(
    judge: SupportJudge,
    question: str,
    answered: Mapping[str, Any],
    passages: Sequence[Document],
) -> dict[str, Any]:
    """Judge whether the retrieved `passages` support the answer to `question` as it was put to the
    reader; what is kept in the judge's row under "support".

    What the judge could not do has status "judge_error" and no value. An EndpointError goes
    through: then the case can be tried again.
    """
    text = answered["answer"]
    if not text:
        why = "There is no answer to check."
        return Support(None, why, judge.rule, status="not_applicable").to_json()
    try:
        return judge.check(question, text, passages).to_json()
    except SupportError as fault:
        failed = Support(None, fault.reason, judge.rule, status="judge_error")
        return {**failed.to_json(), "raw": fault.raw}


def nothing_judged() -> dict[str, Any]:
    """The row of a case in which there was no rewrite or no contract to judge."""
    return {"judgements": [], "added": [], "foreign": {}}


def leave_open(case: CaseInput) -> dict[str, Any]:
    """Judge nothing: what was searched is not known, so nothing was shown to be kept or lost."""
    constraints = case.contract.constraints if case.contract else ()
    why = "The logged run does not say what was searched."
    judgements = [
        ConstraintJudgement(constraint.id, "unsure", UNLOGGED, "", why).to_json()
        for constraint in constraints
    ]
    return {**nothing_judged(), "judgements": judgements}


def _within_budget(
    passages: list[tuple[Hit, Document]], token_budget: int
) -> list[tuple[Hit, Document]]:
    kept: list[tuple[Hit, Document]] = []
    used = 0
    for hit, document in passages:
        used += len(document.text.split())
        if kept and used > token_budget:
            break
        kept.append((hit, document))
    return kept
