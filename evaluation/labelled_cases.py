"""judge.jsonl with the right answers beside each line, to measure the judge. Pure.

A labelled case is a line of judge.jsonl with `expected` (constraint id to label), and optionally
`expected_added` (kinds) and `phenomenon` (what the case is about).
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from contracts.terms import KINDS
from evaluation.judging_file import BrokenLine, judge_line
from evaluation.scoring.judge_measures import LABELS, JudgedConstraint


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """One case with its right answers and the judge's."""

    id: str
    constraints: tuple[JudgedConstraint, ...]
    added_expected: tuple[str, ...]
    added_said: tuple[str, ...]


def judge_cases(lines: Iterable[str]) -> Iterator[JudgedCase]:
    """Judge every labelled line that is not blank; the judge sees nothing of the labels.

    A line that cannot be judged, lacks a label or has an unknown one, or an id that comes twice
    raises BrokenLine with the row, counted from 1.
    """
    seen: set[str] = set()
    for row, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case = judge_case(line)
            if case.id in seen:
                raise BrokenLine(f"the id {case.id} comes twice.")
        except BrokenLine as fault:
            raise BrokenLine(f"row {row}: {fault}") from fault
        seen.add(case.id)
        yield case


def judge_case(line: str) -> JudgedCase:
    """Judge one labelled line; raise BrokenLine with a sentence if line or labels are unsound."""
    answers = judge_line(line)
    case = json.loads(line)
    _check(case)
    said = {one["constraint"]: one["judgement"] for one in answers["judgements"]}
    return JudgedCase(
        id=case["id"],
        constraints=tuple(
            JudgedConstraint(
                case=case["id"],
                constraint=one["id"],
                kind=one["kind"],
                phenomenon=str(case.get("phenomenon", "")),
                critical=one["materiality"] == "critical",
                expected=case["expected"][one["id"]],
                said=said[one["id"]],
            )
            for one in case["contract"]["constraints"]
        ),
        added_expected=tuple(case.get("expected_added", ())),
        added_said=tuple(one["kind"] for one in answers["added"]),
    )


def _check(case: dict[str, Any]) -> None:
    ids = [one["id"] for one in case["contract"]["constraints"]]
    expected, added = case.get("expected"), case.get("expected_added", [])
    if not isinstance(case.get("id"), str) or not case["id"]:
        raise BrokenLine("“id” must be a text that is not blank.")
    if not isinstance(expected, dict) or sorted(expected) != sorted(ids):
        raise BrokenLine("“expected” must give one label for each constraint of the contract.")
    if strange := [label for label in expected.values() if label not in LABELS]:
        raise BrokenLine(f"“{strange[0]}” is no label; labels are {', '.join(LABELS)}.")
    if not isinstance(added, list) or not set(map(str, added)) <= set(KINDS):
        raise BrokenLine("“expected_added” must be a list of kinds of constraint.")
