"""What requests took and twin pairs, candidate - original: worked out by hand."""

import pytest

from evaluation.scoring.comparison import pair_up
from evaluation.scoring.differences import mean_differences, measured_values
from evaluation.scoring.pair_rates import pair_rates
from evaluation.scoring.result import result_of, unmeasured
from evaluation.scoring.scorecard import scorecard
from tests.evaluation.scoring.building import case, pair


def took(a, b, clusters=None):
    before = [case(f"r{i}", "original", **fields) for i, fields in enumerate(a)]
    after = [case(f"r{i}", "candidate", **fields) for i, fields in enumerate(b)]
    values = measured_values(pair_up(before, after))
    return mean_differences(values, clusters=clusters, level=0.95, resamples=200, seed=0)


def test_a_difference_is_the_mean_over_requests_measured_under_both():
    found = took(
        [{"latency_ms": 10.0}, {"latency_ms": 30.0}, {"latency_ms": 99.0}],
        [{"latency_ms": 20.0}, {"latency_ms": 60.0}, {}],
    )["latency_ms"]
    assert (found.value, found.n) == (20.0, 2)
    assert found.low <= 20.0 <= found.high


def test_twins_are_resampled_with_their_base():
    rows = [{"calls": 1}, {"calls": 3}]
    found = took(rows, [{"calls": 2}, {"calls": 2}], clusters={"r1": "r0"})["calls"]
    assert (found.value, found.n, found.rows) == (0.0, 1, 2)


def test_without_a_call_a_request_cost_nothing():
    found = took([{"calls": 0}, {"calls": 0}], [{"calls": 1, "cost": 0.02}, {"calls": 0}])
    assert found["cost"].value == pytest.approx(0.01)


def test_without_any_price_cost_is_not_measured():
    found = took([{"calls": 0}], [{"calls": 0}])
    assert (found["cost"].value, found["cost"].reason) == (None, "Not measured.")
    assert found["calls"].value == 0.0


def test_a_failed_request_took_its_time_too():
    found = took([{"latency_ms": 1.0}], [{"latency_ms": 5.0, "status": "timed_out"}])
    assert found["latency_ms"].value == 4.0


def test_what_was_measured_is_in_no_hash():
    def hashed(ms):
        cases = [case("r1", name, latency_ms=ms) for name in ("original", "candidate")]
        return unmeasured(result_of(cases, [], [], clusters={}, protocol=None))

    assert hashed(1.0) == hashed(2.0)
    cases = [case("r1", name, latency_ms=1.0) for name in ("original", "candidate")]
    assert scorecard(cases, resamples=20).to_json()["differences"][0]["measured"]["latency_ms"]


def test_pairs_of_a_family_are_compared_where_both_arms_are_settled():
    before = [pair(n, passed, arm="original") for n, passed in enumerate((True, True, False, None))]
    after = [pair(n, passed) for n, passed in enumerate((True, False, True, True))]
    rates = pair_rates([*before, *after], resamples=200)
    row = next(r for r in rates["differences"] if r["scope"] == "all")
    assert (row["arm"], row["family"]) == ("candidate", "date")
    assert (row["difference"]["value"], row["difference"]["n"]) == (0.0, 3)
    whole = {r["arm"]: r["passes"]["worst"] for r in rates["arms"] if r["scope"] == "all"}
    assert (whole["candidate"]["numerator"], whole["candidate"]["n"]) == (3, 4)


def test_pairs_are_counted_in_their_class_too():
    rows = [pair(1, True, arm=name, request_class="k1") for name in ("original", "candidate")]
    rows += [pair(2, False, arm=name, request_class="k2") for name in ("original", "candidate")]
    found = {(r["scope"], r["arm"]): r["passes"]["worst"] for r in pair_rates(rows)["arms"]}
    assert found["k1", "candidate"]["numerator"] == 1 and found["k2", "candidate"]["numerator"] == 0
    assert found["all", "candidate"]["n"] == 2


def test_pairs_that_share_a_base_are_drawn_with_it():
    rows = [
        pair(n, name == "candidate" or n > 1, arm=name, base="r0")
        for n in (1, 2)
        for name in ("original", "candidate")
    ]
    (row,) = [r for r in pair_rates(rows)["differences"] if r["scope"] == "all"]
    assert (row["difference"]["rows"], row["difference"]["n"]) == (2, 1)


def test_without_pairs_there_are_no_rates():
    assert pair_rates([]) == {"arms": [], "differences": []}
