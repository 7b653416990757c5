"""The table of value fields. Allowed fields and words: the table in docs/formats.md."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.phrases import describe_value
from contracts.terms import KINDS
from contracts.values import FIELDS, complete_value, time_bounds, validate_value

SOUND = [
    ("referent", {"name": "Velden Trust"}, "Velden Trust"),
    ("time", {"relation": "before", "end": "2021"}, "before 2021"),
    ("time", {"relation": "on", "start": "2023-Q1"}, "in Q1 2023"),
    ("time", {"relation": "on", "start": "2022-03-31"}, "on 2022-03-31"),
    ("time", {"relation": "on", "start": "2023", "calendar": "fiscal"}, "in fiscal 2023"),
    ("time", {"relation": "between", "start": "2011", "end": "2015"}, "from 2011 to 2015"),
    ("time", {"relation": "as_of", "start": "2021-07-01"}, "as of 2021-07-01"),
    (
        "quantity",
        {"operator": ">=", "value": 5, "unit": "percent", "aggregation": "annual"},
        "≥ 5 %, annual",
    ),
    ("quantity", {"operator": ">", "value": 7_000_000, "currency": "GBP"}, "> GBP 7,000,000"),
    ("quantity", {"operator": "between", "value": 0.5, "high": 2, "unit": "t"}, "0.5 to 2 t"),
    ("polarity", {"mode": "exclude", "target": "one-off items"}, "excludes one-off items"),
    ("polarity", {"mode": "negate", "target": "insured"}, "not insured"),
    ("status", {"value": "approved", "rivals": ["proposed"]}, "approved, not proposed"),
    (
        "comparison",
        {"sets": ["trams", "buses"], "direction": "lower", "measure": "cost"},
        "lower: trams or buses, by cost",
    ),
    ("comparison", {"sets": ["rents"], "direction": "increase"}, "increase of rents"),
    ("evidence", {"source": "annual report"}, "according to annual report"),
]


@pytest.mark.parametrize(("kind", "value", "phrase"), SOUND)
def test_a_sound_value_is_accepted_and_described(kind: str, value: dict, phrase: str) -> None:
    assert (validate_value(kind, value), describe_value(kind, value)) == ([], phrase)


@pytest.mark.parametrize(
    ("kind", "value", "fault"),
    [
        ("colour", {}, "“colour” is no kind of constraint"),
        ("status", ["approved"], "must be an object"),
        (
            "status",
            {"value": "approved", "shade": 1},
            "The field “shade” is unknown for a status; allowed are value, rivals.",
        ),
        ("status", {}, "The field “value” is missing; give it."),
        ("status", {"value": "  "}, "empty is not allowed"),
        ("status", {"value": "approved", "rivals": "proposed"}, "give a list"),
        ("status", {"value": "approved", "rivals": None}, "The field “rivals” is null"),
        ("time", {"relation": "around", "start": "2021"}, "choose one of on, before"),
        ("time", {"relation": ["on"], "start": "2021"}, "choose one of on, before"),
        ("time", {"relation": "on", "start": "2021-02-30"}, "give a date"),
        ("time", {"relation": "on", "start": 2021}, "give a date"),
        (
            "time",
            {"relation": "before"},
            "The field “end” is missing; “before” needs it.",
        ),
        (
            "time",
            {"relation": "since", "start": "2020", "end": "2021"},
            "The field “end” has no meaning with “since”",
        ),
        ("time", {"relation": "between", "start": "2021", "end": "2020"}, "swap them"),
        ("time", {"relation": "between", "start": "2021"}, "“between” needs it"),
        ("quantity", {"operator": "!=", "value": 1}, "choose one of <"),
        ("quantity", {"operator": ">", "value": True}, "give a finite number"),
        ("quantity", {"operator": ">", "value": float("nan")}, "give a finite number"),
        ("quantity", {"operator": "between", "value": 1}, "“between” needs the upper end"),
        ("quantity", {"operator": ">", "value": 1, "high": 2}, "has no meaning with “>”"),
        ("quantity", {"operator": "between", "value": 3, "high": 2}, "swap them"),
        ("quantity", {"operator": ">", "value": 1, "currency": "euro"}, "three capital letters"),
        ("comparison", {"sets": [], "direction": "same"}, "give at least one"),
        ("referent", {"name": "Velden Trust", "from_turn": -1}, "counted from 0"),
    ],
)
def test_a_fault_is_one_sentence_that_names_it(kind: str, value: object, fault: str) -> None:
    faults = validate_value(kind, value)
    assert len(faults) == 1 and fault in faults[0]


def test_every_kind_has_its_fields() -> None:
    assert set(FIELDS) == set(KINDS)


def test_missing_optional_fields_are_filled_in() -> None:
    assert complete_value("quantity", {"operator": ">", "value": 5}) == {
        "operator": ">",
        "value": 5,
        "high": None,
        "unit": None,
        "currency": None,
        "aggregation": None,
    }


def test_a_time_on_a_period_ends_as_it_starts() -> None:
    assert complete_value("time", {"relation": "on", "start": "2023-04"})["end"] == "2023-04"


@given(st.sampled_from(SOUND))
def test_completing_twice_changes_nothing_more(sound: tuple) -> None:
    once = complete_value(sound[0], sound[1])
    assert complete_value(sound[0], once) == once and validate_value(sound[0], once) == []


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("2024-02", (date(2024, 2, 1), date(2024, 2, 29))),
        ("2023-Q4", (date(2023, 10, 1), date(2023, 12, 31))),
        ("2023", (date(2023, 1, 1), date(2023, 12, 31))),
        ("2023-13", None),
        ("2023-Q5", None),
        ("0000", None),
        ("2023-1", None),
    ],
)
def test_a_time_has_a_first_and_a_last_day(text: str, bounds: tuple | None) -> None:
    assert time_bounds(text) == bounds


@given(st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text(max_size=5)))
def test_any_object_is_validated_without_an_error(value: dict) -> None:
    assert all(isinstance(validate_value(kind, value), list) for kind in KINDS)
