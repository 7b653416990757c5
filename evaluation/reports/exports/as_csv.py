"""A run as tables: the constraint matrix in long form, and one line for each request.

The same bytes in whatever language they are asked for, and never whole in memory.
"""

import csv
from collections.abc import Generator, Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from django.db.models import Prefetch
from django.utils import translation

from annotation.exporting.cells import harmless
from annotation.exporting.snapshot import snapshot
from annotation.languages import STORED
from evaluation.models import Case, Judgement, Run
from evaluation.models.judgements import that_count
from evaluation.records import LOST
from evaluation.reports.matrix.shown import answer_words, filters_shown, judged_cell, phrase
from evaluation.reports.protocol.voiding import void_cell
from evaluation.reports.verdict.report import in_order

COLUMNS = (
    "run", "void", "request", "class", "unresolved", "arm", "status", "constraint", "kind",
    "materiality", "asked", "judgement", "by", "quote", "why", "queries", "filters",
    "clarification", "evidence_hit", "evidence_required", "near_misses", "answer",
    "answer_judged", "supported", "first_lost", "failure_code", "latency_ms",
)  # fmt: skip
ABOUT = ("run", "void", "request", "class", "unresolved", "constraints", "critical")
# Of each arm, each column named ARM.COLUMN.
OF_ARM = (
    "status", "kind", "queries", "filters", "clarification", "lost", "open", "added",
    "evidence_hit", "evidence_required", "near_misses", "answer", "answer_judged", "supported",
    "first_lost", "failure_code", "latency_ms", "calls", "cost_usd",
)  # fmt: skip
_CHUNK = 500
_LINES = 200


def long_pieces(run: Run) -> Generator[str, None, None]:
    """Yield the matrix, a line for each arm × request × constraint, formulas made harmless."""
    yield from _pieces(COLUMNS, ([row[name] for name in COLUMNS] for row in matrix_lines(run)))


def wide_pieces(run: Run) -> Generator[str, None, None]:
    """Yield a line for each request, with every arm's columns side by side."""
    yield from _pieces(wide_columns(run), _wide_lines(run))


def wide_columns(run: Run) -> tuple[str, ...]:
    return (*ABOUT, *(f"{arm}.{name}" for arm in _arms(run) for name in OF_ARM))


def matrix_lines(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the long matrix; a case without a constraint has one line with empty cells."""
    void = void_cell(run)
    for case in _cases(run):
        common = {**_case_cells(run, case), "void": void}
        counting = that_count(case.judgements.all())
        yield from ({**common, **_judged(run, case, row)} for row in counting.values())
        if not counting:
            yield {**dict.fromkeys(COLUMNS, ""), **common}


def _wide_lines(run: Run) -> Iterator[list[Any]]:
    arms, void = _arms(run), void_cell(run)
    for _request, found in groupby(_cases(run), key=lambda case: case.request_id):
        cases = {case.arm.name: case for case in found}
        first = next(iter(cases.values()))
        rows = that_count(first.judgements.all()).values()
        critical = sum(row.constraint.materiality == "critical" for row in rows)
        about = [
            run.number,
            void,
            first.request.key,
            first.request.request_class.name,
            _unresolved(first),
            len(rows),
            critical,
        ]
        cells = {name: _arm_cells(run, case) for name, case in cases.items()}
        yield about + [cells.get(arm, {}).get(name) for arm in arms for name in OF_ARM]


def _arms(run: Run) -> list[str]:
    """The run's arms: original, human, then the candidates by name."""
    return [arm.name for arm in in_order(sorted(run.arms.all(), key=lambda arm: arm.name))]


def _cases(run: Run) -> Iterator[Case]:
    """Every case, the arms of a request one after the other."""
    judgements = Judgement.objects.select_related("constraint").order_by(
        "constraint__position", "pk"
    )
    cases = (
        run.cases.select_related("arm", "request__request_class", "contract")
        .prefetch_related("stages", Prefetch("judgements", queryset=judgements))
        .order_by("request__position", "request_id", "arm_id")
    )
    return cases.iterator(chunk_size=_CHUNK)


def _pieces(columns: Iterable[str], lines: Iterable[Iterable[Any]]) -> Generator[str, None, None]:
    """RFC 4180: commas, CR LF, quotation marks only where they are needed."""
    written = _Written()
    writer = csv.writer(written, lineterminator="\r\n")
    with snapshot():
        writer.writerow([harmless(name) for name in columns])
        rows = iter(lines)
        while True:
            # The language is the page's again whenever somebody else's code runs.
            with translation.override(STORED):
                several = [
                    ["" if cell is None else str(cell) for cell in line]
                    for line in islice(rows, _LINES)
                ]
            writer.writerows([harmless(cell) for cell in line] for line in several)
            yield written.taken()
            if len(several) < _LINES:
                return


class _Written:
    """What the CSV writer wrote since it was last taken."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        self.lines.append(line)

    def taken(self) -> str:
        text, self.lines = "".join(self.lines), []
        return text


def _arm_cells(run: Run, case: Case) -> dict[str, Any]:
    stages = {row.stage: row.content for row in case.stages.all()}
    scored: dict[str, Any] = (case.outcome or {}).get("outcome", {})
    counting = that_count(case.judgements.all()).values()
    judged = {
        row.constraint.key: judged_cell(run, case.arm.name, row, row.constraint.materiality).outcome
        for row in counting
    }
    return {
        **_case_cells(run, case),
        "kind": "" if stages.get("rewrite", {}).get("unlogged") else scored.get("rewrite_kind"),
        "lost": _named(judged, LOST),
        "open": _named(judged, ("unsure",)),
        "added": " ".join(scored.get("added_kinds", ())),
        "calls": scored.get("calls"),
        "cost_usd": scored.get("cost"),
    }


def _named(judged: dict[str, str], labels: Iterable[str]) -> str:
    """The constraints with one of the labels: `c2 altered, c3 dropped`."""
    wanted = tuple(labels)
    return ", ".join(f"{key} {label}" for key, label in judged.items() if label in wanted)


def _unresolved(case: Case) -> str:
    # Such a case is scored by whether it asked; its judgements enter no score.
    return "true" if case.contract and case.contract.unresolved else "false"


def _case_cells(run: Run, case: Case) -> dict[str, Any]:
    stages = {row.stage: row.content for row in case.stages.all()}
    rewrite = stages.get("rewrite", {})
    outcome: dict[str, Any] = case.outcome or {}
    scored = outcome.get("outcome", {})
    return {
        "run": run.number,
        "request": case.request.key,
        "class": case.request.request_class.name,
        "unresolved": _unresolved(case),
        "arm": case.arm.name,
        "status": case.status,
        "queries": " | ".join(rewrite.get("queries", ())),
        "filters": " and ".join(filters_shown(rewrite.get("filters", {}))),
        "clarification": rewrite.get("clarification"),
        "evidence_hit": scored.get("evidence_hit"),
        "evidence_required": scored.get("evidence_required"),
        "near_misses": scored.get("near_misses"),
        "answer": stages.get("answer", {}).get("answer"),
        "answer_judged": answer_words(case, outcome)[0],
        "supported": scored.get("supported"),
        "first_lost": outcome.get("first_lost", {}).get("stage"),
        "failure_code": outcome.get("first_lost", {}).get("code"),
        "latency_ms": scored.get("latency_ms"),
    }


def _judged(run: Run, case: Case, row: Judgement) -> dict[str, Any]:
    constraint = row.constraint
    cell = judged_cell(run, case.arm.name, row, constraint.materiality)
    return {
        "constraint": constraint.key,
        "kind": constraint.kind,
        "materiality": constraint.materiality,
        "asked": phrase(constraint),
        "judgement": cell.outcome,
        "by": cell.by,
        "quote": cell.quote,
        "why": cell.why,
    }
