"""A run in words and as JSON, from the stored rows alone: what the terminal, the gate and the
API say.
"""

from typing import Any

from evaluation.models import Run, Verdict

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
