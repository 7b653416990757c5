"""Dates, spans and the words around them."""

from datetime import date

from evaluation.scoring.preservation.text import read_text
from evaluation.scoring.preservation.times.dates import month, year
from evaluation.scoring.preservation.times.time_mentions import find_times
from tests.evaluation.scoring.preservation.judging import Asked, time
from tests.evaluation.scoring.preservation.roles.registry import IN_2016, added, role

TODAY = date(2023, 4, 18)


@role("months")
def a_month_is_that_month(phrase: str, meaning: str) -> None:
    (found,) = find_times(read_text(f"in {phrase} 2019"))
    assert found.period == month(int(meaning), 2019)


@role("decades")
def a_decade_has_ten_years(phrase: str, meaning: str) -> None:
    (found,) = find_times(read_text(f"during the {phrase}"))
    assert found.period is not None
    first, last = year(int(meaning)).first, year(int(meaning) + 9).last
    assert (found.period.first, found.period.last) == (first, last)


@role("time_before")
def a_relation_before_a_date(phrase: str, meaning: str) -> None:
    until = " and 2018" if meaning == "between" else ""
    (found,) = find_times(read_text(f"dams {phrase} 2016{until}"))
    assert found.relation == meaning


@role("time_after")
def a_relation_after_a_date(phrase: str, meaning: str) -> None:
    (found,) = find_times(read_text(f"dams 2016 {phrase}"))
    assert found.relation == meaning


@role("relative_time")
def a_relative_time_is_counted_from_the_reference_date(phrase: str, meaning: str) -> None:
    days = {
        "year -1": (date(2022, 1, 1), date(2022, 12, 31)),
        "year 0": (date(2023, 1, 1), date(2023, 12, 31)),
        "year 1": (date(2024, 1, 1), date(2024, 12, 31)),
        "quarter -1": (date(2023, 1, 1), date(2023, 3, 31)),
        "quarter 0": (date(2023, 4, 1), date(2023, 6, 30)),
        "quarter 1": (date(2023, 7, 1), date(2023, 9, 30)),
        "month -1": (date(2023, 3, 1), date(2023, 3, 31)),
        "month 0": (date(2023, 4, 1), date(2023, 4, 30)),
        "month 1": (date(2023, 5, 1), date(2023, 5, 31)),
        "day -1": (date(2023, 4, 17), date(2023, 4, 17)),
        "day 0": (TODAY, TODAY),
        "day 1": (date(2023, 4, 19), date(2023, 4, 19)),
        "now": (TODAY, TODAY),
    }
    (found,) = find_times(read_text(f"tides {phrase}"), TODAY)
    period = found.period and (found.period.first, found.period.last)
    assert period == days.get(meaning)
    assert (meaning in days) != (meaning == "vague")


@role("calendars")
def another_calendar_is_no_calendar_year(phrase: str, _: str) -> None:
    assert IN_2016.label("prices in year 2016") == "stated"
    assert IN_2016.label(f"prices in {phrase} year 2016") != "stated"


@role("numbered_things")
def a_numbered_thing_bears_no_year(phrase: str, _: str) -> None:
    assert IN_2016.label(f"prices {phrase} 2016") != "stated"


@role("street_words")
def the_number_of_a_house_is_no_year(phrase: str, _: str) -> None:
    assert IN_2016.label(f"prices 2016 Elm {phrase.capitalize()}") != "stated"


@role("relative_steps")
def a_date_may_be_what_a_step_comes_to(phrase: str, _: str) -> None:
    sealed = {"value": "sealed", "rivals": []}
    for asked, found in (("sealed leases", ["time"]), (f"sealed leases, {phrase}", [])):
        assert added(Asked(asked, "status", sealed), "sealed leases in 1994") == found


@role("periods")
def the_latest_period_may_be_the_one_that_was_asked_for(phrase: str, _: str) -> None:
    assert IN_2016.label("latest prices") == "dropped"
    assert IN_2016.label(f"prices of the latest {phrase}") == "unsure"


@role("seasons")
def a_season_of_the_year_is_that_season(phrase: str, meaning: str) -> None:
    value = time("during", "1899-03", "1899-05")
    asked = Asked(f"ships in {meaning} 1899", "time", value, f"in {meaning} 1899")
    assert asked.label(f"ships in the {phrase} of 1899") == "stated"
    other = "winter" if meaning != "winter" else "summer"
    assert asked.label(f"ships in {other} 1899") == "altered"
