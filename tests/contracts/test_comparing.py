"""Equal demands have equal forms, whatever their spelling; other demands have others."""

from typing import Any

import pytest

from contracts.comparing import comparable

NAME = {"name": "Harbor Rail"}
ON = {"relation": "on", "start": "2023"}
MORE = {"sets": ["2022", "2021"], "direction": "higher"}


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("referent", NAME, {"name": "harbor  rail", "aliases": ["HR"], "from_turn": 1}),
        ("time", ON, {**ON, "end": "2023", "calendar": "calendar"}),
        ("time", {**ON, "relation": "between", "start": "2023-01", "end": "2023-03"},
         {**ON, "relation": "between", "start": "2023-Q1", "end": "2023-Q1"}),
        ("time", ON, {**ON, "reference_date": "2024-05-01"}),
        ("quantity", {"operator": "<", "value": 5}, {"operator": "<", "value": 5.0, "unit": None}),
        ("comparison", {**MORE, "direction": "same"},
         {"sets": ["2021", "2022"], "direction": "same"}),
        ("status", {"value": "Audited"}, {"value": "audited", "rivals": ["draft"]}),
    ],
)  # fmt: skip
def test_equal_demands(kind: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert comparable(kind, one) == comparable(kind, other)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("referent", NAME, {**NAME, "unresolved": True}),
        ("time", ON, {**ON, "calendar": "fiscal"}),
        ("time", ON, {**ON, "relation": "before"}),
        ("quantity", {"operator": "<", "value": 5}, {"operator": "<=", "value": 5}),
        ("comparison", MORE, {**MORE, "sets": ["2021", "2022"]}),
    ],
)
def test_other_demands(kind: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert comparable(kind, one) != comparable(kind, other)


def test_a_value_that_lacks_what_it_needs_is_compared_as_it_stands() -> None:
    assert comparable("time", {"start": "2021"}) != comparable("time", {"start": "2022"})
