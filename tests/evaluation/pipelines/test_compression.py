import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.pipelines._compression import (
    contrast,
    keeping_ratios,
    kept_places,
    mean,
    ratio_shifts,
    within_budget,
)


def test_the_shift_falls_in_equal_steps_from_delta_to_minus_delta() -> None:
    # LongLLMLingua with delta .3: three passages by rank.
    assert ratio_shifts(3, 0.3) == pytest.approx([0.3, 0.0, -0.3])
    assert ratio_shifts(4, 0.3) == pytest.approx([0.3, 0.1, -0.1, -0.3])
    assert ratio_shifts(2, 0.3) == pytest.approx([0.3, -0.3])


def test_a_single_passage_is_not_shifted() -> None:
    assert (ratio_shifts(1, 0.3), ratio_shifts(0, 0.3)) == ([0.0], [])


def test_the_passage_that_spends_the_budget_is_the_last_one_kept() -> None:
    assert within_budget([60, 60, 60, 60], 150) == 3
    assert within_budget([60, 60], 120) == 2
    assert within_budget([500, 10], 100) == 1


def test_shares_reach_the_aim_before_they_are_shifted() -> None:
    assert keeping_ratios([100, 100, 100], 150, 0.3) == pytest.approx([0.8, 0.5, 0.2])
    # Only two of three passages were kept: 150 of their 200 tokens are aimed at.
    assert keeping_ratios([100, 100], 150, 0.3) == pytest.approx([1.0, 0.45])


def test_a_token_that_the_question_makes_likelier_has_the_greater_contrast() -> None:
    assert contrast([5.0, 2.0], [1.0, 2.5]) == [4.0, -0.5]


def test_the_greatest_stay_in_their_order_and_the_earlier_of_equals() -> None:
    assert kept_places([0.1, 3.0, 2.0, 3.0], 0.5) == [1, 3]
    assert kept_places([1.0, 1.0, 1.0], 0.67) == [0, 1]
    assert len(kept_places([0.0] * 100, 0.29)) == 29


def test_the_mean_loss_of_no_token_is_zero() -> None:
    assert (mean([]), mean([1.0, 2.0])) == (0.0, 1.5)


@given(st.integers(1, 30), st.floats(0, 1))
def test_shifts_sum_to_nothing(count: int, delta: float) -> None:
    assert sum(ratio_shifts(count, delta)) == pytest.approx(0, abs=1e-9)
