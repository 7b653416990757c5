"""Support of an answer by retrieved sentences."""

import pytest

from evaluation.scoring.answers import supported

RAIL = "In 2020 revenue of Harbor Rail was 1,200 million euros. Costs did not rise."


@pytest.mark.parametrize(
    "answer",
    [
        "Harbor Rail revenue was EUR 1.2 billion.",
        "Revenues in 2020: 1.2 billion euros",
        "Costs didn't rise.",
        "Harbor Rail",
    ],
)
def test_words_and_values_of_one_sentence_support_an_answer(answer):
    assert supported(answer, [RAIL]).value is True


@pytest.mark.parametrize(
    "answer",
    [
        "Harbor Rail revenue was EUR 1.3 billion.",
        "Harbor Rail revenue was not EUR 1.2 billion.",
        "Harbor Rail revenue was 1.2 billion dollars.",
        "Harbor Rail revenue was EUR 1.2 billion in 2021.",
        "Costs of Harbor Rail did not rise.",
        "Harbor Rail. Something else entirely.",
    ],
)
def test_a_value_negation_or_sentence_without_source_is_not_supported(answer):
    assert supported(answer, [RAIL]).value is False


def test_the_reason_names_the_missing_words():
    assert "holding" in supported("Harbor Rail holding", [RAIL]).why


def test_nothing_retrieved_supports_nothing():
    assert supported("Harbor Rail", []).value is False


@pytest.mark.parametrize("answer", ["Yes.", "", None])
def test_an_answer_without_content_has_nothing_to_check(answer):
    assert supported(answer, [RAIL]).value is None


def test_initials_and_abbreviations_end_no_sentence():
    assert supported("J. Smith of Acme Inc. won.", ["J. Smith of Acme Inc. won it."]).value is True
