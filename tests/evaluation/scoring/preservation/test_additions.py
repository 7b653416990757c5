"""Which times of a rewrite are new, and which only set the request's own bound in other words."""

import pytest

from tests.evaluation.scoring.preservation.judging import Asked, time

MAY = Asked("Ferry delays in May 2022?", "time", time("on", "2022-05", "2022-05"), "in May 2022")
YEAR = Asked("Ferry delays in 2017?", "time", time("on", "2017", "2017"), "in 2017")
BEFORE = Asked(
    "Ferries sold before 1 April 2016?",
    "time",
    time("before", end="2016-04-01"),
    "before 1 April 2016",
)
SINCE = Asked("Ferries sold since 2013?", "time", time("since", "2013"), "since 2013")


@pytest.mark.parametrize(
    ("asked", "filters"),
    [
        (MAY, {"date": {"gte": "2022-05-01", "lt": "2022-06-01"}}),
        (MAY, {"date": {"gt": "2022-04-30", "lt": "2022-06-01"}}),
        (YEAR, {"year": {"gte": 2017, "lt": 2018}}),
        (BEFORE, {"sold_date": {"lte": "2016-03-31"}}),
        (SINCE, {"year": {"gt": 2012}}),
    ],
)
def test_an_exclusive_bound_on_the_next_day_is_filtered_and_adds_nothing(
    asked: Asked, filters: dict
) -> None:
    judged = asked.judge_all("ferries", filters=filters)
    assert (judged.judgements[0].judgement, judged.added) == ("filtered", ())


@pytest.mark.parametrize(
    ("asked", "query"),
    [(BEFORE, "ferries sold no later than 31 March 2016"), (SINCE, "ferries sold after 2012")],
)
def test_the_same_bound_in_other_words_is_stated_and_adds_nothing(asked: Asked, query: str) -> None:
    judged = asked.judge_all(query)
    assert (judged.judgements[0].judgement, judged.added) == ("stated", ())


def test_a_bound_that_takes_nothing_away_is_no_addition() -> None:
    assert MAY.judge_all("ferry delays in May 2022", filters={"date": {"lt": "2024"}}).added == ()


def test_a_second_bound_that_narrows_is_an_addition() -> None:
    judged = SINCE.judge_all("ferries sold after 2012 and before 2019")
    assert [item.quote for item in judged.added] == ["before 2019"]
