"""A run in words and as JSON, from the stored rows alone: what the terminal, the gate and the
API say.
"""

from collections.abc import Mapping
from typing import Any

from evaluation.models import Run, Verdict
from evaluation.reports.controls import false_rejections
from evaluation.reports.figures import rate_cell
from evaluation.scoring.scorecard import ALL_CLASSES

WORDS = {
    Verdict.Outcome.RELEASE: "release",
    Verdict.Outcome.FALLBACK: "fall back",
    Verdict.Outcome.CLARIFY: "clarify",
    Verdict.Outcome.NOT_ASSESSABLE: "not assessable",
}


def current_verdicts(run: Run) -> list[Verdict]:
    """The standing verdicts of the run, by candidate and class."""
    return list(
        Verdict.objects.current(run)
        .select_related("arm", "request_class")
        .order_by("arm__name", "request_class__name")
    )


def verdict_lines(run: Run) -> list[str]:
    """One line for each candidate and class: the word, then the sentence of the rule that
    decided.
    """
    lines = []
    arm = None
    for verdict in current_verdicts(run):
        if verdict.arm.name != arm:
            arm = verdict.arm.name
            lines.append(f"May {arm} ship?")
        word = WORDS[Verdict.Outcome(verdict.outcome)]
        lines.append(f"  {verdict.request_class.name:<14}{word:<16}{verdict.content['sentence']}")
    return lines


def pair_lines(run: Run) -> list[str]:
    """What the pairs and the controls say of each arm, in sentences with their denominators."""
    result = run.result or {}
    lines = []
    for arm, row in sorted(result.get("rankings", {}).items()):
        if row["pairs"]:
            lines.append(f"{arm}: paired accuracy {_said(row['paired'])}; chance is 25 %.")
    for row in result.get("scorecard", {}).get("arms", ()):
        items = row["evidence_items"]
        if row["scope"] == ALL_CLASSES and items["near-miss"]:
            lines.append(
                f"{row['arm']}: {items['near-miss']} of {sum(items.values())} required items are "
                f"near misses (a twin's evidence came instead), {items['missing']} are missing."
            )
    controls = result.get("controls")
    if controls and controls["judged"]:
        rate = false_rejections(controls["false_rejections"])
        note = f", {rate.note}" if rate.note else ""
        lines.append(f"False rejections of controls: {rate.text} ({rate.of}){note}.")
    return lines


def _said(estimate: Mapping[str, Any]) -> str:
    cell = rate_cell(estimate)
    if cell.missing:
        return f"{cell.text}: {cell.note}".rstrip(".")
    return f"{cell.text} ({cell.of}" + (f"; {cell.interval})" if cell.interval else ")")


def run_json(run: Run) -> dict[str, Any]:
    """Everything that the run decided, with the hashes that it rests on."""
    return {
        "run": f"{run.project.slug}/{run.number}",
        "state": run.state,
        "error": run.error or None,
        "arms": run.arm_content,
        "conditions": run.conditions.sha256,
        "protocol": (
            {
                "name": run.protocol.name,
                "version": run.protocol.version,
                "sha256": run.protocol.sha256,
            }
            if run.protocol
            else None
        ),
        "result_sha256": run.result_sha256 or None,
        "result": run.result,
        "verdicts": [v.content for v in current_verdicts(run)],
    }
