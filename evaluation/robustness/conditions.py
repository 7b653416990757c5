"""Does an error hurt in what is searched or in what the model reads? The four conditions of
QE-RAG: QE, QC = query with errors or clean in the prompt; DE, DC = documents found with it or with
the clean one. On the corrupted items only; the clean query is the oracle, not a correction.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.robustness.means import Figures, Found, Rows, values_of
from evaluation.robustness.measures import GRADED, MEASURES
from evaluation.robustness.study import CLEAN, Item, Study, Value

QE_DE, QE_DC, QC_DE, QC_DC = CONDITIONS = ("QE-DE", "QE-DC", "QC-DE", "QC-DC")
EFFECTS = ("query_effect", "document_effect", "interaction")
INCOMPLETE = "No request has a value under all four conditions."


def effects(qe_de: float, qe_dc: float, qc_de: float, qc_dc: float) -> dict[str, float]:
    """Return what a clean query in the prompt gains, what documents found with it gain, each as the
    mean over both levels of the other, and by how much the one depends on the other.
    """
    return {
        "query_effect": (qc_de - qe_de + qc_dc - qe_dc) / 2,
        "document_effect": (qe_dc - qe_de + qc_dc - qc_de) / 2,
        "interaction": qc_dc - qc_de - qe_dc + qe_de,
    }


def wordings(condition: str, item: Item) -> tuple[str, str]:
    """Return what is shown and what is searched under a condition."""
    query, documents = condition.split("-")
    return (
        item.wording if query == "QE" else CLEAN,
        item.wording if documents == "DE" else CLEAN,
    )


def four_conditions(study: Study, asked: Figures) -> list[dict[str, Any]]:
    """Return for each pipeline and set the four means and the three effects under each measure,
    over the corrupted items with a value under all four.
    """
    return [
        {
            "pipeline": pipeline,
            "set": one.name,
            "corrupted": len(items),
            "measures": {name: _measured(asked, items, rows, name) for name in MEASURES},
        }
        for pipeline in study.pipelines
        for one in study.sets
        if (items := [item for item in one.usable if item.corrupted]) or one.kinds
        for rows in ({name: _rows(study, pipeline, name, items) for name in CONDITIONS},)
    ]


def _measured(
    asked: Figures, items: Sequence[Item], rows: Mapping[str, Rows], measure: str
) -> dict[str, Any]:
    found = {name: values_of(items, rows[name], measure) for name in CONDITIONS}
    by_condition = {name: dict(column.values) for name, column in found.items()}
    complete = [
        item.request for item in items if all(item.request in by for by in by_condition.values())
    ]
    cells = {name: _column(complete, by, found[name]) for name, by in by_condition.items()}
    gained: dict[str, list[Value]] = {name: [] for name in EFFECTS}
    for request in complete:
        one = effects(*(by_condition[condition][request] for condition in CONDITIONS))
        for name, value in one.items():
            gained[name].append((request, value))
    why = next((column.reason for column in found.values() if not column.values), INCOMPLETE)
    columns = {
        name: Found(tuple(v), {} if v else {why: len(items) or 1}) for name, v in gained.items()
    }
    return {
        "n": len(complete),
        "left_out": len(items) - len(complete),
        "cells": {n: asked.mean(cells[n], graded=measure in GRADED) for n in CONDITIONS},
        "effects": {n: asked.mean(columns[n], graded=True) for n in EFFECTS},
    }


def _column(complete: Sequence[str], by: Mapping[str, float], found: Found) -> Found:
    values = tuple((request, by[request]) for request in complete)
    return Found(values, {} if values else found.without or {INCOMPLETE: 1})


def _rows(study: Study, pipeline: str, condition: str, items: Sequence[Item]) -> Rows:
    return [study.row(pipeline, item.request, *wordings(condition, item)) for item in items]
