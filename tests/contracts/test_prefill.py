"""What the words of a mark say plainly, and what they leave open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.prefill import first_value

PLAIN = [
    ("at least 5 %", {"operator": ">=", "value": 5.0, "unit": "%"}),
    ("more than 12 metres", {"operator": ">", "value": 12.0, "unit": "metres"}),
    ("less than 4.1 percent", {"operator": "<", "value": 4.1, "unit": "%"}),
    ("at most 7,000,000", {"operator": "<=", "value": 7_000_000.0}),
    ("no more than 3 units", {"operator": "<=", "value": 3.0, "unit": "units"}),
    ("over €1.92 million", {"operator": ">", "value": 1_920_000.0, "currency": "EUR"}),
    ("1,92 million", {"operator": "=", "value": 1_920_000.0}),
    ("below EUR 20", {"operator": "<", "value": 20.0, "currency": "EUR"}),
    ("under 12kg", {"operator": "<", "value": 12.0, "unit": "kg"}),
    ("above 1,500 GBP", {"operator": ">", "value": 1500.0, "currency": "GBP"}),
    ("between 5 and 10 %", {"operator": "between", "value": 5.0, "high": 10.0, "unit": "%"}),
    ("between £5 and £10", {"operator": "between", "value": 5.0, "high": 10.0, "currency": "GBP"}),
    ("3 years or more", {"operator": ">=", "value": 3.0, "unit": "years"}),
    ("$5", {"operator": "=", "value": 5.0}),
    ("2021", {"operator": "=", "value": 2021.0}),
]
OPEN = [
    "30.06.2022", "1.2.3", "2022-06-30", "1.500 t", "1,2,3", "FY23", "the 12th", "5 m",
    "30 June 2022", "5 May", "5m", "(4)",
    "3 of 12", "5-10 %", "30/06", "many", "²", "٣", "10:30", "#3", "v2.1.0",
]  # fmt: skip


@pytest.mark.parametrize(("words", "said"), PLAIN)
def test_what_a_quantity_says_plainly_is_filled_in(words: str, said: dict[str, object]) -> None:
    assert first_value("quantity", words) == said


@pytest.mark.parametrize("words", OPEN)
def test_what_may_be_no_number_stays_empty(words: str) -> None:
    assert first_value("quantity", words) == {}


@pytest.mark.parametrize(
    "words", ["not over 5 %", "nearly 5 %", "about 5 % or more", "a rise of 5 %"]
)
def test_an_operator_that_is_not_plain_stays_empty(words: str) -> None:
    assert first_value("quantity", words) == {"value": 5.0, "unit": "%"}


def test_a_scale_that_may_belong_to_both_ends_leaves_them_empty() -> None:
    assert first_value("quantity", "between 5 and 10 million") == {"operator": "between"}


@given(st.text(alphabet="0123456789.,-%€ $()amndbetw", max_size=20))
def test_any_words_are_read_without_an_error(words: str) -> None:
    assert set(first_value("quantity", words)) <= {"operator", "value", "high", "unit", "currency"}
