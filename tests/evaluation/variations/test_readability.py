import pytest

from evaluation.variations import Source
from evaluation.variations.readability import hard, harder
from tests.evaluation.variations.test_formality import vary

SOURCE = Source("q1", "Who founded the Harbor Rail firm in 1915?")
HARD = "Which individual inaugurated the Harbor Rail corporation in 1915?"


def test_a_harder_text_stands_with_both_values() -> None:
    made = vary(HARD, kind="readability", source=SOURCE)
    check = next(check for check in made.checks if check.validator == "harder_to_read")
    assert made.text == HARD
    # 8 words, 10 syllables; 9 words, 20 syllables: counted by hand with the rule of vowel runs.
    assert check.values == {
        "source_flesch": round(206.835 - 1.015 * 8 - 84.6 * 10 / 8, 3),
        "flesch": round(206.835 - 1.015 * 9 - 84.6 * 20 / 9, 3),
    }


def test_an_easier_text_is_rejected() -> None:
    easy = "Who set up the Harbor Rail firm in 1915?"
    made = vary(easy, HARD, kind="readability", source=SOURCE)
    assert made.text == HARD and "no harder to read" in made.rejected[0].why


def test_a_reading_ease_of_60_and_the_length_are_recorded_alone() -> None:
    made = vary(HARD, kind="readability", source=SOURCE)
    recorded = {c.validator: (c.passed, c.decides) for c in made.checks if not c.decides}
    assert recorded == {"reading_ease_below_60": (True, False), "length": (False, False)}
    assert not hard("Who won it?").passed


def test_a_name_that_comes_in_is_rejected() -> None:
    added = "Which American individual inaugurated the Harbor Rail corporation in 1915?"
    made = vary(added, HARD, kind="readability", source=SOURCE)
    assert made.rejected[0].why == "It adds what the request does not have: American."


def test_a_text_that_asks_nothing_is_rejected() -> None:
    told = "Somebody inaugurated the Harbor Rail corporation in 1915."
    made = vary(told, HARD, kind="readability", source=SOURCE)
    assert "no question any more" in made.rejected[0].why


def test_texts_without_words_are_no_harder() -> None:
    assert not harder(SOURCE, "...").passed
    assert not harder(Source("q1", "..."), "word").passed


@pytest.mark.parametrize("kind", ["readability", "formality"])
def test_what_reviewers_are_asked(kind: str) -> None:
    from evaluation.variations.base import VARIATIONS

    assert VARIATIONS.find(kind).category.endswith("than the original?")
