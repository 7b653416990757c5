"""Marks that follow their words through an edit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.moving import moved_span
from contracts.terms import Span

TEXT = "And its parent before 2021, excluding one-off items?"


@pytest.mark.parametrize(
    "words, after, found",
    [
        ("before 2021", "And its parent after 2021, excluding one-off items?", "after 2021"),
        ("before 2021", "its parent before 2021, excluding items?", "before 2021"),
        ("its parent", "And of its old parent before 2021?", "its old parent"),
        ("excluding one-off items", "And its parent before 2021, with one-off items?",
         "with one-off items"),
    ],
)  # fmt: skip
def test_a_mark_stays_on_its_words(words: str, after: str, found: str) -> None:
    start = TEXT.index(words)
    span = moved_span(Span(0, start, start + len(words)), [TEXT], [after])
    assert span is not None and after[span.start : span.end] == found


def test_a_mark_whose_words_are_gone_is_none() -> None:
    start = TEXT.index("before")
    assert moved_span(Span(0, start, start + 11), [TEXT], ["And its parent?"]) is None


@given(st.text(max_size=30), st.text(max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_a_mark_lies_inside_the_new_text_and_covers_words(
    before: str, after: str, start: int, end: int
) -> None:
    span = moved_span(Span(0, start, end), [before], [after])
    if span is not None and before != after:
        assert 0 <= span.start < span.end <= len(after)
        assert after[span.start : span.end].strip() == after[span.start : span.end] != ""
