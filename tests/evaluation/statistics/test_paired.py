"""McNemar's tests and the sign-flip test against published values."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.statistics import mcnemar_exact, mcnemar_midp, sign_flip


@pytest.mark.parametrize(
    ("regressions", "gains", "p"),
    [
        # Penn State STAT 504: Agresti's presidential approval table 794/150/86/570.
        (150, 86, 3.7159e-05),
        # Spam data 1434/18/33/51 (ESL-CN #214), and the acceptance protocol's worked example.
        (18, 33, 0.0488739),
        (18, 30, 0.1114),
        # Binomial tables.
        (1, 11, 0.00634765625),
        (15, 25, 0.1538599),
        (5, 5, 1.0),
        (0, 5, 0.0625),
        (0, 6, 0.03125),
    ],
)
def test_exact_mcnemar_gives_the_published_p_value(regressions, gains, p):
    assert mcnemar_exact(regressions, gains).value == pytest.approx(p, rel=5e-4)


def test_mid_p_gives_the_published_value_for_the_spam_data():
    assert mcnemar_midp(18, 33).value == pytest.approx(0.0364834, abs=5e-8)


def test_mid_p_of_equal_counts_is_one():
    assert mcnemar_midp(5, 5).value == pytest.approx(1.0)


@pytest.mark.parametrize("test", [mcnemar_exact, mcnemar_midp])
def test_without_a_discordant_request_p_is_one_and_says_why(test):
    result = test(0, 0)
    assert (result.value, result.n, bool(result.reason)) == (1.0, 0, True)


def test_a_negative_count_is_refused():
    with pytest.raises(ValueError, match="cannot be negative"):
        mcnemar_exact(-1, 2)


@given(b=st.integers(0, 9), c=st.integers(0, 9))
def test_exact_sign_flip_of_binary_differences_equals_exact_mcnemar(b, c):
    if b + c:
        flipped = sign_flip([-1.0] * b + [1.0] * c + [0.0] * 3)
        assert flipped.value == pytest.approx(mcnemar_exact(b, c).value)


def test_all_zero_differences_give_one():
    assert sign_flip([0.0, 0.0]).value == 1.0


def test_no_difference_at_all_has_no_value():
    assert sign_flip([]).value is None


def test_equal_sums_tie_in_spite_of_float_noise():
    # Eight patterns; 0.3 and 0.1 + 0.2 cancel, so +-0.6 are the only two as large as observed.
    assert sign_flip([0.1, 0.2, 0.3]).value == 2 / 8


def test_rows_of_one_request_flip_together():
    rows = [1.0] * 10
    assert sign_flip(rows, clusters=["r1"] * 5 + ["r2"] * 5).value == 2 / 4


def test_more_than_twenty_requests_never_give_zero():
    result = sign_flip([1.0] * 40, resamples=500)
    assert result.value == pytest.approx(1 / 501)


def test_monte_carlo_is_near_the_exact_value():
    differences = [1.0] * 18 + [-1.0] * 8
    exact = mcnemar_exact(8, 18).value
    assert sign_flip(differences, resamples=20_000).value == pytest.approx(exact, abs=0.01)


@settings(max_examples=20)
@given(st.permutations([0.5, -0.25, 1.0, 0.75, -1.0] * 5))
def test_the_order_of_requests_does_not_change_a_seeded_result(values):
    ordered = sign_flip(sorted(values), resamples=200, seed=3)
    assert sign_flip(values, resamples=200, seed=3) == ordered


def test_unequal_lengths_are_refused():
    with pytest.raises(ValueError, match="2 values but 1 cluster"):
        sign_flip([1.0, 2.0], clusters=["r1"])


def test_a_difference_that_is_not_a_number_is_refused():
    with pytest.raises(ValueError, match="not a finite number"):
        sign_flip([float("nan")])
