"""Rates, bounds and sample sizes against Newcombe 1998 and the rule of three."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics import (
    clean_requests_needed,
    clopper_pearson,
    wilson,
    zero_failure_upper,
)

# Newcombe 1998, Statistics in Medicine 17:857, the table of seven methods.
NEWCOMBE_WILSON = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
]
NEWCOMBE_EXACT = [
    (81, 263, 0.2527, 0.3676),
    (15, 148, 0.0578, 0.1617),
    (0, 20, 0.0, 0.1684),
    (1, 29, 0.0009, 0.1776),
]


@pytest.mark.parametrize(("k", "n", "low", "high"), NEWCOMBE_WILSON)
def test_wilson_gives_newcombes_interval(k, n, low, high):
    result = wilson(k, n)
    assert (result.low, result.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("k", "n", "low", "high"), NEWCOMBE_EXACT)
def test_clopper_pearson_gives_newcombes_interval(k, n, low, high):
    result = clopper_pearson(k, n)
    assert (result.low, result.high) == pytest.approx((low, high), abs=5e-5)


def test_a_one_sided_upper_bound_leaves_the_lower_end_open():
    # The verdict's worked figure: no loss in 22 answers, at most 12.7 %.
    result = clopper_pearson(0, 22, side="upper")
    assert (result.low, result.high) == (None, pytest.approx(0.1273, abs=5e-5))


def test_one_sided_bounds_mirror_each_other():
    lower = clopper_pearson(7, 9, side="lower").low
    assert lower == pytest.approx(1 - clopper_pearson(2, 9, side="upper").high)


def test_all_successes_are_at_most_one():
    assert clopper_pearson(9, 9, side="upper").high == 1.0


@pytest.mark.parametrize(
    ("n", "bound"),
    # 1 - 0.05 ** (1 / n); the rule of three says 3 / n.
    [
        (10, 0.258866),
        (30, 0.095034),
        (100, 0.029513),
        (200, 0.01487),
        (300, 0.009936),
        (1500, 0.001995),
    ],
)
def test_zero_failures_give_the_exact_upper_bound(n, bound):
    assert zero_failure_upper(n).value == pytest.approx(bound, abs=1e-5)


@pytest.mark.parametrize(("ceiling", "needed"), [(0.05, 59), (0.01, 299), (1.0, 1)])
def test_clean_requests_needed_for_a_ceiling(ceiling, needed):
    assert clean_requests_needed(ceiling).n == needed


def test_one_failure_needs_the_93_requests_of_wilks():
    # Wilks 1941: 59 runs without and 93 with one failure for 95 % at 95 % confidence.
    assert clean_requests_needed(0.05, failures=1).n == 93


def test_a_ceiling_of_zero_can_never_be_shown():
    assert clean_requests_needed(0.0).value is None


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_an_empty_denominator_has_no_value_but_a_reason(interval):
    result = interval(0, 0)
    assert (result.value, bool(result.reason)) == (None, True)


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (0, -1)])
def test_impossible_counts_are_refused(k, n):
    with pytest.raises(ValueError, match="counts must satisfy"):
        wilson(k, n)


def test_a_level_in_percent_is_refused():
    with pytest.raises(ValueError, match=r"such as 0\.95"):
        clopper_pearson(1, 2, level=95)


@given(n=st.integers(1, 60), data=st.data())
def test_the_rate_lies_in_both_intervals_and_both_in_the_unit_range(n, data):
    k = data.draw(st.integers(0, n))
    for result in (wilson(k, n), clopper_pearson(k, n)):
        assert 0.0 <= result.low <= k / n + 1e-12
        assert k / n - 1e-12 <= result.high <= 1.0
