"""A run as one JSON document: what its page says, and the rows from which all of it is computed.

Equal runs give equal bytes: there is no time of export in it. It is written piece by piece, a line
for each case, so that a large run is never whole in memory.
"""

import json
from collections.abc import Generator
from typing import Any

from annotation.canonical import content_hash
from annotation.exporting.snapshot import snapshot
from evaluation.models import Judgement, Run, Verdict
from evaluation.reports.exports.case_rows import case_rows
from evaluation.reports.protocol.voiding import void_json
from evaluation.runs.inputs import pairs_of, twins_of
from evaluation.scoring.recomputing import SCHEMA
from evaluation.services.brought import brought_before
from evaluation.services.looks import looks_of

_CHUNK = 500
_INDENT = "  "
# The line before the first case, and what follows the last one.
CASES_BEGIN = f'{_INDENT * 2}"cases": [\n'
CASES_END = f"]\n{_INDENT}}}\n}}\n"


def json_pieces(run: Run) -> Generator[str, None, None]:
    """Yield the document in pieces of some kilobytes."""
    with snapshot():
        yield "{\n"
        for key, value in sorted(report_head(run).items()):
            yield f"{_INDENT}{json.dumps(key)}: {_indented(value)},\n"
        yield f'{_INDENT}"rows": {{\n'
        for key, value in rows_head(run).items():
            yield f"{_INDENT * 2}{json.dumps(key)}: {_listed(value)},\n"
        yield CASES_BEGIN
        lines: list[str] = []
        before = ""
        for row in case_rows(run):
            lines.append(_line(row))
            if len(lines) == _CHUNK:
                yield before + ",\n".join(lines)
                before, lines = ",\n", []
        if lines:
            yield before + ",\n".join(lines)
        yield f"\n{_INDENT * 2}{CASES_END}"


def report_json(run: Run) -> dict[str, Any]:
    """The same document as a value, with every row in memory."""
    with snapshot():
        rows = {**rows_head(run), "cases": list(case_rows(run))}
        return {**report_head(run), "rows": rows}


def report_head(run: Run) -> dict[str, Any]:
    """All but the rows: the page's own numbers, with what they were decided under."""
    return {
        "schema": SCHEMA,
        "project": run.project.slug,
        "run": run.number,
        "state": run.state,
        "hypothetical": run.project.hypothetical,
        "started": run.created_at.isoformat(),
        "finished": run.finished_at.isoformat() if run.finished_at else None,
        "void": void_json(run),
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
        "arms_sha256": content_hash(run.arm_content),
        "facts": facts(run),
        "result_sha256": run.result_sha256,
        "result": run.result,
        "verdicts": verdicts_json(run),
    }


def verdicts_json(run: Run) -> list[dict[str, Any]]:
    """The verdicts that stand, by candidate and class."""
    # Sorted here: a database has an order of its own for names.
    verdicts = sorted(
        Verdict.objects.current(run).select_related("arm", "request_class"),
        key=lambda v: (v.arm.name, v.request_class.name),
    )
    return [{"version": v.version, "sha256": v.sha256, **v.content} for v in verdicts]


def facts(run: Run) -> dict[str, Any]:
    """What the page says beside result and verdicts, counted now."""
    waiting = Judgement.objects.waiting(run)
    candidates = [arm for arm in run.arms.order_by("name") if arm.is_candidate]
    looks = looks_of(run)
    return {
        "requests": len(run.conditions.content["requests"]),
        "cases": run.cases.count(),
        "without_result": run.cases.lost().count(),
        "documents": run.conditions.corpus.document_count,
        "waiting": {arm.name: waiting.filter(case__arm=arm).count() for arm in candidates},
        "unchecked": Judgement.objects.audited(run).undecided().count(),
        "looks": looks.to_json() if looks else None,
        "before_rules": [rows.to_json() for rows in brought_before(run)],
    }


def rows_head(run: Run) -> dict[str, Any]:
    """What the rows of the cases are scored with: pairs and controls as the run judged them."""
    result: dict[str, Any] = run.result or {}
    judged = {pair["id"] for pair in result.get("pairs", ())}
    # Those that were added since are no pairs of the run.
    pairs = list(pairs_of(run).filter(key__in=judged).select_related("base", "twin"))
    return {
        "clusters": dict(sorted((pair.twin.key, pair.base.key) for pair in pairs)),
        "twins": [twins_of(pair).to_json() for pair in sorted(pairs, key=lambda p: p.key)],
        "controls": result.get("controls", {}).get("judged", []),
    }


def _indented(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    return text.replace("\n", f"\n{_INDENT}")


def _listed(value: Any) -> str:
    """A list with an entry a line, an object in one."""
    if not isinstance(value, list) or not value:
        return _line(value)
    return "[\n" + ",\n".join(map(_line, value)) + f"\n{_INDENT * 2}]"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
