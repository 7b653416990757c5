"""The request bootstrap against Efron and Tibshirani's mouse data and a clustered example."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.statistics import bootstrap_interval

# Efron and Tibshirani 1993, table 2.1: survival of treated mice.
MICE = [94.0, 197.0, 16.0, 38.0, 99.0, 141.0, 23.0]


def test_the_standard_error_of_the_mean_is_the_ideal_one_of_efron_and_tibshirani():
    result = bootstrap_interval(MICE, resamples=100_000)
    assert result.standard_error == pytest.approx(23.3635, rel=0.01)


def test_the_standard_error_of_the_median_is_the_ideal_one_of_efron_and_tibshirani():
    result = bootstrap_interval(MICE, statistic="median", resamples=100_000)
    assert result.standard_error == pytest.approx(37.8347, rel=0.01)


def repeated_requests():
    values = [value for value in (1.0, 0.0, 1.0, -1.0, 0.0) for _ in range(10)]
    return values, [f"r{i // 10}" for i in range(50)]


def test_requests_are_resampled_and_not_their_rows():
    # Five requests of ten equal rows: by rows 0.1058, by requests 0.3347 (population sd / sqrt 5).
    values, clusters = repeated_requests()
    result = bootstrap_interval(values, clusters=clusters, resamples=50_000)
    assert result.standard_error == pytest.approx(0.3347, rel=0.02)


def test_n_counts_requests():
    values, clusters = repeated_requests()
    assert bootstrap_interval(values, clusters=clusters, resamples=100).n == 5


def test_the_median_keeps_the_rows_of_a_request_together():
    values, clusters = repeated_requests()
    result = bootstrap_interval(values, clusters=clusters, statistic="median", resamples=200)
    assert {result.low, result.high} <= {-1.0, -0.5, 0.0, 0.5, 1.0}


def test_one_request_gives_its_value_but_no_interval():
    result = bootstrap_interval([1.0, 0.0], clusters=["r1", "r1"])
    assert (result.value, result.low, bool(result.reason)) == (0.5, None, True)


def test_no_request_has_no_value():
    assert bootstrap_interval([]).value is None


def test_equal_values_say_that_no_spread_is_shown():
    assert "no spread" in bootstrap_interval([1.0, 1.0, 1.0], resamples=50).reason


def test_clusters_that_weigh_alike_say_that_no_spread_is_shown():
    result = bootstrap_interval([1.0, 0.0, 0.0, 1.0], clusters=["a", "a", "b", "b"], resamples=50)
    assert (result.low, result.high, "no spread" in result.reason) == (0.5, 0.5, True)


def test_rows_counts_the_values_that_n_counts_the_clusters_of():
    values, clusters = repeated_requests()
    result = bootstrap_interval(values, clusters=clusters, resamples=100)
    assert (result.rows, result.n) == (50, 5)


def test_the_result_reports_seed_resamples_and_method():
    result = bootstrap_interval(MICE, resamples=100, seed=9)
    assert (result.seed, result.resamples, result.method) == (9, 100, "bootstrap_mean")


@settings(max_examples=20)
@given(st.permutations(MICE))
def test_the_order_of_requests_does_not_change_a_seeded_interval(values):
    assert bootstrap_interval(values, resamples=50) == bootstrap_interval(MICE, resamples=50)


def test_an_unknown_statistic_is_refused():
    with pytest.raises(ValueError, match="mean, median"):
        bootstrap_interval(MICE, statistic="mode")
