"""Everything that the page of a suite run shows."""

from typing import Any

from evaluation.models import SuiteRun
from evaluation.pipelines.base import PIPELINES
from evaluation.readers.base import READERS
from evaluation.reports.figures import grouped
from evaluation.reports.parts.words import part_fact
from evaluation.reports.suite_runs.charts import charts
from evaluation.reports.suite_runs.coverage import coverage_lines
from evaluation.reports.suite_runs.tables import (
    changes,
    conditions_table,
    halves,
    score_table,
    took_table,
)
from evaluation.reports.suite_runs.words import (
    ABOUT,
    NAMES,
    UNDER,
    heading,
    in_short,
    measures_of,
    set_label,
    usual_measure,
)
from evaluation.retrieval.base import RETRIEVERS
from evaluation.robustness.conditions import CONDITIONS


def result_page(run: SuiteRun, measure: str) -> dict[str, Any]:
    """The context of a finished run under one measure: that which is asked for, or the usual."""
    result = run.result
    assert result is not None  # noqa: S101 a finished run has one
    known = measures_of(result)
    shown = next((name for name in (measure, usual_measure(result)) if name in known), known[0])
    parts, by_part = halves(result, shown)
    return {
        "heading": heading(result),
        "sentences": in_short(result, shown),
        "measure": shown,
        "measure_name": NAMES[shown],
        "measure_about": ABOUT[shown],
        "measures": [(name, NAMES[name]) for name in known],
        "sets": [{**one, "label": set_label(one)} for one in result["sets"]],
        "scores": score_table(result, shown),
        "to_clean": changes(result, "to_clean", shown),
        "to_standard": changes(result, "to_standard", shown),
        "halves": by_part,
        "parts": parts,
        "conditions": [(name, UNDER[name]) for name in CONDITIONS],
        "four": conditions_table(result, shown),
        "took": took_table(result),
        "charts": charts(result, shown),
        "coverage": result["coverage"],
        "coverage_lines": coverage_lines(result, run.total),
        "draws": grouped(result["settings"]["resamples"]),
    }


def told_conditions(run: SuiteRun) -> dict[str, Any]:
    """What the run froze, for its page in every state."""
    content = run.content
    return {
        "content": content,
        "frozen_parts": [
            part_fact("retriever", RETRIEVERS, content["retriever"]),
            part_fact("reader", READERS, content["reader"]),
            *(part_fact("pipeline", PIPELINES, one) for one in content["pipelines"]),
        ],
        "labels": [one["label"] for one in content["pipelines"]],
        "request_count": len(content["requests"]),
    }
