"""A run in words and as JSON, from the stored rows alone: what the terminal, the gate and the
API say.
"""

from collections.abc import Callable, Mapping
from typing import Any

from evaluation.models import Run, Verdict
from evaluation.reports.figures import dollars, mean_cell, milliseconds, rate_cell, undefined
from evaluation.reports.judging.who_judged import judge_unchecked
from evaluation.reports.protocol.voiding import void_json, void_said
from evaluation.reports.verdict.answer_line import answer_line
from evaluation.reports.verdict.controls import false_rejections
from evaluation.scoring.outcomes import ASSESSED
from evaluation.scoring.scorecard import ALL_CLASSES, NOT_MEASURED

WORDS = {
    Verdict.Outcome.RELEASE: "release",
    Verdict.Outcome.FALLBACK: "fall back",
    Verdict.Outcome.CLARIFY: "clarify",
    Verdict.Outcome.NOT_ASSESSABLE: "not assessable",
}

SCORES_SAID = {
    "constraint_preservation": "constraints kept",
    "critical_completeness": "critically complete",
    "evidence_recall": "evidence recall",
    "supported_correct": "supported answers",
    "asked_when_unresolved": "asked when unresolved",
    "silent_when_resolved": "silent when resolved",
}
MEASURED_SAID: Mapping[str, tuple[str, Callable[[float], str]]] = {
    "latency_ms": ("latency", milliseconds),
    "latency_ms_p95": ("95 % within", milliseconds),
    "calls": ("calls", lambda value: f"{value:.1f}"),
    "cost": ("cost", dollars),
}
NOTHING = undefined(NOT_MEASURED)


def current_verdicts(run: Run) -> list[Verdict]:
    """The standing verdicts of the run, by candidate and class."""
    return list(
        Verdict.objects.current(run)
        .select_related("arm", "request_class")
        .order_by("arm__name", "request_class__name")
    )


def verdict_lines(run: Run) -> list[str]:
    """One line for each candidate and class: the word, then the sentence of the rule that
    decided. Before them how many cases are missing, where somebody decided to go without, and
    that they are void, where a newer version of the protocol was registered.
    """
    lines = []
    if run.without_failed and (lost := run.cases.lost().count()):
        of = run.cases.count()
        lines.append(f"{lost} of {of} cases have no result: they are counted and never scored.")
    lines += void_said(run)
    arm, verdicts = None, current_verdicts(run)
    for verdict in verdicts:
        if verdict.arm.name != arm:
            arm = verdict.arm.name
            mine = (other.content for other in verdicts if other.arm_id == verdict.arm_id)
            lines.append(f"May {arm} ship? {answer_line(mine)}")
            if unchecked := judge_unchecked(run.result or {}, [arm]):
                lines.append(f"  {unchecked}")
        word = WORDS[Verdict.Outcome(verdict.outcome)]
        lines.append(f"  {verdict.request_class.name:<14}{word:<16}{verdict.content['sentence']}")
    return lines


def score_lines(run: Run) -> list[str]:
    """One line for each arm over all classes: how many cases were scored, then every score that
    applies, with what it is over, and what a request took.
    """
    arms = (run.result or {}).get("scorecard", {}).get("arms", ())
    return [_scores_said(row) for row in arms if row["scope"] == ALL_CLASSES]


def _scores_said(row: Mapping[str, Any]) -> str:
    lost = {status: n for status, n in row["statuses"].items() if status not in ASSESSED}
    scored = rate_cell(row["coverage"]).of
    without = ", ".join(f"{n} {status}" for status, n in sorted(lost.items()))
    vacuous = row["vacuous"] == row["scores"]["critical_completeness"]["estimate"]["n"]
    parts = [f"{scored} cases scored" + (f" (not: {without})" if without else "")]
    rates = [
        (label, row["scores"][name]["estimate"])
        for name, label in SCORES_SAID.items()
        if not (vacuous and name == "critical_completeness")
    ]
    rates.append(("all evidence retrieved", row.get("evidence_depths", {}).get("complete")))
    parts += [
        f"{label} {_said(rate)}" for label, rate in rates if rate and rate["value"] is not None
    ]
    for name, (label, shown) in MEASURED_SAID.items():
        cell = mean_cell(row["measured"].get(name, NOTHING), shown)
        if not cell.missing:
            parts.append(f"{label} {cell.text} ({cell.of})")
    return f"{row['arm']}: {'; '.join(parts)}."


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
        "void": void_json(run),
        "result_sha256": run.result_sha256 or None,
        "result": run.result,
        "judging": (run.result or {}).get("judging"),
        "verdicts": [v.content for v in current_verdicts(run)],
    }
