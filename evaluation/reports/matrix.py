"""The constraint matrix: what was asked, what each arm made of it, what came back.

Reading is done in a constant number of queries for any number of rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contracts.models import Constraint, Contract
from contracts.phrases import describe_value
from contracts.values import validate_value
from contracts.word_diff import Piece, diffs
from evaluation.models import Arm, Case, Judgement, Run, StageResult
from evaluation.records import LOST, Rewrite
from evaluation.scoring.preservation.filters import read_filters

WORDS: Mapping[str, str | Promise] = {
    "stated": gettext_lazy("stated"),
    "filtered": gettext_lazy("filtered"),
    "altered": gettext_lazy("altered"),
    "dropped": gettext_lazy("dropped"),
    "unsure": gettext_lazy("open"),
}
STAGE_WORDS: Mapping[str, str | Promise] = {
    "rewrite": gettext_lazy("rewrite"),
    "retrieval": gettext_lazy("retrieval"),
    "generation": gettext_lazy("generation"),
    "clarification": gettext_lazy("clarification"),
    "none": gettext_lazy("nothing lost"),
    "undetermined": gettext_lazy("cannot be told yet"),
}
EVIDENCE_WORDS: Mapping[str, str | Promise] = {
    "hit": gettext_lazy("hit"),
    "near-miss": gettext_lazy("near miss"),
    "missing": gettext_lazy("missing"),
}
# What `lost` in an address may say.
ALL, ANY_LOST, NEWLY_LOST, OPEN, NEAR_MISSED = "0", "1", "new", "open", "near"


@dataclass(frozen=True, slots=True)
class JudgedCell:
    """What one arm did to one constraint. `outcome` is empty when nothing was judged."""

    arm: str
    outcome: str = ""
    word: str | Promise = ""
    by: str = ""
    quote: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class RewriteShown:
    """What a rewriter emitted, against the request."""

    queries: tuple[tuple[Piece, ...], ...]
    filters: tuple[str, ...]
    clarification: str
    error: str


@dataclass(frozen=True, slots=True)
class EvidenceShown:
    """One required item: its state, and the documents that show it."""

    state: str
    word: str | Promise
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseShown:
    """The candidate's case of a request: rewrite, evidence, answer, first stage lost."""

    status: str
    rewrite: RewriteShown
    evidence: tuple[EvidenceShown, ...]
    answer: str | Promise
    answer_why: str
    stage: str
    stage_word: str | Promise
    stage_why: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One constraint, with a cell for each arm."""

    constraint: str
    kind: str
    phrase: str
    words: str
    critical: bool
    cells: tuple[JudgedCell, ...]


@dataclass(slots=True)
class Group:
    """The rows of one request that stand together."""

    request: str
    request_class: str
    unresolved: bool
    case: CaseShown | None
    rows: list[MatrixRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Filters:
    """What the reader wants to see; empty texts filter nothing."""

    arm: Arm
    request_class: str = ""
    kind: str = ""
    materiality: str = ""
    stage: str = ""
    lost: str = ALL


# ---------------------------------------------------------------- which rows


def effective(run: Run, arm: Arm | None = None) -> QuerySet[Judgement]:
    """The judgements that count: a person's, or the matcher's where no person has judged."""
    by_person = Judgement.objects.by_people().filter(
        case=OuterRef("case"), constraint=OuterRef("constraint")
    )
    rows = Judgement.objects.filter(Q(person__isnull=False) | ~Exists(by_person), case__run=run)
    return rows.filter(case__arm=arm) if arm else rows


def lost_under(run: Run, arm: Arm) -> QuerySet[Judgement]:
    """Judgements of resolved requests that say altered or dropped, and count as such."""
    rows = effective(run, arm).filter(judgement__in=LOST, case__contract__unresolved=False)
    return rows.exclude(_waits(run))


def open_under(run: Run, arm: Arm) -> QuerySet[Judgement]:
    """Judgements of resolved requests that a person must settle."""
    return Judgement.objects.waiting(run).filter(case__arm=arm)


def matrix_rows(run: Run, filters: Filters, original: Arm | None) -> QuerySet[Constraint]:
    """The constraints to show, those of requests that lost something first."""
    cases = Case.objects.filter(run=run, arm=filters.arm)
    rows = Constraint.objects.filter(
        contract__in=cases.filter(contract__isnull=False).values("contract")
    )
    lost = lost_under(run, filters.arm)
    if filters.request_class:
        rows = rows.filter(contract__request__request_class__name=filters.request_class)
    if filters.kind:
        rows = rows.filter(kind=filters.kind)
    if filters.materiality:
        rows = rows.filter(materiality=filters.materiality)
    if filters.stage:
        rows = rows.filter(contract__in=_at_stage(cases, filters.stage).values("contract"))
    if filters.lost in (ANY_LOST, NEWLY_LOST):
        rows = rows.filter(pk__in=lost.values("constraint"))
    if filters.lost == NEWLY_LOST and original:
        kept = effective(run, original).filter(judgement__in=("stated", "filtered"))
        rows = rows.filter(pk__in=kept.values("constraint"))
    if filters.lost == NEAR_MISSED:
        near = cases.filter(contract__unresolved=False, outcome__outcome__near_misses__gt=0)
        rows = rows.filter(contract__in=near.values("contract"))
    if filters.lost == OPEN:
        rows = rows.filter(pk__in=open_under(run, filters.arm).values("constraint"))
    in_request = lost.filter(constraint__contract=OuterRef("contract"))
    return rows.annotate(request_lost=Exists(in_request)).order_by(
        "-request_lost", "contract__request__position", "contract__request_id", "position", "pk"
    )


def _at_stage(cases: QuerySet[Case], stage: str) -> QuerySet[Case]:
    if stage == "undetermined":
        return cases.filter(outcome__first_lost__stage=None)
    return cases.filter(outcome__first_lost__stage=stage)


def _waits(run: Run) -> Q:
    """The matcher's judgements that the protocol does not let stand."""
    judging = run.protocol.content["judging"] if run.protocol else "automatic"
    if judging == "human_for_all":
        return Q(person=None)
    if judging == "human_for_critical":
        return Q(person=None, constraint__materiality="critical")
    return Q(pk__in=[])


# ---------------------------------------------------------------- what they show


def groups(
    run: Run, constraints: Sequence[Constraint], arms: Sequence[Arm], chosen: Arm
) -> list[Group]:
    """Return the rows grouped by request, in their order; the next page may go on with a request.

    The constraints are of contracts, as `matrix_rows` returns them.
    """
    judged = _judged(run, constraints)
    cases = _cases(run, constraints, chosen)
    found: list[Group] = []
    for constraint in constraints:
        contract = _contract(constraint)
        request = contract.request
        if not found or found[-1].request != request.key:
            case = cases.get(request.pk)
            found.append(
                Group(
                    request.key,
                    request.request_class.name,
                    contract.unresolved,
                    case_shown(case, request.text) if case else None,
                )
            )
        cells = tuple(
            judged_cell(run, arm.name, judged.get((constraint.pk, arm.pk)), constraint.materiality)
            for arm in arms
        )
        found[-1].rows.append(row_shown(constraint, request.texts, cells))
    return found


def with_words(rows: QuerySet[Constraint]) -> QuerySet[Constraint]:
    """Load what `groups` reads of each constraint."""
    return rows.select_related("contract__request__request_class").prefetch_related(
        "contract__request__turns"
    )


def row_shown(
    constraint: Constraint, texts: Sequence[str], cells: tuple[JudgedCell, ...] = ()
) -> MatrixRow:
    """One constraint in words: its value as a phrase and the words of the request that it marks."""
    return MatrixRow(
        constraint=constraint.key,
        kind=constraint.kind,
        phrase=phrase(constraint),
        words=_words(constraint, texts),
        critical=constraint.materiality == "critical",
        cells=cells,
    )


def phrase(constraint: Constraint) -> str:
    if validate_value(constraint.kind, constraint.value):
        return _words(constraint, ()) or constraint.key
    return describe_value(constraint.kind, constraint.value, _)


def judged_cell(run: Run, arm: str, judgement: Judgement | None, materiality: str) -> JudgedCell:
    """The judgement as it counts: what the protocol wants a person for is open until one judged."""
    if judgement is None:
        return JudgedCell(arm)
    judging = run.protocol.content["judging"] if run.protocol else "automatic"
    wants = judging == "human_for_all" or (
        judging == "human_for_critical" and materiality == "critical"
    )
    waits = judgement.person_id is None and (wants or judgement.judgement == "unsure")
    outcome = "unsure" if waits else judgement.judgement
    by = _("a person") if judgement.person_id else judgement.by
    if waits and judgement.judgement != "unsure":
        by = _("%(by)s says %(word)s; a person must settle it") % {
            "by": by,
            "word": WORDS[judgement.judgement],
        }
    return JudgedCell(arm, outcome, WORDS[outcome], by, judgement.quote, judgement.why)


def case_shown(case: Case, asked: str) -> CaseShown:
    """What one case did, from its stage rows and its scored outcome."""
    stages = {row.stage: row.content for row in case.stages.all()}
    outcome: Mapping[str, Any] = case.outcome or {}
    lost = outcome.get("first_lost") or {}
    stage = (lost.get("stage") or "undetermined") if lost else ""
    answer, why = answer_words(case, outcome)
    return CaseShown(
        status=case.status,
        rewrite=rewrite_shown(stages.get(StageResult.Stage.REWRITE), asked),
        evidence=tuple(evidence_shown(outcome)),
        answer=answer,
        answer_why=why,
        stage=stage,
        stage_word=STAGE_WORDS[stage] if stage else "",
        stage_why=lost.get("why", ""),
    )


def rewrite_shown(content: Mapping[str, Any] | None, asked: str) -> RewriteShown:
    if content is None:
        return RewriteShown((), (), "", "")
    rewrite = Rewrite.from_json(content)
    return RewriteShown(
        queries=diffs(asked, rewrite.queries),
        filters=filters_shown(rewrite.filters),
        clarification=rewrite.clarification or "",
        error=content.get("error", ""),
    )


def filters_shown(filters: Mapping[str, Any]) -> tuple[str, ...]:
    """Each condition of the filters as `field operator value`."""
    return tuple(f"{term.field} {term.operator} {term.shown}" for term in read_filters(filters))


def evidence_shown(outcome: Mapping[str, Any]) -> Iterable[EvidenceShown]:
    for item in (outcome.get("evidence") or {}).get("items", ()):
        documents = (item["document"],) if item["document"] else tuple(item["ids"])
        yield EvidenceShown(item["status"], EVIDENCE_WORDS[item["status"]], documents)


def answer_words(case: Case, outcome: Mapping[str, Any]) -> tuple[str | Promise, str]:
    """The answer's judgement in a word, and why; empty without an answer to judge."""
    answer, support = outcome.get("answer"), outcome.get("support")
    if (outcome.get("outcome") or {}).get("asked"):
        return gettext_lazy("asked"), ""
    if case.status == "abstained":
        return gettext_lazy("abstained"), ""
    if not answer or answer["value"] is None:
        return "", ""
    if answer["value"] != 1.0:
        return gettext_lazy("wrong"), answer["why"]
    if support and support["value"] is False:
        return gettext_lazy("unsupported"), support["why"]
    if support is None or support["value"] is None:
        return gettext_lazy("correct, support open"), support["why"] if support else ""
    return gettext_lazy("correct"), answer["why"]


def _judged(run: Run, constraints: Sequence[Constraint]) -> dict[tuple[int, int], Judgement]:
    rows = (
        Judgement.objects.filter(case__run=run, constraint__in=[c.pk for c in constraints])
        .select_related("case")
        .only("judgement", "by", "quote", "why", "person_id", "constraint_id", "case__arm_id")
    )
    found: dict[tuple[int, int], Judgement] = {}
    for row in sorted(rows, key=lambda row: row.person_id is not None):
        found[row.constraint_id, row.case.arm_id] = row
    return found


def _cases(run: Run, constraints: Sequence[Constraint], arm: Arm) -> dict[int, Case]:
    stages = StageResult.objects.filter(stage=StageResult.Stage.REWRITE)
    requests = {_contract(c).request_id for c in constraints}
    rows = Case.objects.filter(run=run, arm=arm, request__in=requests).prefetch_related(
        Prefetch("stages", queryset=stages)
    )
    return {case.request_id: case for case in rows}


def _contract(constraint: Constraint) -> Contract:
    if constraint.contract is None:
        raise ValueError(f"Constraint {constraint.pk} stands on a sheet, not in a contract.")
    return constraint.contract


def _words(constraint: Constraint, texts: Sequence[str]) -> str:
    if constraint.turn is None or constraint.turn >= len(texts):
        return ""
    return texts[constraint.turn][constraint.start : constraint.end]
