"""The figures of a run over variation sets: what errors in the query cost each pipeline.

Sources: QE-RAG (conditions, half and curve figures), the paired tests of the project's statistics.
Undefined is null with a reason; what failed is counted and never scored.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from evaluation.robustness.conditions import four_conditions
from evaluation.robustness.means import (
    Find,
    averages,
    corrected,
    differences_of,
    discordant,
    tested,
    values_of,
)
from evaluation.robustness.measures import ABSTAINED, FORMULAS, GRADED, MEASURES, OK, Scored
from evaluation.robustness.study import CLEAN, STANDARD, Item, Study, VariedSet
from evaluation.scoring.answer_rules import golds_type
from evaluation.statistics import Estimate

SCHEMA = "suite/variations/1"
ALL, CLEAN_HALF, CORRUPTED_HALF = "all", "clean", "corrupted"


def figures(study: Study) -> dict[str, Any]:
    """Return every figure of the run as JSON: the same for the same rows, in whatever order they
    came.
    """
    sets = [study.clean, *study.sets]
    scores = [row for name in study.pipelines for one in sets for row in _scores(study, name, one)]
    return {
        "schema": SCHEMA,
        "settings": study.settings.to_json(),
        "measures": {
            name: {"formula": FORMULAS[name], "graded": name in GRADED} for name in MEASURES
        },
        "pipelines": list(study.pipelines),
        "sets": [_counts(one) for one in sets],
        "coverage": _coverage(study),
        "scores": scores,
        "to_clean": _to_clean(study),
        "to_standard": _to_standard(study, sets),
        "curves": _curves(study, scores),
        "conditions": four_conditions(study) if study.four_conditions else [],
    }


def parts_of(one: VariedSet) -> dict[str, tuple[Item, ...]]:
    """Return the items of the whole set, of its halves, and of each kind ("kind:spelling")."""
    usable = one.usable
    parts = {ALL: usable}
    if one.kinds:
        parts[CLEAN_HALF] = tuple(item for item in usable if not item.kind)
        parts[CORRUPTED_HALF] = tuple(item for item in usable if item.corrupted)
    for kind in one.kinds:
        parts[f"kind:{kind}"] = tuple(item for item in usable if item.kind == kind)
    return parts


def _scores(study: Study, pipeline: str, one: VariedSet) -> list[dict[str, Any]]:
    find = _finding(study, pipeline)
    parts = parts_of(one)
    columns = {
        (part, measure): values_of(items, find, measure)
        for part, items in parts.items()
        for measure in MEASURES
    }
    means = averages(study, columns, lambda key: key[1] in GRADED)
    return [
        {
            "pipeline": pipeline,
            "set": one.name,
            "part": part,
            "items": len(items),
            "rows": _statuses(items, find),
            "took": _took(items, find),
            "measures": {measure: means[part, measure] for measure in MEASURES},
        }
        for part, items in parts.items()
    ]


def _to_clean(study: Study) -> list[dict[str, Any]]:
    """Each pipeline on each set - the same on the same requests in their own words."""
    rows = [
        {
            "pipeline": pipeline,
            "set": one.name,
            "part": part,
            "measures": _paired(study, items, _finding(study, pipeline, clean=True), after),
        }
        for pipeline in study.pipelines
        for one in study.sets
        for after in (_finding(study, pipeline),)
        for part, items in parts_of(one).items()
        if part in (ALL, CORRUPTED_HALF)
    ]
    # The clean half differs nowhere, so the tests of both parts are one: it counts once.
    corrected([row for row in rows if row["part"] == ALL], MEASURES)
    return rows


def _to_standard(study: Study, sets: Sequence[VariedSet]) -> list[dict[str, Any]]:
    """Each other pipeline - the standard one on the same set."""
    if STANDARD not in study.pipelines:
        return []
    before = _finding(study, STANDARD)
    rows = [
        {
            "pipeline": pipeline,
            "set": one.name,
            "part": ALL,
            "measures": _paired(study, one.usable, before, _finding(study, pipeline)),
        }
        for pipeline in study.pipelines
        if pipeline != STANDARD
        for one in sets
    ]
    corrected(rows, MEASURES)
    return rows


def _paired(study: Study, items: Sequence[Item], before: Find, after: Find) -> dict[str, Any]:
    found = {name: differences_of(items, before, after, name) for name in MEASURES}
    means = averages(study, found, lambda _measure: True)
    return {
        name: {
            "difference": means[name],
            "test": tested(study, column, name).to_json(),
            **dict(zip(("worse", "better"), discordant(column), strict=True)),
            "left_out": dict(sorted(column.without.items())),
        }
        for name, column in found.items()
    }


def _curves(study: Study, scores: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each pipeline over the rates of the sets of one family, from the clean set on."""
    told = {(row["pipeline"], row["set"]): row for row in scores if row["part"] == ALL}
    families = dict.fromkeys(one.family for one in study.sets if one.rate is not None)
    curves = []
    for pipeline in study.pipelines:
        for family in families:
            same = [one for one in study.sets if one.family == family and one.rate is not None]
            along = [study.clean, *sorted(same, key=lambda one: (one.rate or 0.0, one.name))]
            points = [
                {
                    "rate": one.rate,
                    "set": one.name,
                    "measures": told[pipeline, one.name]["measures"],
                }
                for one in along
            ]
            curves.append({"pipeline": pipeline, "family": family, "points": points})
    return curves


def _coverage(study: Study) -> dict[str, Any]:
    golds = study.golds.values()
    failed: Counter[str] = Counter()
    by_pipeline: dict[str, Counter[str]] = {name: Counter() for name in study.pipelines}
    for (pipeline, _request, _shown, _searched), row in study.rows.items():
        by_pipeline[pipeline][row.status] += 1
        if row.failed:
            failed[row.error] += 1
    return {
        "requests": len(study.golds),
        "without_answers": sum(not gold.answers for gold in golds),
        "without_evidence": sum(not gold.evidence for gold in golds),
        # Whose punctuation counts: the rules that delete it may find the wrong value right.
        "typed_golds": sum(golds_type(gold.answers) not in ("", "text") for gold in golds),
        "rows": len(study.rows),
        "failed": sum(failed.values()),
        "reasons": dict(sorted(failed.items())),
        "by_pipeline": {name: dict(sorted(count.items())) for name, count in by_pipeline.items()},
    }


def _counts(one: VariedSet) -> dict[str, Any]:
    corrupted = [item for item in one.items if item.corrupted]
    return {
        "name": one.name,
        "rate": one.rate,
        "family": one.family,
        "requests": len(one.items),
        "corrupted": len(corrupted),
        "without_variant": sum(item.without_variant for item in one.items),
        "kinds": {kind: sum(item.kind == kind for item in corrupted) for kind in one.kinds},
    }


def _statuses(items: Sequence[Item], find: Find) -> dict[str, int]:
    rows = [find(item) for item in items]
    return {
        OK: sum(row is not None and row.status == OK for row in rows),
        ABSTAINED: sum(row is not None and row.status == ABSTAINED for row in rows),
        "failed": sum(row is not None and row.failed for row in rows),
        "missing": sum(row is None for row in rows),
    }


def _took(items: Sequence[Item], find: Find) -> dict[str, Any]:
    """The mean numbers of retrievals and of calls of a model over the rows that did not fail."""
    took = [row.took for item in items if (row := find(item)) is not None and row.took]
    if not took:
        none = Estimate.undefined("No row tells what it took.").to_json()
        return {"retrievals": none, "generations": none}
    return {
        name: Estimate(sum(one[place] for one in took) / len(took), "", len(took)).to_json()
        for place, name in enumerate(("retrievals", "generations"))
    }


def _finding(study: Study, pipeline: str, *, clean: bool = False) -> Find:
    return partial(_found, study, pipeline, clean)


def _found(study: Study, pipeline: str, clean: bool, item: Item) -> Scored | None:
    return study.row(pipeline, item.request, CLEAN if clean else item.wording)
