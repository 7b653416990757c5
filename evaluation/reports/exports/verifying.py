"""A report in a file, or a run in the database, computed again from its rows."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from annotation.canonical import content_hash
from evaluation.models import Judgement, Run, Verdict
from evaluation.reports.exports.as_json import CASES_BEGIN, CASES_END, report_json
from evaluation.runs.code import code_sha256
from evaluation.runs.conclusion import scored_batches
from evaluation.runs.inputs import read_inputs
from evaluation.scoring.recomputing import computed_elsewhere, pairs_gone, recompute
from evaluation.scoring.report_differences import RECORDED, Difference, Unreadable, compared
from evaluation.scoring.report_form import NOT_CHECKED

SINCE = (
    "People judged something after the run was concluded. Its results are computed again on their "
    "own; until then their words are left out here too."
)


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of it: how much was computed again, where it differs, and what explains it."""

    name: str
    cases: int
    verdicts: int
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    not_checked: tuple[str, ...] = ()


def verify_file(path: Path) -> Verified:
    """Compute a report in a file again; no row of the database is read. Raises Unreadable."""
    try:
        with path.open(encoding="utf-8") as file:
            report = read_report(file)
            found = _verified(path.name, report, recompute(report))
            return replace(found, not_checked=NOT_CHECKED)
    except OSError as fault:
        raise Unreadable(f"{path} cannot be read: {fault.strerror}.") from fault
    except Unreadable:
        raise
    except (ValueError, RecursionError) as fault:
        raise Unreadable(f"{path} is not JSON: {fault}.") from fault


def read_report(file: TextIO) -> dict[str, Any]:
    """Return the report in a file. As it was exported, its cases are read a line at a time while
    they are gone through, once; a file that was laid out anew is read whole.
    """
    head = []
    for line in file:
        head.append(line)
        if line == CASES_BEGIN:
            break
    else:
        return _whole("".join(head))
    try:
        report: dict[str, Any] = json.loads("".join(head) + CASES_END, object_pairs_hook=_once)
        report["rows"]["cases"] = _Lines(file)
    except (KeyError, TypeError, ValueError):
        return _whole("".join(head) + file.read())
    return report


class _Lines:
    """The cases of a report as it was exported, one at a time; afterwards its length is known."""

    def __init__(self, file: TextIO) -> None:
        self._file, self._read = file, 0

    def __len__(self) -> int:
        return self._read

    def __iter__(self) -> Iterator[Any]:
        for line in self._file:
            if line.strip() == "]":
                break
            self._read += 1
            yield json.loads(line.rstrip().removesuffix(","), object_pairs_hook=_once)
        if self._file.read() != CASES_END.removeprefix("]\n"):
            raise Unreadable("Something stands behind the last case: this is no report.")


def _whole(text: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(text, object_pairs_hook=_once)
    return report


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without a key twice: of two values, nobody could say which one is stated."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a key twice")
    return found


def verify_run(run: Run) -> Verified:
    """Compute the stored results of a finished run again: first each case's score from what its
    stages gave and what was judged, then everything else from the cases.
    """
    report = json.loads(json.dumps(report_json(run)))
    found = _verified(
        f"{run.project.slug}/{run.number}",
        report,
        (*_recorded(run), *_scores(run), *recompute(report)),
    )
    if Judgement.objects.filter(case__run=run, created_at__gt=run.finished_at).exists():
        found = replace(found, notes=(*found.notes, SINCE))
    return found


def _recorded(run: Run) -> Iterator[Difference]:
    """Where the run is not what the ledger says that was started and concluded, or its arms are
    not the project's.
    """
    entries = run.project.ledger.filter(subject=f"run {run.number}").order_by("-sequence")
    if started := entries.filter(kind="run.started").first():
        yield from compared("arms", run.arm_content, started.content["arms"], RECORDED)
        protocol = run.protocol.sha256 if run.protocol else None
        yield from compared("protocol.sha256", protocol, started.content["protocol"], RECORDED)
    if concluded := entries.filter(kind="run.concluded").first():
        yield from _concluded(run, concluded.content)
    sources = {arm.name: arm.source for arm in run.arms.all()}
    stated = {name: arm["source"] for name, arm in run.arm_content.items()}
    yield from compared("arms.source", stated, sources, "the project has")


def _concluded(run: Run, entry: Mapping[str, Any]) -> Iterator[Difference]:
    words = {
        f"{v.arm.name}/{v.request_class.name}": v.outcome
        for v in Verdict.objects.current(run).select_related("arm", "request_class")
    }
    stated = {
        "conditions": run.conditions.sha256,
        "arms": content_hash(run.arm_content),
        "verdicts": words,
    }
    # An earlier version wrote no arms. A result is written anew without an entry where the
    # verdicts stay, so that its hash is only compared with its own content.
    yield from compared(
        "ledger",
        {k: v for k, v in stated.items() if k in entry},
        {k: v for k, v in entry.items() if k in stated},
        RECORDED,
    )


def _scores(run: Run) -> Iterator[Difference]:
    inputs = read_inputs(run)
    for batch in scored_batches(run, inputs, until=run.finished_at):
        for case, scored in batch:
            path = f"case {case.request.key} under {case.arm.name}"
            again = json.loads(json.dumps(scored.to_json()))
            yield from compared(path, case.outcome, again)


def _verified(name: str, report: dict[str, Any], differences: tuple[Difference, ...]) -> Verified:
    notes = (computed_elsewhere(report, code_sha256()), pairs_gone(report))
    return Verified(
        name=name,
        cases=len(report["rows"]["cases"]),
        verdicts=len(report.get("verdicts", ())),
        differences=differences,
        notes=tuple(filter(None, notes)),
    )
