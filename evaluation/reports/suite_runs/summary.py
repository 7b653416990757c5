"""A suite run as lines for a terminal."""

from evaluation.models import SuiteRun
from evaluation.reports.suite_runs.coverage import coverage_lines
from evaluation.reports.suite_runs.tables import conditions_table, score_table
from evaluation.reports.suite_runs.words import (
    NAMES,
    in_short,
    set_label,
    usual_measure,
)
from evaluation.robustness.conditions import CONDITIONS, EFFECTS

_EFFECTS = [name.replace("_", " ") for name in EFFECTS]


def lines_of(run: SuiteRun) -> list[str]:
    """What became of the run; of a finished one what the sets cost, under the usual measure."""
    first = f"Suite run {run.number} is {run.state}."
    if run.result is None:
        return [first, run.error] if run.error else [first]
    result, measure = run.result, usual_measure(run.result)
    lines = [first, *in_short(result, measure), ""]
    labels = [set_label(one) for one in result["sets"]]
    lines.append(f"{NAMES[measure]}: {' / '.join(labels)}")
    for pipeline, cells in score_table(result, measure):
        lines.append(
            f"  {pipeline}: {' / '.join(f'{s.cell.text} {s.cell.of}'.strip() for s in cells)}"
        )
    for row in conditions_table(result, measure):
        under = zip(CONDITIONS, (cell.text for cell in row["cells"]), strict=True)
        gained = zip(_EFFECTS, (cell.text for cell in row["effects"]), strict=True)
        said = ", ".join(f"{name} {text}" for name, text in [*under, *gained])
        lines.append(f"  {row['pipeline']} on {row['set']}, n = {row['n']}: {said}")
    return [*lines, "", *coverage_lines(result, run.total)]
