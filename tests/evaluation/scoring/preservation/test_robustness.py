"""Inputs of absurd size or shape: an answer, never an error and never a certain loss."""

import pytest

from contracts.checking import faults_of_constraint
from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation.finding import READ_AT_MOST, READ_IN_ALL
from tests.evaluation.scoring.preservation.judging import Asked, time

DATED = Asked("Ferries sold in 2017?", "time", time("on", "2017", "2017"), "in 2017")


@pytest.mark.parametrize("query", ["9" * 5000, "٣" * 5000, "fiscal " + "1" * 5000])
def test_a_numeral_of_thousands_of_digits_is_judged(query: str) -> None:
    assert DATED.label(query) in ("unsure", "dropped")


@pytest.mark.parametrize(
    "value", ["9" * 5000, 10**5000, "2" * 5000 + "-01"], ids=["digits", "integer", "month"]
)
def test_a_filter_value_of_thousands_of_digits_is_judged(value: object) -> None:
    assert DATED.label("ferries", filters={"year": value}) in ("unsure", "dropped")


@pytest.mark.parametrize("words", ["early ", "end of the ", "fiscal q1 ", "1987-", "not but "])
def test_words_repeated_without_end_are_judged(words: str) -> None:
    assert DATED.label(words * 3000) in ("unsure", "dropped", "altered")


def test_what_a_text_beyond_the_limit_may_say_is_not_dropped() -> None:
    judged = DATED.judge("ferries " * (READ_AT_MOST // 8) + "sold in 2017")
    assert judged.judgement == "unsure"
    assert str(READ_AT_MOST) in judged.why


def test_what_lies_beyond_the_limit_of_all_queries_is_not_dropped() -> None:
    long = "ferries " * (READ_AT_MOST // 8)
    judged = DATED.judge(*[long] * (READ_IN_ALL // len(long)), "sold in 2017")
    assert judged.judgement == "unsure"
    assert str(READ_IN_ALL) in judged.why


def test_a_status_said_thousands_of_times_is_still_compared_with_its_rivals() -> None:
    asked = Asked("Approved plans?", "status", {"value": "approved", "rivals": ["not approved"]})
    assert asked.label("not approved " * 1500) == "altered"
    assert asked.label("approved " * 2000) == "stated"


def test_a_long_filter_value_forbids_dropped_too() -> None:
    assert DATED.label("ferries", filters={"note": "sold " * READ_AT_MOST}) == "unsure"


def test_a_text_of_just_the_limit_is_read_whole() -> None:
    assert DATED.label("ferries " * (READ_AT_MOST // 8)) == "dropped"


@pytest.mark.parametrize("admissible", ["draft", (3,), ("",), (" ",), None, [["draft"]]])
def test_admissible_forms_that_are_no_texts_are_a_fault(admissible: object) -> None:
    value = {"value": "draft", "rivals": []}
    constraint = ConstraintTerms("c1", "status", "minor", value, None, admissible)  # type: ignore[arg-type]
    assert any("admissible must be" in one for one in faults_of_constraint(constraint, ["draft"]))


def test_admissible_forms_that_are_texts_are_no_fault() -> None:
    constraint = ConstraintTerms(
        "c1", "status", "minor", {"value": "draft", "rivals": []}, None, ("in draft",)
    )
    assert faults_of_constraint(constraint, ["draft"]) == []


def test_glued_signs_and_letters_are_judged() -> None:
    asked = Asked(
        "Who runs Velden Trust?",
        "referent",
        {"name": "Velden Trust", "aliases": [], "from_turn": None},
        "Velden Trust",
    )
    assert asked.label("dams m3tide log") in ("unsure", "dropped")
