"""The requests of a comparison, a page at a time: what each lost or gained, and both sides' words.

Reading is done in a constant number of queries for any page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contracts.models import Constraint
from evaluation.models import Case, StageResult
from evaluation.reports.comparing.record import Side
from evaluation.reports.failure_words import FAILURES
from evaluation.reports.figures import of_total
from evaluation.reports.matrix.shown import (
    STAGE_WORDS,
    WORDS,
    MatrixRow,
    RewriteShown,
    rewrite_shown,
    row_shown,
)
from evaluation.reports.verdict.scorecard_table import FIVE
from evaluation.scoring.outcomes import ASSESSED
from evaluation.scoring.request_changes import CRITICAL

WORSE, BETTER, FAILED, ALL = "worse", "better", "failed", "all"
SHOWN: Mapping[str, str | Promise] = {
    WORSE: gettext_lazy("what regressed, the gravest first"),
    BETTER: gettext_lazy("what improved"),
    FAILED: gettext_lazy("what could not be compared"),
    ALL: gettext_lazy("all of these"),
}
SCORES: Mapping[str, str | Promise] = {name: label for name, label, _about in FIVE}
_CODES: Mapping[str, str | Promise] = {
    **STAGE_WORDS,
    "near_miss": gettext_lazy("retrieval, a near miss"),
    "missing": gettext_lazy("retrieval, missing"),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which requests the reader wants to see; empty texts filter nothing."""

    show: str
    request_class: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True)
class MovedConstraint:
    """A constraint that one side kept and the other lost: what it is, and both judgements, each as
    state and word.
    """

    row: MatrixRow
    before: tuple[str, str | Promise]
    after: tuple[str, str | Promise]


@dataclass(frozen=True, slots=True)
class SideRow:
    """What one side did with the request. `failed` says why there is nothing."""

    letter: str
    side: Side
    rewrite: RewriteShown
    failed: str
    answer: str
    evidence: str
    stage: str
    why: str


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One request: which scores got worse and better, the constraints behind it, both sides."""

    request: str
    request_class: str
    text: str
    base: str
    critical: bool
    worse: tuple[str, ...]
    better: tuple[str, ...]
    lost: tuple[MovedConstraint, ...]
    gained: tuple[MovedConstraint, ...]
    sides: tuple[SideRow, SideRow]


def chosen_requests(
    requests: Sequence[Mapping[str, Any]], wanted: Wanted
) -> list[Mapping[str, Any]]:
    """Return the record's requests that are wanted: what is graver first, then by key."""
    place = "relief" if wanted.show == BETTER else "gravity"
    moved = "gained" if wanted.show == BETTER else "lost"
    found = [row for row in requests if _is_wanted(row, wanted)]

    def order(row: Mapping[str, Any]) -> tuple[Any, ...]:
        critical = sum(change["critical"] for change in row[moved])
        return (row[place] is None, row[place] or 0, -critical, row["request"])

    return sorted(found, key=order)


def counted(requests: Sequence[Mapping[str, Any]], request_class: str = "") -> dict[str, int]:
    """How many requests of the class each of `SHOWN` has."""
    here = [row for row in requests if request_class in ("", row["class"])]
    return {
        WORSE: sum(bool(row["worse"]) for row in here),
        BETTER: sum(bool(row["better"]) for row in here),
        FAILED: sum(not row["compared"] for row in here),
        ALL: len(here),
    }


def request_rows(a: Side, b: Side, changes: Sequence[Mapping[str, Any]]) -> list[RequestRow]:
    """Return the rows of these requests, in their order, with both sides' words."""
    keys = [change["request"] for change in changes]
    before, after = _cases(a, keys), _cases(b, keys)
    terms = _constraints(before)
    return [
        _row(change, (a, before[change["request"]]), (b, after[change["request"]]), terms)
        for change in changes
    ]


def _is_wanted(row: Mapping[str, Any], wanted: Wanted) -> bool:
    if wanted.request_class and row["class"] != wanted.request_class:
        return False
    if wanted.show == FAILED:
        return not row["compared"]
    scores = {WORSE: row["worse"], BETTER: row["better"]}.get(
        wanted.show, [*row["worse"], *row["better"]]
    )
    if wanted.score:
        return wanted.score in scores
    return bool(scores) or (wanted.show == ALL and not row["compared"])


def _cases(side: Side, keys: Sequence[str]) -> dict[str, Case]:
    stages = StageResult.objects.filter(stage=StageResult.Stage.REWRITE)
    rows = (
        Case.objects.filter(run=side.run, arm=side.arm, request__key__in=keys)
        .select_related("request")
        .prefetch_related("request__turns", Prefetch("stages", queryset=stages))
        .defer("outcome")
    )
    return {case.request.key: case for case in rows}


def _constraints(cases: Mapping[str, Case]) -> dict[tuple[str, str], MatrixRow]:
    """Every constraint of the requests as a row of words, by request and its key."""
    asked = {case.contract_id: case.request for case in cases.values()}
    rows = Constraint.objects.filter(contract__in=[pk for pk in asked if pk])
    found = {}
    for constraint in rows:
        request = asked[constraint.contract_id]
        found[request.key, constraint.key] = row_shown(constraint, request.texts)
    return found


def _row(
    change: Mapping[str, Any],
    before: tuple[Side, Case],
    after: tuple[Side, Case],
    terms: Mapping[tuple[str, str], MatrixRow],
) -> RequestRow:
    key, asked = change["request"], before[1].request.text
    return RequestRow(
        request=key,
        request_class=change["class"],
        text=asked,
        base=change["base"] if change["base"] != key else "",
        critical=change["gravity"] == CRITICAL,
        worse=tuple(str(SCORES[name]) for name in change["worse"]),
        better=tuple(str(SCORES[name]) for name in change["better"]),
        lost=tuple(_moved(key, one, terms) for one in change["lost"]),
        gained=tuple(_moved(key, one, terms) for one in change["gained"]),
        sides=(
            _side("A", *before, change["a"], asked, change["unresolved"]),
            _side("B", *after, change["b"], asked, change["unresolved"]),
        ),
    )


def _moved(
    request: str, change: Mapping[str, Any], terms: Mapping[tuple[str, str], MatrixRow]
) -> MovedConstraint:
    key = change["constraint"]
    bare = MatrixRow(key, change["kind"], key, "", change["critical"], ())
    return MovedConstraint(
        terms.get((request, key), bare),
        (change["before"], WORDS[change["before"]]),
        (change["after"], WORDS[change["after"]]),
    )


def _side(
    letter: str, side: Side, case: Case, did: Mapping[str, Any], asked: str, unresolved: bool
) -> SideRow:
    rewrites = {row.stage: row.content for row in case.stages.all()}
    failed = did["status"] not in ASSESSED
    return SideRow(
        letter=letter,
        side=side,
        rewrite=rewrite_shown(rewrites.get(StageResult.Stage.REWRITE), asked),
        failed=str(FAILURES.get(did["status"], did["status"])) if failed else "",
        answer="" if failed else _answer(did, unresolved),
        evidence=of_total(*did["evidence"]) if did["evidence"][1] and not failed else "",
        stage=str(_CODES.get(did["stage"] or "undetermined", did["stage"])),
        why=did["why"],
    )


def _answer(did: Mapping[str, Any], unresolved: bool) -> str:
    if did["asked"]:
        return _("asked")
    if unresolved:
        return _("did not ask")
    if did["answer"] is None:
        return _("not judged")
    return _("supported and correct") if did["answer"] else _("not supported-correct")
