from typing import Any

import pytest

from tests.contracts.twins.asking import changes, flips, value_of


def over_nine(aggregation: str) -> dict[str, Any]:
    return {"operator": ">", "value": 9, "unit": "GWh", "aggregation": aggregation}


FLIPPED = [
    ("When did [the annual saving pass 9 GWh]?", "annual", "cumulative saving", "cumulative"),
    ("When did [the Cumulative saving pass 9 GWh]?", "cumulative", "Annual saving", "annual"),
    ("Is [an annual saving of 9 GWh] met?", "annual", "a cumulative saving", "cumulative"),
    ("Who uses [more than 9 GWh a year]?", "annual", "9 GWh a month", "monthly"),
    ("Who uses [more than 9 GWh per year]?", "annual", "9 GWh in total", "total"),
    ("Is [the average load 9 GWh]?", "average", "total load", "total"),
    ("Is [the average load 9 GWh]?", "average", "median load", "median"),
    ("Is it [9 GWh per household]?", "per_unit", "9 GWh for all households together", "total"),
    ("Is it [9 GWh for all sites together]?", "total", "9 GWh per site", "per_unit"),
    ("Sind es [jährlich 9 GWh]?", "annual", "kumuliert 9 GWh", "cumulative"),
]


@pytest.mark.parametrize(("text", "said", "words", "told"), FLIPPED)
def test_an_aggregation_is_flipped_in_words_and_value(
    text: str, said: str, words: str, told: str
) -> None:
    found = [one for one in flips("quantity", over_nine(said), text) if words in one.texts[0]]
    assert [value_of(one)["aggregation"] for one in found] == [told]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Does [the annual report give 9 GWh]?", "annual"),
        ("When did [the saving pass 9 GWh]?", "annual"),
        ("When did [the annual saving pass 9 GWh]?", "monthly"),
        ("Is [the annual of all annual savings 9 GWh]?", "annual"),
        ("Is it [9 GWh per capita]?", "per_unit"),
        ("Is it [9 GWh per gas-station]?", "per_unit"),
    ],
)
def test_words_that_do_not_show_the_aggregation_are_left(text: str, said: str) -> None:
    assert changes(flips("quantity", over_nine(said), text), "aggregation") == {}


def test_a_word_inside_a_longer_one_is_not_turned_by_itself() -> None:
    found = changes(flips("quantity", over_nine("total"), "Is it [9 GWh in total]?"), "aggregation")
    assert "9 GWh on average" in found
    assert not {"9 GWh in annual", "9 GWh in average"} & set(found)
