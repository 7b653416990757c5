"""Means of the answer rules under their own names, each with its n; and who judged."""

import pytest

from evaluation.scoring.answer_rules import answer_scores, golds_type
from evaluation.scoring.scorecard import scorecard
from tests.evaluation.scoring.building import case


def answered(request, answer, gold, **fields):
    """A case with what every rule says of the answer."""
    scores = answer_scores(answer, [gold])
    rules = {name: score.value for name, score in scores.items()}
    return case(request, answer_rules=rules, gold_type=golds_type([gold]), **fields)


# SQuAD: ("the cat sat", "cat sat down") F1 0.8; ("new york new york", "new york") F1 0.666667.
CASES = [
    answered("r1", "the cat sat", "cat sat down", correct_by="rule", support_by="rule"),
    answered("r2", "new york new york", "new york", correct_by="person", support_by="model"),
    answered("r3", "10.5", "105", correct_by="rule", support_by="error"),
    answered("u1", "new york", "new york", unresolved=True),
    answered("f1", "new york", "new york", status="timed_out"),
    case("r4", right=None),
]


def row():
    return scorecard(CASES, resamples=100).arm("candidate")


def test_a_rule_s_mean_is_over_the_requests_that_it_applies_to():
    exact = row().answer_rules["squad_exact_match"]
    assert (exact.estimate.numerator, exact.estimate.n, exact.not_applicable) == (0, 2, 2)
    f1 = row().answer_rules["squad_f1"]
    assert f1.estimate.value == pytest.approx((0.8 + 0.666667) / 2, abs=1e-6)


def test_inacc_and_the_typed_rule_apply_to_every_gold():
    rules = row().answer_rules
    assert [rules[name].estimate.n for name in ("typed_match", "inacc")] == [3, 3]
    assert rules["typed_match"].estimate.numerator == 1


def test_golds_are_counted_by_type():
    assert row().gold_types == {"number": 1, "text": 2}


def test_who_judged_is_counted():
    assert row().judged_by == {
        "correct": {"person": 1, "rule": 2},
        "supported": {"person": 0, "model": 1, "rule": 1, "error": 1},
    }


def test_a_rule_that_applies_to_nothing_is_undefined_with_a_reason():
    found = scorecard([answered("r1", "5", "5")], resamples=2).arm("candidate").answer_rules
    assert found["squad_f1"].estimate.value is None and found["squad_f1"].estimate.reason


def test_no_score_reads_the_published_rules():
    plain = [case(o.request, status=o.status, unresolved=o.unresolved) for o in CASES[:5]]
    with_rules = scorecard(CASES[:5], resamples=50).to_json()
    without = scorecard(plain, resamples=50).to_json()
    silent = {"answer_rules", "gold_types", "judged_by"}
    for one, other in zip(with_rules["arms"], without["arms"], strict=True):
        assert {k: v for k, v in one.items() if k not in silent} == {
            k: v for k, v in other.items() if k not in silent
        }


def test_wrong_answers_are_not_counted_alone_where_no_right_one_could_be_supported():
    """Three right and two wrong answers without a record of what was retrieved: a share of them
    would be 0 of 2, whatever the arm can do."""
    rows = [case(f"r{n}", supported=None, uncheckable=True) for n in range(3)]
    rows += [case(f"w{n}", right=False, supported=None, uncheckable=True) for n in range(2)]
    cell = scorecard(rows, resamples=100).arm("candidate").scores["supported_correct"]
    assert (cell.estimate.value, cell.not_applicable) == (None, 5)


def test_nor_is_the_candidate_then_said_to_have_lost_all_that_it_got_wrong():
    before = [case(f"r{n}", "original") for n in range(5)]
    after = [case(f"r{n}", right=n < 3, supported=None, uncheckable=True) for n in range(5)]
    pair = scorecard(before + after, resamples=100).difference("candidate")
    assert (pair.answers.n, pair.answers.dropped) == (0, {"candidate unjudged": 5})
    assert pair.answers.regression.value is None
    assert pair.answers.worst_regression.value == 1.0
    assert pair.differences["supported_correct"].value is None


def test_percentiles_of_the_latency_are_those_of_the_nearest_rank():
    """The worked examples of the article "Percentile" of Wikipedia: of 15, 20, 35, 40, 50 the 50th
    is 35; of 3, 6, 7, 8, 8, 9, 10, 13, 15, 16, 20 it is 9. The 95th of 1 to 100 is 95."""
    for values, half, most in (
        ((50, 15, 40, 20, 35), 35, 50),
        ((3, 6, 7, 8, 8, 9, 10, 13, 15, 16, 20), 9, 20),
        (range(1, 101), 50, 95),
    ):
        rows = [case(f"r{n:03d}", latency_ms=value) for n, value in enumerate(values)]
        measured = scorecard(rows, resamples=100).arm("candidate").measured
        assert (measured["latency_ms_p50"].value, measured["latency_ms_p95"].value) == (half, most)
        assert measured["latency_ms_p95"].n == len(values)


def test_a_latency_that_nobody_measured_is_no_percentile():
    measured = scorecard([case()], resamples=100).arm("candidate").measured
    assert measured["latency_ms_p95"].value is None


def test_a_request_without_a_call_costs_nothing_where_the_others_cost_something():
    rows = [case("r1", cost=0.01, calls=2), case("r2", cost=0.01, calls=2), case("r3", calls=0)]
    cost = scorecard(rows, resamples=100).arm("candidate").measured["cost"]
    assert (cost.value, cost.n) == (pytest.approx(0.02 / 3), 3)


def test_calls_without_a_known_price_are_no_cost():
    rows = [case("r1", calls=2), case("r2", calls=0)]
    assert scorecard(rows, resamples=100).arm("candidate").measured["cost"].value is None
