"""A suite run as files: one JSON document, or a table with a line for each row. The same bytes for
the same rows, and never whole in memory.
"""

import csv
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.exporting.cells import cell_of, harmless
from annotation.exporting.snapshot import snapshot
from evaluation.models import SuiteRun
from evaluation.robustness.measures import MEASURES, Gold, score
from evaluation.suites.reading import golds_of
from evaluation.suites.trials import parts_of_key

SCHEMA = "suite-run-export/1"
_LINES = 200
COLUMNS = (
    *("run", "request", "pipeline", "shown", "searched", "status", "error"),
    *MEASURES,
    *("answer", "documents", "searches", "retrievals", "generations", "latency_ms"),
)


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its pieces of text in their order, and how a browser takes them."""

    suffix: str
    content_type: str
    pieces: Callable[[SuiteRun], Generator[str, None, None]]


def json_pieces(run: SuiteRun) -> Generator[str, None, None]:
    """Yield everything: what was frozen, the result, and every row with its scores."""
    with snapshot():
        head = {
            "schema": SCHEMA,
            "project": run.project.slug,
            "suite": run.suite,
            "run": run.number,
            "state": run.state,
            "sha256": run.sha256,
            "content": run.content,
            "result_sha256": run.result_sha256,
            "result": run.result,
        }
        told = json.dumps(head, ensure_ascii=False, sort_keys=True, indent=2)
        yield told.removesuffix("\n}") + ',\n  "rows": [\n'
        before = ""
        for line in rows_of(run):
            yield f"{before}    {json.dumps(line, ensure_ascii=False, sort_keys=True)}"
            before = ",\n"
        yield "\n  ]\n}\n"


def csv_pieces(run: SuiteRun) -> Generator[str, None, None]:
    """Yield a line for each row, formulas made harmless."""
    with snapshot():
        lines = ([_cell(row, name) for name in COLUMNS] for row in rows_of(run))
        yield from _written([list(COLUMNS)])
        some: list[list[str]] = []
        for line in lines:
            some.append(line)
            if len(some) == _LINES:
                yield from _written(some)
                some = []
        yield from _written(some)


FORMS: Mapping[str, Form] = {
    "json": Form(".json", "application/json; charset=utf-8", json_pieces),
    "csv": Form("-rows.csv", "text/csv; charset=utf-8; header=present", csv_pieces),
}


def rows_of(run: SuiteRun) -> Iterator[dict[str, Any]]:
    """Yield every row with its scores, by request and key."""
    golds = golds_of(run)
    stored = run.rows.order_by("request__position", "request_id", "key")
    for request, key, content in stored.values_list("request__key", "key", "content").iterator(
        chunk_size=500
    ):
        pipeline, shown, searched = parts_of_key(key)
        scored = score(content, golds.get(request, Gold(request)), k=run.content["k"])
        yield {
            "run": run.number,
            "request": request,
            "pipeline": pipeline,
            "shown": shown,
            "searched": searched,
            "scores": dict(scored.values),
            "outcome": content,
        }


def _cell(row: Mapping[str, Any], name: str) -> str:
    if name in row:
        return cell_of(row[name])
    if name in MEASURES:
        value = row["scores"][name]
        return "" if value is None else repr(value)
    outcome = row["outcome"]
    if name == "documents":
        return harmless(" ".join(hit["id"] for hit in outcome.get("hits", ())))
    if name == "searches":
        return harmless(" | ".join(outcome.get("searches", ())))
    return cell_of(outcome.get(name))


def _written(lines: Iterable[list[str]]) -> Iterator[str]:
    into = _Lines()
    csv.writer(into, lineterminator="\r\n").writerows(lines)
    if into.lines:
        yield "".join(into.lines)


class _Lines:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        self.lines.append(line)
