from typing import Any

import pytest

from contracts.twins import propose
from tests.contracts.twins.asking import asked, changes, flips, value_of

BEFORE = {"relation": "before", "end": "2021"}
IN_2022 = {"relation": "on", "start": "2022"}

FLIPPED: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("Who ran it [before 2021]?", BEFORE, "after 2021", {"relation": "after", "start": "2021"}),
    ("Who ran it [before 2021]?", BEFORE, "since 2021", {"relation": "since", "end": None}),
    ("Who ran it [before 2021]?", BEFORE, "before 2022", {"relation": "before", "end": "2022"}),
    ("[Since 2019], who?", {"relation": "since", "start": "2019"}, "Until 2019", {"end": "2019"}),
    (
        "Filed [no later than 30 June 2022]?",
        {"relation": "by", "end": "2022-06-30"},
        "no earlier than 30 June 2022",
        {"relation": "since", "start": "2022-06-30", "end": None},
    ),
    ("Profit [in 2022]?", IN_2022, "in fiscal year 2022", {"calendar": "fiscal"}),
    ("Profit [in 2022]?", IN_2022, "in 2021", {"start": "2021", "end": "2021"}),
    ("Profit in [FY22]?", IN_2022 | {"calendar": "fiscal"}, "FY23", {"start": "2023"}),
    (
        "Profit for [Fiscal Year 2022]?",
        IN_2022 | {"calendar": "fiscal"},
        "Calendar Year 2022",
        {"calendar": "calendar"},
    ),
    (
        "Profit [between 2019 and 2021]?",
        {"relation": "between", "start": "2019", "end": "2021"},
        "between 2020 and 2022",
        {"start": "2020", "end": "2022"},
    ),
    ("Sales in [Q2 2022]?", {"relation": "on", "start": "2022-Q2"}, "Q3 2022", {"end": "2022-Q3"}),
    (
        "Staff [as of June 2023]?",
        {"relation": "as_of", "start": "2023-06"},
        "as of May 2023",
        {"start": "2023-05"},
    ),
    (
        "Cost [last year]?",
        {"relation": "on", "start": "2022", "reference_date": "2023-04-15"},
        "this year",
        {"start": "2023", "reference_date": "2023-04-15"},
    ),
    ("Umsatz [vor 2021]?", BEFORE, "nach 2021", {"relation": "after"}),
    ("ما الأرباح [2022]؟", IN_2022, "2023", {"start": "2023"}),
]


@pytest.mark.parametrize(("text", "value", "now", "said"), FLIPPED)
def test_a_time_is_flipped_in_words_and_value(
    text: str, value: dict[str, Any], now: str, said: dict[str, Any]
) -> None:
    found = {one.now: one for one in flips("time", value, text)}
    assert now in found
    assert value_of(found[now]).items() >= said.items()


NOT_FLIPPED: list[tuple[str, dict[str, Any]]] = [
    ("Who runs it [now]?", {"relation": "as_of", "start": "2024-03-31"}),
    ("Films of [the 2020s]?", {"relation": "on", "start": "2020", "end": "2029"}),
    ("Goals in [2021/22]?", {"relation": "on", "start": "2021", "end": "2022"}),
    ("Open on [Monday 3 April 2023]?", {"relation": "on", "start": "2023-04-03"}),
    ("Paid [the year before]?", {"relation": "on", "start": "2021"}),
    ("Sold 2,022 in [2,022 days]?", IN_2022),
    ("Cost [last year]?", {"relation": "on", "start": "2020", "reference_date": "2023-04-15"}),
    ("売上は[2022年度上半期]?", {"relation": "on", "start": "2021"}),
]


@pytest.mark.parametrize(("text", "value"), NOT_FLIPPED)
def test_words_that_do_not_show_the_time_are_left(text: str, value: dict[str, Any]) -> None:
    assert flips("time", value, text) == ()


def test_a_leap_day_has_no_twin_in_another_year() -> None:
    found = flips("time", {"relation": "on", "start": "2020-02-29"}, "Born [29 February 2020]?")
    assert "29 February 2021" not in changes(found, "date")


def test_other_wordings_move_with_the_year() -> None:
    wordings = ("prior to 2021", "up to the end of 2020", "before the merger")
    texts, terms = asked("time", BEFORE, "Who ran it [before 2021]?", admissible=wordings)
    found = {one.now: one for one in propose(texts, terms, "c1")}
    moved = found["before 2022"].terms.constraints[0].admissible
    assert moved == ("prior to 2022", "up to the end of 2021")
    assert found["after 2021"].terms.constraints[0].admissible == ()
