"""One request under every arm of a run, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from contracts.models import Constraint
from evaluation.models import Arm, Case, Judgement, Run, StageResult
from evaluation.reports.figures import milliseconds
from evaluation.reports.matrix import (
    CaseShown,
    JudgedCell,
    MatrixRow,
    case_shown,
    judged_cell,
    row_shown,
)

Stage = StageResult.Stage
_ORDER: dict[str, int] = {Arm.Source.ORIGINAL: 0, Arm.Source.HUMAN: 1}


@dataclass(frozen=True, slots=True)
class HitShown:
    """One retrieved document; `mark` is "required", "near_miss" (`twins` require it) or empty."""

    id: str
    rank: int
    score: str
    title: str
    mark: str
    twins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArmCase:
    """Everything that one arm did with the request."""

    arm: Arm
    state: str
    error: str
    shown: CaseShown
    judged: tuple[tuple[MatrixRow, JudgedCell], ...]
    added: tuple[Mapping[str, str], ...]
    hits: tuple[HitShown, ...]
    retrieval_note: str
    answer: str
    answer_error: str
    correctness: str
    support: str
    latency: str
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
    titles = _titles(run, cases)
    asked = cases[0].request
    rows = [row_shown(constraint, asked.texts) for constraint in constraints]
    required = {key for item in asked.evidence or () for key in item}
    pairs = list(zip(constraints, rows, strict=True))
    return [_arm_case(run, case, pairs, titles, required, near_misses) for case in cases]


def _arm_case(
    run: Run,
    case: Case,
    rows: list[tuple[Constraint, MatrixRow]],
    titles: Mapping[str, str],
    required: set[str],
    near_misses: Mapping[str, tuple[str, ...]],
) -> ArmCase:
    stages = {row.stage: row.content for row in case.stages.all()}
    outcome: Mapping[str, Any] = case.outcome or {}
    found = stages.get(Stage.RETRIEVE, {})
    answered = stages.get(Stage.ANSWER, {})
    judged: dict[int, Judgement] = {}
    for row in sorted(case.judgements.all(), key=lambda j: j.person_id is not None):
        judged[row.constraint_id] = row
    return ArmCase(
        arm=case.arm,
        state=case.state,
        error=case.error,
        shown=case_shown(case, case.request.text),
        judged=tuple(
            (row, judged_cell(run, case.arm.name, judged.get(c.pk), c.materiality))
            for c, row in rows
        ),
        added=tuple(stages.get(Stage.JUDGE, {}).get("added", ())),
        hits=tuple(_hit(hit, titles, required, near_misses) for hit in found.get("hits", ())),
        retrieval_note=_note(found),
        answer=answered.get("answer") or "",
        answer_error=answered.get("error", ""),
        correctness=(outcome.get("answer") or {}).get("why", ""),
        support=(outcome.get("support") or {}).get("why", ""),
        latency=_latency(outcome),
        lucky=bool((outcome.get("first_lost") or {}).get("correct_despite_loss")),
    )


def _hit(
    hit: Mapping[str, Any],
    titles: Mapping[str, str],
    required: set[str],
    near_misses: Mapping[str, tuple[str, ...]],
) -> HitShown:
    key = hit["id"]
    mark = "required" if key in required else "near_miss" if key in near_misses else ""
    twins = near_misses[key] if mark == "near_miss" else ()
    return HitShown(key, hit["rank"], f"{hit['score']:.2f}", titles.get(key, ""), mark, twins)


def _note(found: Mapping[str, Any]) -> str:
    note = str(found.get("note", ""))
    return "" if note == "uploaded" else note


def _latency(outcome: Mapping[str, Any]) -> str:
    value = (outcome.get("outcome") or {}).get("latency_ms")
    return "" if value is None else milliseconds(value)


def _titles(run: Run, cases: Sequence[Case]) -> dict[str, str]:
    keys = {
        hit["id"]
        for case in cases
        for row in case.stages.all()
        if row.stage == Stage.RETRIEVE
        for hit in row.content["hits"]
    }
    return dict(run.conditions.corpus.documents.filter(key__in=keys).values_list("key", "title"))
