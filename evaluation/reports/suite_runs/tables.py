"""The tables of a run over variation sets, as rows of texts for one measure. Knows no model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from evaluation.reports.figures import (
    Cell,
    difference_cell,
    grouped,
    mean_cell,
    missing,
    p_value,
    percent,
    rate_cell,
)
from evaluation.robustness.conditions import CONDITIONS, EFFECTS
from evaluation.robustness.study import CLEAN_SET

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Score:
    """One pipeline on one set, or a part of it: its mean, and what that differs from the same
    requests in their own words.
    """

    cell: Cell
    loss: Cell | None
    failed: int


@dataclass(frozen=True, slots=True)
class Change:
    """A paired difference with its test; `varied` is the same over the varied half alone."""

    pipeline: str
    set: str
    difference: Cell
    varied: Cell | None
    n: int
    worse: int
    better: int
    test: Cell
    adjusted: str
    left_out: str


def score_table(result: Result, measure: str) -> list[tuple[str, list[Score]]]:
    """A row for each pipeline: its score on every set, the clean one first."""
    scores = {(r["pipeline"], r["set"]): r for r in result["scores"] if r["part"] == "all"}
    losses = {(r["pipeline"], r["set"]): r for r in result["to_clean"] if r["part"] == "all"}
    return [
        (
            pipeline,
            [_score(scores, losses, pipeline, one["name"], measure) for one in result["sets"]],
        )
        for pipeline in result["pipelines"]
    ]


def changes(result: Result, table: str, measure: str) -> list[Change]:
    """The rows of "to_clean" or "to_standard"."""
    halves = {
        (row["pipeline"], row["set"]): effect_cell(row["measures"][measure]["difference"])
        for row in result[table]
        if row["part"] == "corrupted"
    }
    return [
        _change(row, measure, halves.get((row["pipeline"], row["set"])))
        for row in result[table]
        if row["part"] == "all"
    ]


def halves(result: Result, measure: str) -> tuple[list[str], list[dict[str, Any]]]:
    """The parts that any set has, and a row for each pipeline and varied set with the score of each
    part; None where the set has no such part.
    """
    labels = {"clean": _("not varied"), "corrupted": _("varied")}
    losses = {(r["pipeline"], r["set"], r["part"]): r for r in result["to_clean"]}
    told: dict[tuple[str, str], dict[str, Score]] = {}
    for row in result["scores"]:
        if row["part"] != "all":
            cells = told.setdefault((row["pipeline"], row["set"]), {})
            loss = losses.get((row["pipeline"], row["set"], row["part"]))
            cells[row["part"]] = _scored(row, loss, measure)
    parts = list(dict.fromkeys(part for cells in told.values() for part in cells))
    parts.sort(key=lambda part: part not in labels)  # the halves before the kinds
    rows = [
        {"pipeline": pipeline, "set": name, "cells": [cells.get(part) for part in parts]}
        for (pipeline, name), cells in told.items()
    ]
    return [labels.get(part, part.removeprefix("kind:")) for part in parts], rows


def conditions_table(result: Result, measure: str) -> list[dict[str, Any]]:
    """The four conditions of each pipeline and set, with their effects in points."""
    rows = []
    for row in result["conditions"]:
        told = row["measures"][measure]
        rows.append(
            {
                "pipeline": row["pipeline"],
                "set": row["set"],
                "n": told["n"],
                "left_out": told["left_out"],
                "cells": [bare_cell(told["cells"][name]) for name in CONDITIONS],
                "effects": [effect_cell(told["effects"][name]) for name in EFFECTS],
            }
        )
    return rows


def took_table(result: Result) -> list[tuple[str, list[tuple[str, str, int]]]]:
    """How many retrievals and calls of a model a request took, and over how many rows that is a
    mean, a row for each pipeline.
    """
    told = {(r["pipeline"], r["set"]): r["took"] for r in result["scores"] if r["part"] == "all"}
    return [
        (
            pipeline,
            [
                (
                    _number(told[pipeline, one["name"]]["retrievals"]),
                    _number(told[pipeline, one["name"]]["generations"]),
                    told[pipeline, one["name"]]["generations"]["n"],
                )
                for one in result["sets"]
            ],
        )
        for pipeline in result["pipelines"]
    ]


def estimate_cell(estimate: Mapping[str, Any]) -> Cell:
    """A share of requests with its n of m, or a mean of shares with its n."""
    if estimate["value"] is None:
        return missing(estimate)
    return (
        rate_cell(estimate) if estimate["numerator"] is not None else mean_cell(estimate, percent)
    )


def bare_cell(estimate: Mapping[str, Any]) -> Cell:
    """The same without its n, which stands once for the row."""
    cell = estimate_cell(estimate)
    return Cell(cell.text, "", cell.interval, cell.note, cell.missing)


def effect_cell(estimate: Mapping[str, Any]) -> Cell:
    cell = difference_cell(estimate)
    return Cell(cell.text, "", cell.interval, cell.note, cell.missing)


def _score(
    scores: Mapping[tuple[str, str], Any],
    losses: Mapping[tuple[str, str], Any],
    pipeline: str,
    name: str,
    measure: str,
) -> Score:
    return _scored(scores[pipeline, name], losses.get((pipeline, name)), measure)


def _scored(row: Mapping[str, Any], loss: Mapping[str, Any] | None, measure: str) -> Score:
    return Score(
        estimate_cell(row["measures"][measure]),
        effect_cell(loss["measures"][measure]["difference"]) if loss else None,
        row["rows"]["failed"],
    )


def _change(row: Mapping[str, Any], measure: str, varied: Cell | None) -> Change:
    told = row["measures"][measure]
    difference, test = told["difference"], told["test"]
    cell = difference_cell(difference)
    n = difference["rows"] if difference["rows"] is not None else difference["n"]
    p = Cell(_("no test"), note=test["reason"], missing=True)
    if test["value"] is not None:
        p = Cell(p_value(test["value"]), of=_TESTS.get(test["method"], test["method"]))
    adjusted = told.get("adjusted")
    return Change(
        row["pipeline"],
        _("clean") if row["set"] == CLEAN_SET else row["set"],
        Cell(cell.text, "", cell.interval, cell.note, cell.missing),
        varied,
        n,
        told["worse"],
        told["better"],
        p,
        p_value(adjusted["value"]) if adjusted and test["value"] is not None else "",
        _left_out(told["left_out"]),
    )


_TESTS = {
    "mcnemar_exact": "McNemar",
    "sign_flip": "sign flip",
    "sign_flip_exact": "sign flip",
    "sign_flip_monte_carlo": "sign flip",
}


def _left_out(counted: Mapping[str, int]) -> str:
    return " ".join(f"{grouped(n)}: {why}" for why, n in counted.items())


def _number(estimate: Mapping[str, Any]) -> str:
    return "–" if estimate["value"] is None else f"{estimate['value']:.2f}"
