"""Regressions and gains: the 200-request example of the acceptance protocol."""

import pytest

from evaluation.scoring.comparison import compare
from tests.evaluation.scoring.building import arm, case


def compared(before, after, **options):
    return compare(arm("original", before), arm("c", after), resamples=200, **options)


# 120 right at the original, of which 18 are lost; 30 of the other 80 are gained.
EXAMPLE = ("+" * 120 + "-" * 80, "-" * 18 + "+" * 102 + "+" * 30 + "-" * 50)


def test_18_of_120_lost_answers_are_a_regression_of_15_percent():
    rate = compared(*EXAMPLE).regression
    assert (rate.numerator, rate.n, rate.value) == (18, 120, 0.15)


def test_30_of_80_gained_answers_are_a_gain_of_37_percent_and_a_half():
    rate = compared(*EXAMPLE).gain
    assert (rate.numerator, rate.n, rate.value) == (30, 80, 0.375)


def test_the_examples_discordant_counts_give_its_p_value():
    assert compared(*EXAMPLE).test.value == pytest.approx(0.1114, abs=5e-5)


def test_the_difference_is_132_less_120_of_200():
    difference = compared(*EXAMPLE).difference
    assert difference.value == pytest.approx(0.06)
    assert difference.low < 0.06 < difference.high


def test_regression_without_a_right_answer_is_undefined():
    rate = compared("--", "+-").regression
    assert (rate.value, rate.reason) == (None, "Undefined: the original answered none correctly.")


def test_a_failed_candidate_cannot_hide_a_regression():
    after = [case("r000", "c"), case("r001", "c", status="timed_out")]
    result = compare(arm("original", "++"), after, resamples=50)
    assert (result.regression.value, result.worst_regression.value) == (0.0, 0.5)
    assert result.dropped == {"candidate timed_out": 1}


def test_unequal_sets_of_requests_are_refused():
    with pytest.raises(ValueError, match="candidate arm has no case for 1 requests"):
        compared("++", "+")


def test_twins_are_resampled_with_their_base():
    result = compared("++--", "+-++", clusters={"r001": "r000", "r003": "r002"})
    assert result.difference.n == 2


def test_unresolved_requests_are_left_out_and_counted():
    arms = [[case("r1", name, unresolved=True), case("r2", name)] for name in ("original", "c")]
    result = compare(*arms, resamples=50)
    assert (result.n, result.dropped) == (1, {"unresolved request": 1})
