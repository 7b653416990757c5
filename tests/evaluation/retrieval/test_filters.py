from typing import Any

import pytest

from evaluation.retrieval.filters import FilterError, compile_filters


def passes(filters: dict[str, Any], metadata: dict[str, Any]) -> bool:
    test = compile_filters(filters)
    assert test is not None
    return test(metadata)


def test_no_filters_are_no_test() -> None:
    assert compile_filters(None) is None
    assert compile_filters({}) is None


@pytest.mark.parametrize(
    ("wanted", "value", "expected"),
    [
        ("harbor rail", " Harbor RAIL", True),
        ("stra\u00dfe", "STRASSE", True),
        ("harbor", "Harbor Rail", False),
        (3, 3.0, True),
        (2021, "2021", True),
        (True, True, True),
        (True, 1, False),
        (["a", "B"], "b", True),
        (["a", "B"], "c", False),
        ("b", ["a", "B"], True),
        ("2021", "2021-03-31", True),
        ("2021-Q1", "2021-03", True),
        ("2021-03-31", "2021", False),
    ],
)
def test_equality(wanted: Any, value: Any, expected: bool) -> None:
    assert passes({"f": wanted}, {"f": value}) is expected


@pytest.mark.parametrize(
    ("operator", "bound", "value", "expected"),
    [
        ("lt", "2021", "2020-12-31", True),
        ("lt", "2021", "2021-01-01", False),
        ("lt", "2021", "2021", False),
        ("lte", "2021", "2021-12-31", True),
        ("lte", "2021", "2022", False),
        ("gt", "2021", "2021-12-31", False),
        ("gt", "2021", "2022-01-01", True),
        ("gte", "2021", "2021-01-01", True),
        ("lt", "2021-06", "2021", False),
        ("lt", "2021-Q2", "2021-03-31T23:59:00Z", True),
        ("lte", "2024-02", "2024-02-29", True),
        ("lt", 2021, "2020-05", True),
        ("gte", 1.5, 2, True),
        ("lt", 10, "9", True),
        ("lt", "2021", "soon", False),
    ],
)
def test_ranges_take_partial_dates_as_periods(
    operator: str, bound: Any, value: Any, expected: bool
) -> None:
    assert passes({"f": {operator: bound}}, {"f": value}) is expected


def test_both_ends_of_a_range_must_hold() -> None:
    assert passes({"date": {"gte": "2020", "lt": "2022"}}, {"date": "2021-05"})
    assert not passes({"date": {"gte": "2020", "lt": "2022"}}, {"date": "2022-05"})


def test_every_field_must_hold() -> None:
    assert not passes({"a": 1, "b": 2}, {"a": 1, "b": 3})


@pytest.mark.parametrize("metadata", [{}, {"date": None}, {"date": []}])
def test_a_document_without_the_field_is_out(metadata: dict[str, Any]) -> None:
    assert not passes({"date": {"lt": "2021"}}, metadata)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"before": "2021"}, 'unknown operator "before". Known operators: lt, lte, gt, gte'),
        ({}, "is empty"),
        ({"lt": "soon"}, "must be a number or a date"),
        ({"lt": "2021-13"}, "must be a number or a date"),
        ({"lt": float("nan")}, "must be a number or a date"),
        ({"lt": True}, "must be a number or a date"),
        (None, "must be a text, a number"),
        ([], "empty list"),
        ([{"lt": 1}], "must be a text, a number"),
    ],
)
def test_a_filter_that_cannot_be_understood_is_a_sentence(wanted: Any, sentence: str) -> None:
    with pytest.raises(FilterError, match='The filter on "date"') as caught:
        compile_filters({"date": wanted})
    assert sentence in str(caught.value)
