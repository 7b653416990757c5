"""One request under every arm of a run, side by side."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Prefetch
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contracts.models import Constraint
from contracts.terms import ContractTerms
from evaluation.models import Arm, Case, Conditions, Judgement, Run, StageResult
from evaluation.models.judgements import that_count
from evaluation.records import LOST, Document, RequestText, Rewrite
from evaluation.reports.case.claims import ClaimShown, claims_shown
from evaluation.reports.case.hits import HitShown, Marks, hits_shown
from evaluation.reports.case.marks import MarkedPiece, Quote, marked_pieces, marked_text
from evaluation.reports.case.queries import QueryShown, query_by_query
from evaluation.reports.case.said import Said, pseudonyms, said_of
from evaluation.reports.case.stages import (
    STATUS_WORDS,
    Cited,
    Searched,
    Took,
    cited,
    searched,
    took,
    took_in_all,
)
from evaluation.reports.figures import milliseconds
from evaluation.reports.matrix.shown import (
    CaseShown,
    JudgedCell,
    MatrixRow,
    case_shown,
    judged_cell,
    row_shown,
)
from evaluation.runs.inputs import request_text

Stage = StageResult.Stage
# "The rewrite dropped c1 and altered c2.": the constraints by their keys in the contract.
_LOST_KEY = re.compile(rf"\b({'|'.join(LOST)}) (\S+?)(?=\.$| and )")
_ORDER: dict[str, int] = {Arm.Source.ORIGINAL: 0, Arm.Source.HUMAN: 1}


@dataclass(frozen=True, slots=True)
class JudgedShown:
    """One constraint, which is `number` in the contract, under one arm: the judgement as it counts,
    and everybody's words behind it.
    """

    number: int
    row: MatrixRow
    cell: JudgedCell
    said: Said


@dataclass(frozen=True, slots=True)
class ArmCase:
    """Everything that one arm did with the request.

    `status` says in words what became of a case that has no result; it is empty for one that has.
    `marked` has each query against the request, and `filters` each filter, with the words that
    decided each constraint marked. `queries` has the sub-queries one by one, of `queries_of`.
    `reached` names the stages that were kept; `hits_known` is false for an uploaded run that does
    not say what it retrieved. `citations` has a link to its hit, or none, beside
    each document that the answer cites.
    """

    arm: Arm
    state: str
    status: str | Promise
    error: str
    reached: frozenset[str]
    shown: CaseShown
    marked: tuple[tuple[MarkedPiece, ...], ...]
    filters: tuple[tuple[MarkedPiece, ...], ...]
    judged: tuple[JudgedShown, ...]
    queries: tuple[QueryShown, ...]
    queries_of: int
    added: tuple[Mapping[str, str], ...]
    searched: tuple[Searched, ...]
    hits_known: bool
    hits: tuple[HitShown, ...]
    retrieval_note: str
    answer: str
    answer_error: str
    no_answer: str
    citations: tuple[tuple[Cited, str], ...]
    correctness: str
    support: str
    claims: tuple[ClaimShown, ...]
    latency: str
    took: tuple[Took, ...]
    lucky: bool


def read_cases(run: Run, request_key: str) -> list[Case]:
    """The cases of one request, original and human first, with all that the page reads."""
    judgements = Judgement.objects.order_by("constraint__position", "pk")
    rows = list(
        run.cases.filter(request__key=request_key)
        .select_related("arm", "contract", "request__request_class")
        .prefetch_related("stages", "request__turns", Prefetch("judgements", queryset=judgements))
        .order_by("arm_id")
    )
    return sorted(rows, key=lambda case: (_ORDER.get(case.arm.source, 2), case.arm_id))


def arm_cases(
    run: Run,
    cases: Sequence[Case],
    constraints: Sequence[Constraint],
    near_misses: Mapping[str, tuple[str, ...]],
) -> list[ArmCase]:
    """Return what each arm did; `near_misses` has the documents that only the request's twins
    require, with the keys of these twins.
    """
    documents = _documents(run, cases)
    asked, contract = cases[0].request, cases[0].contract
    required = {key for item in asked.evidence or () for key in item}
    about = _Asked(
        request=request_text(asked, _frozen(run), asked.turns.all()),
        contract=contract.terms if contract else ContractTerms(),
        rows=[(constraint, row_shown(constraint, asked.texts)) for constraint in constraints],
        marks=Marks(documents, required, near_misses),
        names=pseudonyms(run.project, cases),
    )
    return [_arm_case(run, case, about) for case in cases]


def _frozen(run: Run) -> dict[str, Any]:
    """Of the Conditions, which may be large, what a judge reads."""
    rows = Conditions.objects.filter(pk=run.conditions_id)
    return {"reference_date": rows.values_list("content__reference_date", flat=True).get()}


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is the same for every arm: the request as a rewriter saw it, its contract, each
    constraint with its row, the documents, and the pseudonyms of those who judged.
    """

    request: RequestText
    contract: ContractTerms
    rows: Sequence[tuple[Constraint, MatrixRow]]
    marks: Marks
    names: Mapping[int, str]


def _arm_case(run: Run, case: Case, about: _Asked) -> ArmCase:
    stages = {row.stage: row.content for row in case.stages.all()}
    outcome: Mapping[str, Any] = case.outcome or {}
    found = stages.get(Stage.RETRIEVE, {})
    answered = stages.get(Stage.ANSWER, {})
    judged = _judged(run, case, about)
    queries = tuple(stages.get(Stage.REWRITE, {}).get("queries") or ())
    citations = answered.get("citations") or ()
    hits = hits_shown(case.pk, found, queries, citations, about.marks)
    anchors = {hit.id: hit.anchor for hit in hits}
    shown = _with_phrases(
        case_shown(case, case.request.text), [row for _constraint, row in about.rows]
    )
    quotes = _quotes(judged)
    return ArmCase(
        arm=case.arm,
        state=case.state,
        status=_status(case),
        error=case.error,
        reached=frozenset(stages),
        shown=shown,
        marked=tuple(marked_pieces(pieces, quotes) for pieces in shown.rewrite.queries),
        filters=tuple(marked_text(text, quotes) for text in shown.rewrite.filters),
        judged=judged,
        queries=_one_by_one(about, stages, shown, hits),
        queries_of=len(queries),
        added=tuple(stages.get(Stage.JUDGE, {}).get("added", ())),
        searched=searched(found, queries),
        hits_known=not found.get("unlogged"),
        hits=hits,
        retrieval_note=_note(found),
        answer=answered.get("answer") or "",
        answer_error=answered.get("error", ""),
        no_answer=_no_answer(answered, stages.get(Stage.REWRITE, {})),
        citations=tuple(
            (one, anchors.get(one.id, ""))
            for one in cited(answered, found.get("hits", ()), about.marks.documents)
        ),
        correctness=(outcome.get("answer") or {}).get("why", ""),
        support=(outcome.get("support") or {}).get("why", ""),
        claims=claims_shown(outcome.get("support"), anchors),
        latency=_latency(outcome),
        took=(*took(stages), *took_in_all(outcome.get("outcome") or {})),
        lucky=bool((outcome.get("first_lost") or {}).get("correct_despite_loss")),
    )


def _judged(run: Run, case: Case, about: _Asked) -> tuple[JudgedShown, ...]:
    counting = that_count(case.judgements.all())
    said = said_of(run, case.judgements.all(), about.names)
    return tuple(
        JudgedShown(
            number,
            row,
            judged_cell(run, case.arm.name, counting.get(c.pk), c.materiality),
            said.get(c.pk, Said(())),
        )
        for number, (c, row) in enumerate(about.rows, start=1)
    )


def _quotes(judged: Iterable[JudgedShown]) -> list[Quote]:
    return [
        Quote(one.number, one.row.kind, one.cell.quote, one.cell.outcome)
        for one in judged
        if one.cell.quote
    ]


def _one_by_one(
    about: _Asked, stages: Mapping[str, Any], shown: CaseShown, hits: Sequence[HitShown]
) -> tuple[QueryShown, ...]:
    rewritten = stages.get(Stage.REWRITE)
    if rewritten is None or Stage.JUDGE not in stages:
        return ()
    return query_by_query(
        about.request,
        about.contract,
        Rewrite.from_json(rewritten),
        phrases={row.constraint: row.phrase for _constraint, row in about.rows},
        differences=shown.rewrite.queries,
        hits=hits,
        searched=tuple(stages.get(Stage.RETRIEVE, {}).get("searched") or ()),
    )


def _with_phrases(shown: CaseShown, rows: Iterable[MatrixRow]) -> CaseShown:
    """The same, with what was asked in place of a constraint's key, which no reader knows."""
    phrases = {row.constraint: row.phrase for row in rows}

    def told(found: re.Match[str]) -> str:
        judged, key = found.groups()
        return f"{judged} “{phrases[key]}”" if key in phrases else found.group()

    return replace(shown, stage_why=_LOST_KEY.sub(told, shown.stage_why))


def _status(case: Case) -> str | Promise:
    """What became of a case that is not scored, in words."""
    why = STATUS_WORDS.get(case.status, "")
    if case.state == Case.State.DEAD:
        given_up = ngettext(
            "given up after %(n)d attempt", "given up after %(n)d attempts", case.attempts
        ) % {"n": case.attempts}
        return f"{given_up}: {why}" if why else given_up
    return why


def _no_answer(answered: Mapping[str, Any], rewritten: Mapping[str, Any]) -> str:
    """Say why there is no answer; nothing when there is one, or an error that says it."""
    if answered.get("answer") or answered.get("error"):
        return ""
    if rewritten.get("clarification") or answered.get("clarification"):
        return _("It asked instead of answering.")
    if answered.get("status") == "abstained":
        return _("The reader abstained.")
    return _("No answer is on record.")


def _note(found: Mapping[str, Any]) -> str:
    note = str(found.get("note", ""))
    return "" if note == "uploaded" else note


def _latency(outcome: Mapping[str, Any]) -> str:
    value = (outcome.get("outcome") or {}).get("latency_ms")
    return "" if value is None else milliseconds(value)


def _documents(run: Run, cases: Sequence[Case]) -> dict[str, Document]:
    """The documents that were retrieved or cited, with the texts of the cited ones only."""
    found: set[str] = set()
    texts: set[str] = set()
    for case in cases:
        for row in case.stages.all():
            found.update(hit["id"] for hit in row.content.get("hits") or ())
            texts.update(row.content.get("citations") or ())
    corpus = run.conditions.corpus.documents
    titles = corpus.filter(key__in=found - texts).values_list("key", "title")
    whole = corpus.filter(key__in=texts).values_list("key", "title", "text")
    return {
        **{key: Document(key, title, "") for key, title in titles},
        **{key: Document(key, title, text) for key, title, text in whole},
    }
