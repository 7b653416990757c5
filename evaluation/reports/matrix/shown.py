"""What the constraint matrix shows: what was asked, what each arm made of it, what came back.

A page of rows is read in a constant number of queries; `matrix_rows` says which rows these are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Prefetch
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contracts.models import Constraint, Contract
from contracts.phrases import describe_value
from contracts.values import validate_value
from contracts.word_diff import Piece, diffs, is_written_anew
from evaluation.models import Arm, Case, Judgement, Run, StageResult
from evaluation.records import Rewrite
from evaluation.reports.matrix.rows import effective
from evaluation.scoring.preservation.filters import read_filters
from evaluation.scoring.protocol import wants_person

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
    """What a rewriter emitted, against the request. `fell_back`: it failed and the original was
    searched in its place. `anew`: it is so far from the request that words missing from it are not
    among the pieces; with several queries they never are.
    """

    queries: tuple[tuple[Piece, ...], ...]
    filters: tuple[str, ...]
    clarification: str
    error: str
    fell_back: bool = False
    anew: bool = False

    @property
    def strikes(self) -> bool:
        """Whether the words of the request that are missing from it are shown struck."""
        return len(self.queries) == 1 and not self.anew


@dataclass(frozen=True, slots=True)
class EvidenceShown:
    """One required item: its state, and the documents that show it."""

    state: str
    word: str | Promise
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseShown:
    """The candidate's case of a request: rewrite, evidence, answer, first stage lost.

    `answer_state` says how the answer's word is marked, and is empty for one that is neither right
    nor wrong.
    """

    status: str
    rewrite: RewriteShown
    evidence: tuple[EvidenceShown, ...]
    answer: str | Promise
    answer_why: str
    stage: str
    stage_word: str | Promise
    stage_why: str
    answer_state: str = ""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One constraint, with a cell for each arm. `anchor` is its place on the page."""

    constraint: str
    kind: str
    phrase: str
    words: str
    critical: bool
    cells: tuple[JudgedCell, ...]
    anchor: str = ""


@dataclass(slots=True)
class Group:
    """The rows of one request that stand together."""

    request: str
    request_class: str
    unresolved: bool
    case: CaseShown | None
    text: str
    rows: list[MatrixRow] = field(default_factory=list)


def read_constraints(ids: Sequence[int]) -> list[Constraint]:
    """The constraints of contracts with these ids, in this order, with all that `groups` reads."""
    rows = Constraint.objects.select_related("contract__request__request_class").defer(
        "contract__content", "contract__request__metadata"
    )
    found = rows.prefetch_related("contract__request__turns").in_bulk(ids)
    return [found[pk] for pk in ids if pk in found]


def groups(
    run: Run, constraints: Sequence[Constraint], arms: Sequence[Arm], chosen: Arm
) -> list[Group]:
    """Return the rows grouped by request, in their order; a request may come again where the order
    has others between its constraints, and the next page may go on with it.

    The constraints are of contracts, as `read_constraints` returns them.
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
                    request.text,
                )
            )
        cells = tuple(
            judged_cell(run, arm.name, judged.get((constraint.pk, arm.pk)), constraint.materiality)
            for arm in arms
        )
        shown = row_shown(constraint, request.texts, cells)
        found[-1].rows.append(replace(shown, anchor=anchor_of(request.key, constraint.key)))
    return found


def anchor_of(request: str, constraint: str) -> str:
    """Where a constraint stands on the page: the fragment of its address."""
    return "-".join([*request.split(), constraint])


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
    wants = wants_person(run.judging, critical=materiality == "critical")
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
        answer_state=answer_state(case, outcome),
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
        fell_back=rewrite.fell_back,
        anew=any(is_written_anew(asked, query) for query in rewrite.queries),
    )


def any_unstruck(rewrites: Iterable[RewriteShown]) -> bool:
    """Whether one of them lacks words of the request without showing them struck."""
    return any(rewrite.queries and not rewrite.strikes for rewrite in rewrites)


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


def answer_state(case: Case, outcome: Mapping[str, Any]) -> str:
    """Whether the answer `holds`, `fails`, or is `unsure`; empty where `answer_words` says that
    there is none to judge, or that it asked or abstained.
    """
    answer, support = outcome.get("answer"), outcome.get("support")
    asked = (outcome.get("outcome") or {}).get("asked")
    if asked or case.status == "abstained" or not answer or answer["value"] is None:
        return ""
    supported = support["value"] if support else None
    if answer["value"] != 1.0 or supported is False:
        return "fails"
    return "unsure" if supported is None else "holds"


def _judged(run: Run, constraints: Sequence[Constraint]) -> dict[tuple[int, int], Judgement]:
    # Named one by one, and in no order: else SQLite reads all of the run in the order of its rows.
    cases = Case.objects.filter(run=run, request__in={_contract(c).request_id for c in constraints})
    rows = (
        effective(run)
        .filter(
            case__in=list(cases.order_by().values_list("pk", flat=True)),
            constraint__in=[c.pk for c in constraints],
        )
        .order_by()
        .select_related("case")
        .only("judgement", "by", "quote", "why", "person_id", "constraint_id", "case__arm_id")
    )
    return {(row.constraint_id, row.case.arm_id): row for row in rows}


def _cases(run: Run, constraints: Sequence[Constraint], arm: Arm) -> dict[int, Case]:
    stages = StageResult.objects.filter(stage=StageResult.Stage.REWRITE)
    requests = {_contract(c).request_id for c in constraints}
    rows = Case.objects.filter(run=run, arm=arm, request__in=requests).order_by()
    rows = rows.prefetch_related(Prefetch("stages", queryset=stages))
    return {case.request_id: case for case in rows}


def _contract(constraint: Constraint) -> Contract:
    if constraint.contract is None:
        raise ValueError(f"Constraint {constraint.pk} stands on a sheet, not in a contract.")
    return constraint.contract


def _words(constraint: Constraint, texts: Sequence[str]) -> str:
    if constraint.turn is None or constraint.turn >= len(texts):
        return ""
    return texts[constraint.turn][constraint.start : constraint.end]
