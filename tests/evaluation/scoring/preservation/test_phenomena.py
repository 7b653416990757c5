"""Invented cases by kind of phenomenon: dropped, altered and kept times, denials and sources.

The labels follow from the definitions of the labels alone. Cases tagged "aside" were drawn by a
hash before the judge was mended with the others, and were looked at by their totals only; the
numbers below are what the judge reached, and it must not fall below them. A case that was opened
after all is tagged "seen".
"""

import json
from pathlib import Path

import pytest

from contracts.terms import KINDS
from evaluation.labelled_cases import judge_cases
from evaluation.records import KEPT
from evaluation.scoring.judge_measures import JudgedConstraint, grouped, measure_judgements

FOLDER = Path(__file__).with_name("phenomena")
LINES = [
    line
    for file in sorted(FOLDER.glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]
ASIDE = {
    case["id"] for case in map(json.loads, LINES) if case["metadata"]["tags"] == ["aside"]
}  # fmt: skip


@pytest.fixture(scope="module")
def judged() -> list[JudgedConstraint]:
    return [row for case in judge_cases(LINES) for row in case.constraints]


def half(judged: list[JudgedConstraint], *, aside: bool) -> list[JudgedConstraint]:
    return [row for row in judged if (row.case in ASIDE) == aside]


def test_every_kind_is_there_kept_and_lost(judged: list[JudgedConstraint]) -> None:
    there = {(row.kind, row.expected in KEPT) for row in judged}
    assert there == {(kind, kept) for kind in KINDS for kept in (True, False)}


@pytest.mark.parametrize("kind", KINDS)
def test_of_a_kind_no_kept_constraint_is_called_lost(
    judged: list[JudgedConstraint], kind: str
) -> None:
    found = measure_judgements(grouped(judged, lambda row: row.kind)[kind])
    assert found.false_alarm_rate.part == 0


@pytest.mark.parametrize(
    ("aside", "lost_found", "right", "decided"),
    [(False, 607, 1071, 1080), (True, 312, 569, 579)],
)
def test_the_totals_of_a_half_are_kept(
    judged: list[JudgedConstraint], aside: bool, lost_found: int, right: int, decided: int
) -> None:
    found = measure_judgements(half(judged, aside=aside))
    assert found.critical_loss_recall.part >= lost_found
    assert found.accuracy_decided.part >= right
    assert found.coverage.part >= decided
