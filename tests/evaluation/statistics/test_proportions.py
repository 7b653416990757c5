"""Rates, bounds and sample sizes against Newcombe 1998 and the rule of three."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

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


@settings(deadline=None)
@given(n=st.integers(1, 60), data=st.data())
def test_the_rate_lies_in_both_intervals_and_both_in_the_unit_range(n, data):
    k = data.draw(st.integers(0, n))
    for result in (wilson(k, n), clopper_pearson(k, n)):
        assert 0.0 <= result.low <= k / n + 1e-12
        assert k / n - 1e-12 <= result.high <= 1.0


@pytest.mark.parametrize(("interval", "name"), [(wilson, "wilson"), (clopper_pearson, "beta")])
@settings(deadline=None)
@given(n=st.integers(1, 300), data=st.data(), level=st.sampled_from([0.8, 0.95, 0.99]))
def test_the_intervals_are_statsmodels(interval, name, n, data, level):
    k = data.draw(st.integers(0, n))
    low, high = proportion_confint(k, n, alpha=1 - level, method=name)
    found = interval(k, n, level=level)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


def test_the_rule_of_three_overstates_below_thirty_and_is_close_above():
    # Hanley and Lippman-Hand 1983: 3 / n.
    assert [round(3 / n - zero_failure_upper(n).value, 4) for n in (10, 30, 300, 1_500)] == [
        0.0411,
        0.005,
        0.0001,
        0.0,
    ]


def test_thirty_clean_requests_still_allow_nine_and_a_half_per_cent():
    assert zero_failure_upper(30).value == pytest.approx(0.095, abs=5e-4)


@settings(deadline=None)
@given(n=st.integers(1, 2_000), level=st.floats(0.5, 0.999))
def test_the_bound_of_no_failure_is_clopper_and_pearsons(n, level):
    exact = clopper_pearson(0, n, level=level, side="upper").high
    assert zero_failure_upper(n, level=level).value == pytest.approx(exact)


@settings(deadline=None)
@given(ceiling=st.floats(0.005, 0.5), failures=st.integers(0, 5))
def test_one_clean_request_fewer_does_not_do(ceiling, failures):
    needed = clean_requests_needed(ceiling, failures=failures).n
    assert clopper_pearson(failures, needed, side="upper").high <= ceiling
    if needed > failures + 1:
        assert clopper_pearson(failures, needed - 1, side="upper").high > ceiling


def test_no_request_bounds_nothing_and_says_so():
    found = zero_failure_upper(0)
    assert (found.value, bool(found.reason)) == (None, True)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: clopper_pearson(1, 2, side="left"), "two, upper, lower"),
        (lambda: clean_requests_needed(2), "a rate lies between"),
        (lambda: clean_requests_needed(0.1, failures=-1), "cannot be negative"),
        (lambda: zero_failure_upper(-1), "counts must satisfy"),
    ],
)
def test_impossible_input_is_refused_with_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
