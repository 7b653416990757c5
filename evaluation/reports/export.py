"""A run as files: one JSON object with everything behind the page, and the matrix as long CSV."""

import csv
import json
from collections.abc import Iterator
from typing import Any, TextIO

from django.db.models import Prefetch
from django.utils import translation

from annotation.exporting.cells import harmless
from annotation.languages import STORED
from evaluation.models import Case, Judgement, Run, Verdict
from evaluation.reports.matrix import answer_words, filters_shown, judged_cell, phrase

SCHEMA = "report/1"
COLUMNS = (
    "run", "request", "class", "unresolved", "arm", "status", "constraint", "kind", "materiality",
    "asked", "judgement", "by", "quote", "why", "queries", "filters", "clarification",
    "evidence_hit", "evidence_required", "near_misses", "answer", "answer_judged", "supported",
    "first_lost", "failure_code", "latency_ms",
)  # fmt: skip


def report_json(run: Run) -> dict[str, Any]:
    """Return the run's result, verdicts, conditions, protocol and arms: the page's own numbers."""
    verdicts = Verdict.objects.current(run).select_related("arm", "request_class")
    return {
        "schema": SCHEMA,
        "project": run.project.slug,
        "run": run.number,
        "state": run.state,
        "hypothetical": run.project.hypothetical,
        "started": run.created_at.isoformat(),
        "finished": run.finished_at.isoformat() if run.finished_at else None,
        "conditions": {"sha256": run.conditions.sha256, "content": run.conditions.content},
        "protocol": (
            {
                "name": run.protocol.name,
                "version": run.protocol.version,
                "sha256": run.protocol.sha256,
                "registered": run.protocol.registered_at.isoformat(),
                "content": run.protocol.content,
            }
            if run.protocol
            else None
        ),
        "arms": run.arm_content,
        "result_sha256": run.result_sha256,
        "result": run.result,
        "verdicts": [{"version": v.version, "sha256": v.sha256, **v.content} for v in verdicts],
    }


def write_json(run: Run, file: TextIO) -> None:
    json.dump(report_json(run), file, ensure_ascii=False, indent=2, sort_keys=True)
    file.write("\n")


@translation.override(STORED)
def write_csv(run: Run, file: TextIO) -> None:
    """Write the matrix, a line for each arm × request × constraint, formulas made harmless; the
    same bytes in whatever language they are asked for.
    """
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in matrix_lines(run):
        cells = ("" if row[name] is None else str(row[name]) for name in COLUMNS)
        writer.writerow([harmless(cell) for cell in cells])


def matrix_lines(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the long matrix; a case without a constraint has one line with empty cells."""
    judgements = Judgement.objects.select_related("constraint").order_by(
        "constraint__position", "pk"
    )
    cases = (
        run.cases.select_related("arm", "request__request_class", "contract")
        .prefetch_related("stages", Prefetch("judgements", queryset=judgements))
        .order_by("request__position", "request_id", "arm_id")
    )
    for case in cases.iterator(chunk_size=500):
        common = _case_cells(run, case)
        counting: dict[int, Judgement] = {}
        for row in sorted(case.judgements.all(), key=lambda j: j.person_id is not None):
            counting[row.constraint_id] = row
        yield from ({**common, **_judged(run, case, row)} for row in counting.values())
        if not counting:
            yield {**dict.fromkeys(COLUMNS, ""), **common}


def _case_cells(run: Run, case: Case) -> dict[str, Any]:
    stages = {row.stage: row.content for row in case.stages.all()}
    rewrite = stages.get("rewrite", {})
    outcome: dict[str, Any] = case.outcome or {}
    scored = outcome.get("outcome", {})
    return {
        "run": run.number,
        "request": case.request.key,
        "class": case.request.request_class.name,
        # Such a case is scored by whether it asked; its judgements enter no score.
        "unresolved": "true" if case.contract and case.contract.unresolved else "false",
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
