"""Comparison: the compared sets and the direction, judged on all queries together."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation.comparisons.changes import judge_change
from evaluation.scoring.preservation.comparisons.compared_sets import is_named, judge_missing
from evaluation.scoring.preservation.comparisons.directions import judge_order, judge_undirected
from evaluation.scoring.preservation.finding import Finding, Reading, matcher, stated, unsure
from evaluation.scoring.preservation.wording import denied, occurrences

_CHANGES = ("increase", "decrease")


@matcher("comparison")
def match_comparison(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Every set must be named in the union of the queries; then the direction decides."""
    for text, first, end in occurrences(reading.queries, constraint.admissible):
        if not denied(text, first, end):
            return stated(text.quote(first, end), "It is there in a form that the contract admits.")
    sets = [str(one) for one in constraint.value.get("sets") or ()]
    if not sets:
        return unsure("", "The contract names no compared sets.")
    missing = [name for name in sets if not is_named(name, sets, reading)]
    if missing:
        return judge_missing(constraint, reading, sets, missing)
    direction = str(constraint.value.get("direction"))
    if direction in _CHANGES and len(sets) == 1:
        return judge_change(direction, sets[0], reading)
    if direction in ("difference", "same"):
        measure = str(constraint.value.get("measure") or "")
        return judge_undirected(direction, sets, measure, reading)
    return judge_order(direction, sets, reading)
