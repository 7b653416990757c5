"""Shares in words, ages without their unit, whose word is asked for, and the first of a series.

The labels follow from the definitions: another bound or number is altered, another of the
conversation's things is altered, and what the request lacks is added.
"""

import pytest

from evaluation.scoring.preservation.quantities.numbers import find_quantities
from evaluation.scoring.preservation.quantities.units import measure
from evaluation.scoring.preservation.text import read_text
from tests.evaluation.scoring.preservation.judging import Asked, amount


@pytest.mark.parametrize(
    ("text", "operator", "percent"),
    [
        ("at least two thirds of voters", ">=", 200 / 3),
        ("a two-thirds majority", "", 200 / 3),
        ("more than half the seats", ">", 50),
        ("fewer than half of the seats", "<", 50),
        ("under a third of cases", "<", 100 / 3),
        ("a quarter of farms", "", 25),
        ("three quarters of all farms", "", 75),
        ("at most four fifths", "<=", 80),
        ("over two fifths in May", ">", 40),
    ],
)
def test_a_share_in_words_is_a_percentage(text: str, operator: str, percent: float) -> None:
    (found,) = find_quantities(read_text(text))
    assert (found.operator, found.unit, found.share) == (operator, measure("%"), True)
    assert found.value == pytest.approx(percent)


@pytest.mark.parametrize(
    "text",
    ["half an hour", "a quarter of an hour", "the third quarter of 2019", "a third time",
     "one third party", "half of 2014",
     "over half a million", "first half of May", "three quarters of 2019", "one half"],
)  # fmt: skip
def test_spans_ordinals_and_other_numbers_are_no_shares(text: str) -> None:
    assert not any(found.share for found in find_quantities(read_text(text)))


SEATS = Asked("Parishes where fewer than half the seats are contested", "quantity",
              amount("<", 50, unit="%"), "fewer than half the seats")  # fmt: skip
VOTES = Asked("Charters passed by at least two thirds of votes", "quantity",
              amount(">=", 66.7, unit="%"), "at least two thirds of votes")  # fmt: skip
AGE = Asked("rowers younger than 18 years", "quantity", amount("<", 18, unit="years"),
            "younger than 18 years")  # fmt: skip
FEE = Asked("Vans that cost under 3 euros per kilometre", "quantity",
            amount("<", 3, currency="EUR", unit="kilometre", aggregation="per_unit"),
            "under 3 euros per kilometre")  # fmt: skip
NURSES = Asked("What do nurses say about night shifts?", "evidence", {"source": "nurses"},
               "nurses")  # fmt: skip
SEQUEL = Asked(
    "Who scored the sequel?", "referent",
    {"name": "Salt Harbour II", "aliases": [], "from_turn": 0, "unresolved": False}, "the sequel",
    turns=("Salt Harbour and its sequel Salt Harbour II",),
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "query", "label"),
    [
        (SEATS, "parishes with less than half of seats contested", "stated"),
        (SEATS, "parishes with under 50 % of seats contested", "stated"),
        (SEATS, "parishes where more than half the seats are contested", "altered"),
        (SEATS, "parishes where under a third of the seats are contested", "altered"),
        (SEATS, "contested seats, half", "unsure"),
        (SEATS, "parishes with contested seats", "dropped"),
        (VOTES, "charters passed with two thirds of votes or more", "stated"),
        (VOTES, "charters passed with at least 66.7 percent of votes", "stated"),
        (VOTES, "charters passed by at least one third of votes", "altered"),
        (AGE, "rowers younger than 18 without a coach", "stated"),
        (AGE, "rowers older than 18", "altered"),
        (AGE, "rowers younger than 18 boats", "unsure"),
        (FEE, "vans under 3 euros per hour", "altered"),
        (FEE, "vans under €3/km", "stated"),
        (NURSES, "what do porters say about night shifts", "altered"),
        (NURSES, "what do ward nurses say about night shifts", "stated"),
        (NURSES, "night shifts", "dropped"),
        (SEQUEL, "who scored Salt Harbour", "altered"),
        (SEQUEL, "who scored Salt Harbour II", "stated"),
        (SEQUEL, "who scored Salt Harbour 2", "unsure"),
    ],
)
def test_the_definitions_decide(asked: Asked, query: str, label: str) -> None:
    assert asked.label(query) == label


def test_a_longer_name_alone_makes_no_series() -> None:
    other = Asked("Who scored it?", "referent",
                  {"name": "Salt Harbour II", "aliases": [], "from_turn": 0, "unresolved": False},
                  "it", turns=("When was Salt Harbour II shown?",))  # fmt: skip
    assert other.label("who scored Salt Harbour") == "unsure"


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("what do travel guides say about inns on Lake Morn", ["evidence"]),
        ("what farmers say about inns on Lake Morn", ["evidence"]),
        ("what do inns on Lake Morn say about noise", []),
        ("inns on Lake Morn that are not heated", ["polarity"]),
        ("inns on Lake Morn that do not close", ["polarity"]),
        ("lakeside inns that are not on Lake Morn", []),
    ],
)
def test_sayings_and_denials_that_the_request_lacks(query: str, kinds: list[str]) -> None:
    asked = Asked("Inns on Lake Morn", "referent", {"name": "Lake Morn", "aliases": []},
                  "Lake Morn")  # fmt: skip
    assert [one.kind for one in asked.judge_all(query).added] == kinds
