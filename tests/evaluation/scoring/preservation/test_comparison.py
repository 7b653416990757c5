import pytest

from tests.evaluation.scoring.preservation.judging import Asked

COST = Asked(
    "Do trams cost less than buses?",
    "comparison",
    {"sets": ["trams", "buses"], "direction": "lower", "measure": "cost"},
)
OLDER = Asked(
    "Which is older, Orla Bridge or Brill Bridge?",
    "comparison",
    {"sets": ["Orla Bridge", "Brill Bridge"], "direction": "earlier", "measure": "opening"},
)
DIFFERENCE = Asked(
    "How do trams and buses differ?",
    "comparison",
    {"sets": ["trams", "buses"], "direction": "difference", "measure": None},
)
RISE = Asked(
    "Did rents in Brill rise?",
    "comparison",
    {"sets": ["rents"], "direction": "increase", "measure": None},
)


@pytest.mark.parametrize(
    "queries", [["tram cost less than bus cost"], ["buses cost more than trams"]]
)
def test_sets_may_swap_when_the_direction_swaps(queries: list[str]) -> None:
    assert COST.label(*queries) == "stated"


@pytest.mark.parametrize(
    "query", ["do buses cost less than trams", "do trams cost more than buses"]
)
def test_the_opposite_direction_is_altered(query: str) -> None:
    assert COST.label(query) == "altered"


def test_the_sets_may_be_named_in_different_queries() -> None:
    queries = ["trams", "buses", "difference between trams and buses"]
    assert DIFFERENCE.label(*queries) == "stated"


def test_a_missing_set_drops_the_comparison() -> None:
    assert DIFFERENCE.label("trams") == "dropped"


def test_a_missing_set_in_a_query_that_still_compares_is_unsure() -> None:
    assert DIFFERENCE.label("how do trams and ferries differ") == "unsure"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("older bridge: Brill Bridge or Orla Bridge", "stated"),
        ("younger: Orla Bridge or Brill Bridge", "altered"),
        ("Orla Bridge, Brill Bridge", "unsure"),
    ],
)
def test_which_of_two_has_a_direction(query: str, label: str) -> None:
    assert OLDER.label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("growth of rents in Brill", "stated"),
        ("falling rents in Brill", "altered"),
        ("rents in Brill", "unsure"),
        ("rents in Brill did not rise", "unsure"),
    ],
)
def test_a_change_has_a_direction(query: str, label: str) -> None:
    assert RISE.label(query) == label


FALL = Asked(
    "Did tolls in Brill fall?",
    "comparison",
    {"sets": ["tolls"], "direction": "decrease", "measure": None},
)


@pytest.mark.parametrize(
    "query",
    [
        "tolls in Brill stopped falling",
        "tolls have ceased to drop",
        "tolls in Brill in fall 2021",
        "tolls last fall",
        "fall of imports from Lund, tolls",
        "cut trees and tolls",
        "tolls and falling wages",
    ],
)
def test_a_change_of_something_else_or_an_ended_one_is_unsure(query: str) -> None:
    assert FALL.label(query) == "unsure"


@pytest.mark.parametrize(
    "query", ["tolls in Brill fell", "fall in tolls", "drop of the Brill tolls", "falling tolls"]
)
def test_a_change_of_the_topic_is_stated(query: str) -> None:
    assert FALL.label(query) == "stated"
