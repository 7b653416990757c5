"""McNemar's tests and the sign-flip test against published values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import mcnemar

from evaluation.statistics import mcnemar_exact, mcnemar_midp, paired, sign_flip


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


@settings(deadline=None)
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


@settings(max_examples=20, deadline=None)
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


@settings(deadline=None)
@given(b=st.integers(0, 300), c=st.integers(0, 300))
def test_exact_mcnemar_is_statsmodels(b, c):
    expected = mcnemar([[0, b], [c, 0]], exact=True).pvalue if b + c else 1.0
    assert mcnemar_exact(b, c).value == pytest.approx(expected)


@settings(deadline=None)
@given(b=st.integers(0, 200), c=st.integers(0, 200))
def test_mid_p_lies_below_the_exact_p_and_both_in_the_unit_range(b, c):
    mid, exact = mcnemar_midp(b, c).value, mcnemar_exact(b, c).value
    assert 0.0 < mid <= exact <= 1.0
    assert mcnemar_exact(c, b).value == exact


def test_zero_losses_need_six_gains_for_five_per_cent():
    # Binomial tables: 2 / 2^5 = 0.0625 and 2 / 2^6 = 0.03125.
    assert (mcnemar_exact(0, 5).value, mcnemar_exact(0, 6).value) == (0.0625, 0.03125)


def test_ten_thousand_discordant_requests_have_a_p_value():
    # SciPy: 2 * binom.cdf(4_900, 10_000, 0.5).
    assert mcnemar_exact(4_900, 5_100).value == pytest.approx(0.0466, abs=5e-5)


@pytest.mark.parametrize("differences", [[0.5, -0.2, 0.1, 0.9, 0.3], [1.0, 2.0, -4.0, 0.0, 1.5]])
def test_the_exact_sign_flip_is_scipys_permutation_test(differences):
    # "samples" permutes the pairs' labels, which flips signs; all 2^n are enumerated.
    expected = permutation_test(
        (differences, np.zeros(len(differences))),
        lambda x, y: np.mean(x - y),
        permutation_type="samples",
        n_resamples=np.inf,
    ).pvalue
    assert sign_flip(differences).value == pytest.approx(expected)


def test_a_request_without_a_difference_changes_no_p_value():
    assert sign_flip([0.5, -0.2, 0.1, 0.0, 0.0]).value == sign_flip([0.5, -0.2, 0.1]).value


def test_up_to_twenty_requests_are_enumerated_and_more_are_drawn():
    assert sign_flip([1.0] * 20).value == 2 / 2**20
    assert sign_flip([1.0] * 21).method == "sign_flip_monte_carlo"


def test_differences_that_cancel_within_a_request_are_no_difference():
    found = sign_flip([1.0, -1.0, 1.0, -1.0], clusters=["a", "a", "b", "b"])
    assert (found.value, found.n, bool(found.reason)) == (1.0, 2, True)


def test_the_signs_of_a_seed_are_those_of_numpys_generator():
    differences = np.array([0.25, -0.5, 1.0, 2.0, -1.5] * 6)
    signs = np.random.default_rng(4).integers(0, 2, size=(300, 30)) * 2 - 1
    hits = np.count_nonzero(abs(signs @ np.sort(differences)) >= abs(differences.sum()) - 1e-9)
    assert sign_flip(differences, resamples=300, seed=4).value == (hits + 1) / 301


def test_how_many_patterns_are_drawn_at_a_time_changes_no_p_value(monkeypatch):
    differences = [0.5, -0.25, 1.0, 0.75, -1.0] * 6
    before = sign_flip(differences, resamples=500)
    monkeypatch.setattr(paired, "_CHUNK_CELLS", 70)
    assert sign_flip(differences, resamples=500) == before


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.integers(0, 9))
def test_a_p_value_lies_above_zero_and_is_the_same_for_the_arms_exchanged(differences, seed):
    found = sign_flip(differences, resamples=50, seed=seed)
    assert 0.0 < found.value <= 1.0
    if found.seed is None:
        mirrored = sign_flip([-d for d in differences])
        assert mirrored.value == pytest.approx(found.value)


def test_no_resample_is_refused():
    with pytest.raises(ValueError, match="at least one pattern"):
        sign_flip([1.0], resamples=0)
