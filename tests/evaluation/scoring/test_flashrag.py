"""FlashRAG's measures against its own normalisation rules, as its evaluator applies them."""

import pytest

from evaluation.scoring.answers import flashrag_acc
from evaluation.scoring.flashrag import flashrag_exact_match, flashrag_f1


@pytest.mark.parametrize(
    ("answer", "gold", "em", "f1", "acc"),
    [
        # The example of QE-RAG's measures: P 2/3, R 1.
        ("Barack Hussein Obama", "Barack Obama", 0, 0.8, 0),
        ("The U.S. Senate!", "US senate", 1, 1, 1),
        ("well-known", "wellknown", 1, 1, 1),
        # yes, no and noanswer share a token with nothing but themselves.
        ("yes it was", "yes", 0, 0, 1),
        ("yes", "Yes.", 1, 1, 1),
        ("no", "yes", 0, 0, 0),
        # SQuAD 2.0's vectors, where FlashRAG gives two empty sides no overlap.
        ("the cat sat", "cat sat down", 0, 0.8, 0),
        ("new york new york", "new york", 0, 2 / 3, 1),
    ],
)
def test_the_published_examples(answer: str, gold: str, em: int, f1: float, acc: int) -> None:
    said = [
        rule(answer, [gold]).value for rule in (flashrag_exact_match, flashrag_f1, flashrag_acc)
    ]
    assert said == pytest.approx([em, f1, acc])


def test_two_empty_sides_are_equal_and_share_nothing() -> None:
    assert (flashrag_exact_match("", [""]).value, flashrag_f1("", [""]).value) == (1.0, 0.0)


def test_the_best_alias_counts() -> None:
    assert flashrag_f1("Obama", ["Barack Obama", "Obama"]).value == 1.0


def test_without_a_gold_there_is_no_value() -> None:
    assert flashrag_f1("Obama", []).value is None
    assert flashrag_exact_match("Obama", []).why == "The request has no gold answer."


def test_no_answer_is_wrong() -> None:
    assert flashrag_exact_match(None, ["Obama"]).value == flashrag_f1(None, ["Obama"]).value == 0.0
