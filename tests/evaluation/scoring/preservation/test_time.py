import pytest

from evaluation.scoring.preservation.finding import VERSION
from tests.evaluation.scoring.preservation.judging import Asked, time

BEFORE = Asked(
    "Which weirs were rebuilt before 2014?", "time", time("before", end="2014"), "before 2014"
)
QUARTER = Asked("Quarry sales in Q1 2023?", "time", time("on", "2023-Q1", "2023-Q1"), "in Q1 2023")
FISCAL = Asked(
    "Quarry sales in fiscal 2023?",
    "time",
    time("on", "2023", "2023", calendar="fiscal"),
    "in fiscal 2023",
)
DAY = Asked(
    "The vote of 31 March 2022?", "time", time("on", "2022-03-31", "2022-03-31"), "31 March 2022"
)
LAST_YEAR = Asked(
    "Weirs rebuilt last year?",
    "time",
    time("on", "2023", "2023", reference_date="2024-06-30"),
    "last year",
    reference_date="2024-06-30",
)


@pytest.mark.parametrize(
    "query",
    [
        "weirs rebuilt prior to 2014",
        "weirs rebuilt in 2013 or earlier",
        "pre-2014 weirs",
        "weirs rebuilt until the end of 2013",
    ],
)
def test_another_wording_of_the_same_days_is_stated(query: str) -> None:
    assert BEFORE.label(query) == "stated"


@pytest.mark.parametrize(
    "query", ["weirs rebuilt after 2014", "weirs rebuilt in 2014", "weirs in 2019", "weirs 2014"]
)
def test_another_relation_or_year_is_altered(query: str) -> None:
    assert BEFORE.label(query) == "altered"


@pytest.mark.parametrize(
    "query",
    [
        "weirs 2014, earlier ones",
        "weirs rebuilt until 2014",
        "weirs rebuilt early 2014",
        "weirs of 2012, 2013",
    ],
)
def test_a_wording_with_two_readings_is_unsure(query: str) -> None:
    assert BEFORE.label(query) == "unsure"


@pytest.mark.parametrize(
    "query",
    [
        "quarry sales January to March 2023",
        "quarry sales first quarter of 2023",
        "2023-Q1 sales",
        "sales 1Q23",
        "sales 2023, first quarter",
    ],
)
def test_a_quarter_is_the_same_in_every_notation(query: str) -> None:
    assert QUARTER.label(query) == "stated"


@pytest.mark.parametrize("query", ["sales 2023", "sales March 2023"])
def test_a_coarser_or_finer_time_alone_is_altered(query: str) -> None:
    assert QUARTER.label(query) == "altered"


@pytest.mark.parametrize("query", ["sales 2023, months 1 to 3", "opening 2023 sales"])
def test_a_coarser_time_beside_what_may_complete_it_is_unsure(query: str) -> None:
    assert QUARTER.label(query) == "unsure"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("weirs from 2014", "altered"),
        ("weirs rebuilt in the 19th century", "altered"),
        ("weirs rebuilt from 2014 to date", "altered"),
        ("latest weirs rebuilt", "dropped"),
        ("weirs rebuilt per year", "dropped"),
    ],
)
def test_wording_that_cannot_mean_the_asked_time_loses_it(query: str, label: str) -> None:
    assert BEFORE.label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("sales FY23", "stated"),
        ("sales financial year 2022/23", "stated"),
        ("sales in 2023", "unsure"),
        ("sales in calendar year 2023", "altered"),
        ("sales FY24", "altered"),
    ],
)
def test_a_fiscal_year_is_no_calendar_year(query: str, label: str) -> None:
    assert FISCAL.label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("vote on 2022-03-31", "stated"),
        ("vote of March 31, 2022", "stated"),
        ("vote 31/03/2022", "stated"),
        ("vote 31.03.2022", "stated"),
        ("vote 30 March 2022", "altered"),
    ],
)
def test_a_day_is_the_same_in_every_notation(query: str, label: str) -> None:
    assert DAY.label(query) == label


def test_a_numeric_date_that_may_be_day_or_month_first_is_unsure() -> None:
    asked = Asked(
        "The vote of 5 June 2017?", "time", time("on", "2017-06-05", "2017-06-05"), "5 June 2017"
    )
    assert asked.label("admission vote 05/06/2017") == "unsure"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("weirs rebuilt in 2023", "stated"),
        ("weirs rebuilt last year", "stated"),
        ("weirs in 2024", "altered"),
    ],
)
def test_relative_wording_is_settled_by_the_reference_date(query: str, label: str) -> None:
    assert LAST_YEAR.label(query) == label


def test_a_rewrite_without_any_time_drops_it() -> None:
    assert BEFORE.judge("rebuilt weirs").to_json() == {
        "constraint": "c1",
        "judgement": "dropped",
        "by": f"matcher:time/{VERSION}",
        "quote": "",
        "why": "No query and no filter names a time.",
    }


@pytest.mark.parametrize(
    ("filters", "label"),
    [
        ({"date": {"lt": "2014"}}, "filtered"),
        ({"date": {"lte": "2013-12-31"}}, "filtered"),
        ({"must_not": {"year": {"gte": 2014}}}, "filtered"),
        ({"date": {"gte": "2014"}}, "altered"),
        ({"year": 2013}, "unsure"),
        ({"or": [{"year": 2012}, {"year": 2013}]}, "unsure"),
    ],
)
def test_a_filter_counts_by_the_days_that_it_admits(filters: dict, label: str) -> None:
    assert BEFORE.label("rebuilt weirs", filters=filters) == label


def test_a_filter_that_contradicts_the_query_is_unsure() -> None:
    assert BEFORE.label("weirs before 2014", filters={"date": {"gte": "2014"}}) == "unsure"


def test_another_year_of_the_request_is_not_taken_for_this_one() -> None:
    asked = Asked(
        "Who of the 1990 crew left after 2001?", "time", time("after", start="2001"), "after 2001"
    )
    assert asked.label("departures of the 1990 crew") == "dropped"


YEAR = Asked("Ferries sold in 2017?", "time", time("on", "2017", "2017"), "in 2017")


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("quarry sales fiscal Q1 2023", "altered"),
        ("quarry sales Q1 of fiscal 2023", "altered"),
        ("quarry sales second fiscal quarter, Q1 2023", "unsure"),
        ("quarry sales Q1 2023 (fiscal)", "unsure"),
    ],
)
def test_a_quarter_of_another_calendar_is_never_stated(query: str, label: str) -> None:
    assert QUARTER.label(query) == label


@pytest.mark.parametrize(
    "query",
    ["ferries 2017 and 2018", "ferries sold in 2017, 2018", "ferries 2018 or 2017", "2016 to 2017"],
)
def test_a_second_year_beside_the_right_one_is_unsure(query: str) -> None:
    assert YEAR.label(query) == "unsure"


def test_the_right_year_in_another_query_counts() -> None:
    assert YEAR.label("ferries 2017", "ferries 2018") == "stated"


@pytest.mark.parametrize(
    "query",
    [
        "ferries, cabin 2017",
        "berth 2017 ferries",
        "dock 2016 ferries",
        "form #2017 ferry",
        "B2017 ferry",
    ],
)
def test_a_year_that_numbers_a_thing_is_unsure(query: str) -> None:
    assert YEAR.label(query) == "unsure"


@pytest.mark.parametrize(
    "query", ["ferries twenty seventeen", "ferries two thousand seventeen", "MMXVII ferries"]
)
def test_a_year_in_words_is_unsure(query: str) -> None:
    assert YEAR.label(query) == "unsure"


@pytest.mark.parametrize(
    "filters",
    [
        {"date": "2017-01-01..2017-12-31"},
        {"sold": "twenty seventeen", "year": "twenty seventeen"},
        {"vintage": 2017},
        {"edition": "spring 2017"},
    ],
)
def test_a_filter_that_may_carry_the_time_is_unsure(filters: dict) -> None:
    assert YEAR.label("ferries", filters=filters) == "unsure"


def test_an_unknown_field_with_the_time_forbids_altered() -> None:
    assert YEAR.label("ferries of 2015", filters={"vintage": 2017}) == "unsure"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("strikes 3-9 June 2019", "stated"),
        ("strikes from the 3rd to the 9th of June 2019", "stated"),
        ("strikes between 3 and 9 June 2019", "stated"),
        ("strikes June 3-9, 2019", "stated"),
        ("strikes 3-9 July 2019", "altered"),
    ],
)
def test_two_days_of_one_month_are_a_span(query: str, label: str) -> None:
    value = time("during", "2019-06-03", "2019-06-09")
    asked = Asked("Strikes from 3 to 9 June 2019?", "time", value, "from 3 to 9 June 2019")
    assert asked.label(query) == label


@pytest.mark.parametrize("years", [("1801", "1900"), ("1800", "1899")])
@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("accidents of the nineteenth century", "stated"),
        ("accidents in the 19th century", "stated"),
        ("accidents in the 20th century", "altered"),
        ("accidents of the twentieth century", "altered"),
    ],
)
def test_a_century_is_the_same_however_its_years_are_counted(
    years: tuple[str, str], query: str, label: str
) -> None:
    value = time("during", *years)
    asked = Asked("Accidents in the 1800s?", "time", value, "in the 1800s")
    assert asked.label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [("marriages in 1899", "altered"), ("marriages by year", "dropped")],
)
def test_a_span_of_two_given_ends_is_lost_with_one_of_them(query: str, label: str) -> None:
    words = "from 1 April 1899 to 31 March 1900"
    value = time("during", "1899-04-01", "1900-03-31")
    assert Asked(f"Marriages {words}?", "time", value, words).label(query) == label
