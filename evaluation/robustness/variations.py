"""The figures of a run over variation sets: what errors in the query cost each pipeline.

Sources: QE-RAG (conditions, half and curve figures), the paired tests of the project's statistics.
Undefined is null with a reason; what failed is counted and never scored.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.robustness.conditions import four_conditions
from evaluation.robustness.means import (
    Figures,
    Rows,
    corrected,
    differences_of,
    discordant,
    values_of,
)
from evaluation.robustness.measures import ABSTAINED, FORMULAS, GRADED, MEASURES, OK
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
    asked = Figures(study)
    scores = [
        row for name in study.pipelines for one in sets for row in _scores(study, asked, name, one)
    ]
    told = {
        "schema": SCHEMA,
        "settings": study.settings.to_json(),
        "measures": {
            name: {"formula": FORMULAS[name], "graded": name in GRADED} for name in MEASURES
        },
        "pipelines": list(study.pipelines),
        "sets": [_counts(one) for one in sets],
        "coverage": _coverage(study),
        "scores": scores,
        "to_clean": _to_clean(study, asked),
        "to_standard": _to_standard(study, asked, sets),
        "curves": _curves(study, scores),
        "conditions": four_conditions(study, asked) if study.four_conditions else [],
    }
    asked.settle()
    return told


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


def _scores(
    study: Study, asked: Figures, pipeline: str, one: VariedSet
) -> Iterator[dict[str, Any]]:
    for part, items in parts_of(one).items():
        rows = _rows(study, pipeline, items)
        yield {
            "pipeline": pipeline,
            "set": one.name,
            "part": part,
            "items": len(items),
            "rows": _statuses(rows),
            "took": _took(rows),
            "measures": {
                measure: asked.mean(values_of(items, rows, measure), graded=measure in GRADED)
                for measure in MEASURES
            },
        }


def _to_clean(study: Study, asked: Figures) -> list[dict[str, Any]]:
    """Each pipeline on each set - the same on the same requests in their own words."""
    rows = [
        {
            "pipeline": pipeline,
            "set": one.name,
            "part": part,
            "measures": _paired(
                asked,
                items,
                [study.row(pipeline, item.request, CLEAN) for item in items],
                _rows(study, pipeline, items),
            ),
        }
        for pipeline in study.pipelines
        for one in study.sets
        for part, items in parts_of(one).items()
        if part != CLEAN_HALF
    ]
    # What is not varied differs nowhere, so the varied part has the test of the whole: it counts
    # once. That of a single kind is to look around with, and in no family.
    corrected([row for row in rows if row["part"] == ALL], MEASURES)
    return rows


def _to_standard(study: Study, asked: Figures, sets: Sequence[VariedSet]) -> list[dict[str, Any]]:
    """Each other pipeline - the standard one on the same set."""
    if STANDARD not in study.pipelines:
        return []
    rows = [
        {
            "pipeline": pipeline,
            "set": one.name,
            "part": ALL,
            "measures": _paired(
                asked,
                one.usable,
                _rows(study, STANDARD, one.usable),
                _rows(study, pipeline, one.usable),
            ),
        }
        for pipeline in study.pipelines
        if pipeline != STANDARD
        for one in sets
    ]
    corrected(rows, MEASURES)
    return rows


def _paired(asked: Figures, items: Sequence[Item], before: Rows, after: Rows) -> dict[str, Any]:
    found = {name: differences_of(items, before, after, name) for name in MEASURES}
    return {
        name: {
            "difference": asked.mean(column, graded=True),
            "test": asked.test(column, name).to_json(),
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


def _statuses(rows: Rows) -> dict[str, int]:
    return {
        OK: sum(row is not None and row.status == OK for row in rows),
        ABSTAINED: sum(row is not None and row.status == ABSTAINED for row in rows),
        "failed": sum(row is not None and row.failed for row in rows),
        "missing": sum(row is None for row in rows),
    }


def _took(rows: Rows) -> dict[str, Any]:
    """The mean numbers of retrievals and of calls of a model over the rows that did not fail."""
    took = [row.took for row in rows if row is not None and row.took]
    if not took:
        none = Estimate.undefined("No row tells what it took.").to_json()
        return {"retrievals": none, "generations": none}
    return {
        name: Estimate(sum(one[place] for one in took) / len(took), "", len(took)).to_json()
        for place, name in enumerate(("retrievals", "generations"))
    }


def _rows(study: Study, pipeline: str, items: Sequence[Item]) -> Rows:
    return [study.row(pipeline, item.request, item.wording) for item in items]
