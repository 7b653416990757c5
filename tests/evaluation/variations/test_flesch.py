import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.variations.flesch import Counts, counts, flesch, reading_ease, syllables


@pytest.mark.parametrize(
    ("words", "sentences", "total", "ease"),
    [
        # Wikipedia, "Flesch–Kincaid readability tests": "The cat sat on the mat." scores 116, and
        # the platypus sentence 37.5, "as it has 24 syllables and 13 words".
        (6, 1, 6, 116),
        (13, 1, 24, 37.5),
    ],
)
def test_reading_ease_of_published_examples(
    words: int, sentences: int, total: int, ease: float
) -> None:
    assert reading_ease(words, sentences, total) == pytest.approx(ease, abs=0.25)


def test_reading_ease_by_hand() -> None:
    # 206.835 - 1.015 * (10 / 2) - 84.6 * (15 / 10) = 206.835 - 5.075 - 126.9
    assert reading_ease(10, 2, 15) == pytest.approx(74.86)


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("cat", 1),
        ("the", 1),  # one run, less the final e, at least one
        ("seen", 1),
        ("take", 1),
        ("syllable", 2),  # y, a, e: three runs less the final e
        ("retrieval", 3),
        ("queue", 1),
        ("rhythm", 1),
        ("1915", 1),
        ("Idea", 2),
    ],
)
def test_a_syllable_is_a_run_of_vowels_less_a_final_e(word: str, count: int) -> None:
    assert syllables(word) == count


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("The cat sat on the mat.", Counts(6, 1, 6)),
        ("Who won? Tell me", Counts(4, 2, 4)),
        ("no mark at all", Counts(4, 1, 4)),
        ("U.S. law of 3.5 per cent?", Counts(6, 1, 6)),
        ("Didn't the well-known man win?!", Counts(5, 1, 6)),
        ("", Counts(0, 1, 0)),
    ],
)
def test_counts(text: str, counted: Counts) -> None:
    assert counts(text) == counted


def test_a_text_has_the_ease_of_its_counts() -> None:
    assert flesch("The cat sat on the mat.") == pytest.approx(206.835 - 1.015 * 6 - 84.6)


def test_no_word_has_no_reading_ease() -> None:
    assert flesch("?! ...") is None
    with pytest.raises(ValueError, match="at least one word"):
        reading_ease(0, 1, 0)


@given(st.text())
def test_any_text_is_counted(text: str) -> None:
    counted = counts(text)
    assert counted.sentences >= 1 and counted.syllables >= counted.words >= 0
