"""The request bootstrap against Efron and Tibshirani's mouse data and a clustered example."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap as scipys_bootstrap

from evaluation.statistics import bootstrap, bootstrap_interval, bootstrap_intervals

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


@settings(max_examples=20, deadline=None)
@given(st.permutations(MICE))
def test_the_order_of_requests_does_not_change_a_seeded_interval(values):
    assert bootstrap_interval(values, resamples=50) == bootstrap_interval(MICE, resamples=50)


def test_an_unknown_statistic_is_refused():
    with pytest.raises(ValueError, match="mean, median"):
        bootstrap_interval(MICE, statistic="mode")


def test_the_interval_is_near_scipys():
    found = bootstrap_interval(MICE, resamples=50_000)
    scipys = scipys_bootstrap(
        (MICE,), np.mean, method="percentile", n_resamples=50_000, rng=1
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((scipys.low, scipys.high), rel=0.02)


def test_the_draws_of_a_seed_are_those_of_numpys_generator():
    # The textbook's algorithm in three lines of NumPy, over the values in their order.
    drawn = np.random.default_rng(5).integers(0, len(MICE), size=(1_000, len(MICE)))
    means = np.array(sorted(MICE))[drawn].sum(axis=1) / len(MICE)
    found = bootstrap_interval(MICE, resamples=1_000, seed=5, level=0.9)
    assert (found.low, found.high) == tuple(np.quantile(means, [(1 - 0.9) / 2, (1 + 0.9) / 2]))
    assert found.standard_error == float(means.std(ddof=1))


def test_how_many_resamples_are_drawn_at_a_time_changes_no_digit(monkeypatch):
    values, clusters = repeated_requests()
    before = bootstrap_interval(values, clusters=clusters, resamples=500)
    monkeypatch.setattr(bootstrap, "_CHUNK_CELLS", 7)
    assert bootstrap_interval(values, clusters=clusters, resamples=500) == before


rows = st.lists(st.floats(-5, 5) | st.sampled_from([0.0, 1.0, -1.0]), max_size=12)


@settings(max_examples=40, deadline=None)
@given(
    columns=st.lists(rows, max_size=4),
    twins=st.booleans(),
    statistic=st.sampled_from(["mean", "median"]),
    seed=st.integers(0, 99),
)
def test_columns_together_have_to_the_digit_what_each_has_alone(columns, twins, statistic, seed):
    labels = [[number // 2 for number in range(len(c))] if twins else None for c in columns]
    given_alike = {"statistic": statistic, "resamples": 60, "seed": seed}
    together = bootstrap_intervals(columns, clusters=labels, **given_alike)
    assert together == tuple(
        bootstrap_interval(column, clusters=of_rows, **given_alike)
        for column, of_rows in zip(columns, labels, strict=True)
    )


@settings(max_examples=40, deadline=None)
@given(values=rows.filter(lambda found: len(found) > 1), level=st.floats(0.5, 0.99))
def test_the_interval_lies_within_the_values(values, level):
    found = bootstrap_interval(values, resamples=50, level=level)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(6)))
def test_neither_the_order_of_rows_nor_the_names_of_requests_change_a_seeded_interval(order):
    values, names = [1.0, 0.5, 0.0, 0.25, 1.0, 0.0], "aabbcc"
    moved = bootstrap_interval(
        [values[i] for i in order], clusters=[f"r{names[i]}" for i in order], resamples=50
    )
    assert moved == bootstrap_interval(values, clusters=names, resamples=50)


def test_a_column_without_its_labels_is_refused():
    with pytest.raises(ValueError, match="2 columns but 1 lists"):
        bootstrap_intervals([[1.0], [0.0]], clusters=[None])


def test_no_column_gives_no_interval():
    assert bootstrap_intervals([]) == ()


@pytest.mark.parametrize(
    ("given_as", "words"),
    [
        ({"values": [float("inf"), 1.0]}, "not a finite number"),
        ({"values": MICE, "resamples": 1}, "draw at least two"),
        ({"values": MICE, "level": 1.0}, "such as 0.95"),
        ({"values": MICE, "clusters": ["a"]}, "7 values but 1 cluster"),
    ],
)
def test_impossible_input_is_refused_with_a_sentence(given_as, words):
    with pytest.raises(ValueError, match=words):
        bootstrap_interval(**given_as)
