"""REPLUG's arithmetic by the example that its two published rules were worked through with."""

import math

import pytest

from evaluation.pipelines._mixing import (
    likeliest,
    mixed_logits,
    mixed_probabilities,
    shares,
    softmax,
)

# Scores 2 and 1; p1 = (.7, .3), p2 = (.2, .8).
ROWS = [[math.log(0.7), math.log(0.3)], [math.log(0.2), math.log(0.8)]]


def test_the_weights_are_the_softmax_of_the_scores() -> None:
    assert softmax([2, 1]) == pytest.approx([0.7311, 0.2689], abs=5e-5)


def test_the_softmax_of_large_scores_is_a_number() -> None:
    assert softmax([2000, 1999]) == pytest.approx(softmax([2, 1]))


def test_probabilities_are_averaged_with_the_weights() -> None:
    # REPLUG (arXiv 2301.12652), section 3.2: .7311 * .7 + .2689 * .2 = .5655.
    assert list(mixed_probabilities(ROWS, softmax([2, 1]))) == pytest.approx(
        [0.5655, 0.4345], abs=5e-5
    )


def test_flashrag_averages_logits_with_the_shares() -> None:
    # FlashRAG's REPLUGLogitsProcessor, which divides the scores by their sum: 2/3 and 1/3.
    assert list(mixed_logits(ROWS, shares([2, 1]))) == pytest.approx([0.5257, 0.4743], abs=5e-5)


def test_a_constant_added_to_the_logits_of_a_document_changes_nothing() -> None:
    moved = [[value + 3 for value in ROWS[0]], ROWS[1]]
    assert list(mixed_logits(moved, [0.5, 0.5])) == pytest.approx(
        list(mixed_logits(ROWS, [0.5, 0.5]))
    )


@pytest.mark.parametrize(("scores", "why"), [([2, -1], "negative"), ([0, 0], "sum is 0")])
def test_scores_that_are_no_weights_are_refused(scores: list[float], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        shares(scores)


def test_a_document_without_weight_cannot_forbid_a_token() -> None:
    assert list(mixed_logits([[0.0, -math.inf], ROWS[1]], [0.0, 1.0])) == pytest.approx([0.2, 0.8])


def test_the_first_of_equal_values_is_the_likeliest() -> None:
    assert likeliest([0.1, 0.45, 0.45]) == 1
