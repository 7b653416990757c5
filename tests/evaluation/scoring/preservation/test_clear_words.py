"""Sources and denials in words that leave little doubt, in invented requests.

`labels` are those that the definitions of the labels allow; "unsure" is never wrong, but the
numbers below are what the judge decides, and it must not fall below them.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.scoring.preservation.judging import Asked, time

FOLDER = Path(__file__).with_name("clear_words")
Row = dict[str, Any]


def rows(kind: str) -> list[Row]:
    lines = (FOLDER / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return [{"kind": kind, **json.loads(line)} for line in lines]


def label(row: Row) -> str:
    admissible = tuple(row.get("admissible", ()))
    asked = Asked(row["request"], row["kind"], row["value"], row["words"], admissible=admissible)
    return asked.label(row["query"])


@pytest.mark.parametrize(
    "row", [*rows("evidence"), *rows("polarity")], ids=lambda row: str(row["query"])
)
def test_what_is_decided_is_what_the_definitions_say(row: Row) -> None:
    assert label(row) in (*row["labels"], "unsure")


@pytest.mark.parametrize(("kind", "decided"), [("evidence", 151), ("polarity", 299)])
def test_so_many_are_decided(kind: str, decided: int) -> None:
    assert sum(label(row) != "unsure" for row in rows(kind)) >= decided


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("ferries 28 May to 3 June 2019", "stated"),
        ("ferries from May 28th to June 3rd, 2019", "stated"),
        ("ferries May 28 - June 3, 2019", "stated"),
        ("ferries between 28 May and 3 June 2019", "stated"),
        ("ferries from the 28th of May to the 3rd of June 2019", "stated"),
        ("ferries 28 May to 3 July 2019", "altered"),
        ("ferries 28 May to 3 June 2018", "altered"),
        ("ferries 28 June to 3 June 2019", "unsure"),
        ("ferries twenty-eighth of May to 3 June 2019", "unsure"),
    ],
)
def test_the_start_of_a_range_takes_the_year_of_its_end(query: str, said: str) -> None:
    value = time("between", "2019-05-28", "2019-06-03")
    words = "from 28 May to 3 June 2019"
    assert Asked(f"Ferries {words}?", "time", value, words).label(query) == said


@pytest.mark.parametrize("query", ["tolls 3 June to 9 June 2019", "tolls June 3 to June 9, 2019"])
def test_two_days_of_one_month_may_both_name_it(query: str) -> None:
    value = time("between", "2019-06-03", "2019-06-09")
    words = "from 3 to 9 June 2019"
    assert Asked(f"Tolls {words}?", "time", value, words).label(query) == "stated"


def test_a_range_over_the_turn_of_the_year_begins_in_the_year_before() -> None:
    value = time("between", "2018-12-20", "2019-01-03")
    words = "from 20 December 2018 to 3 January 2019"
    asked = Asked(f"Ferries {words}?", "time", value, words)
    assert asked.label("ferries 20 December to 3 January 2019") == "stated"


@pytest.mark.parametrize(
    ("query", "said"), [("1Q98", "stated"), ("1Q'98", "stated"), ("1Q99", "altered")]
)
def test_two_digits_after_a_quarter_are_a_year_from_1970_to_2069(query: str, said: str) -> None:
    value = time("on", "1998-01-01", "1998-03-31")
    asked = Asked("Earnings of Orla in Q1 1998?", "time", value, "in Q1 1998")
    assert asked.label(f"Orla earnings {query}") == said
    assert asked.label("Orla earnings 1Q08") == "altered"
