import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.retrieval.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Harbor Rail's REVENUE", ["harbor", "rail", "revenue"]),
        ("up 1.2 % to 1,200,000", ["up", "1.2", "to", "1200000"]),
        ("FY23, Q1-2021", ["fy23", "q1", "2021"]),
        ("\u00c9t\u00e9 and E\u0301te\u0301", ["\u00e9t\u00e9", "and", "\u00e9t\u00e9"]),
        ("\uff21\uff22\uff23 \ufb01ne", ["abc", "fine"]),
        ("snake_case", ["snake", "case"]),
        ("\u6771\u4eac rail", ["\u6771", "\u4eac", "rail"]),
        ("", []),
    ],
)
def test_words_are_cut(text: str, words: list[str]) -> None:
    assert tokenize(text) == words


def test_stop_words_stay_by_default_and_go_on_request() -> None:
    assert tokenize("not before the war") == ["not", "before", "the", "war"]
    assert tokenize("not before the war", "english") == ["war"]


@given(st.text())
def test_no_word_is_empty_and_cutting_again_changes_nothing(text: str) -> None:
    words = tokenize(text)
    assert all(words)
    assert tokenize(" ".join(words)) == words
