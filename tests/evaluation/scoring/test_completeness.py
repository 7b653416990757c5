"""Preservation and completeness; the acceptance protocol's 200-request example, ratio by ratio."""

import pytest

from evaluation.scoring.completeness import count_faults, critical_completeness, preservation
from tests.evaluation.scoring.building import case, judged


def preserved(*cases):
    return preservation(cases, resamples=100)


def test_513_of_540_preserved_constraints_are_95_percent():
    cases = [case(f"r{i}", "c", *["stated"] * 3) for i in range(171)]
    cases += [case(f"s{i}", "c", *["dropped"] * 3) for i in range(9)]
    pooled = preserved(*cases).pooled.worst
    assert (pooled.numerator, pooled.n, pooled.value) == (513, 540, 0.95)


def test_164_of_200_complete_requests_are_82_percent():
    cases = [case(f"r{i}", "c", "stated" if i < 164 else "altered") for i in range(200)]
    rate = critical_completeness(cases).overall.worst
    assert (rate.numerator, rate.n, rate.value) == (164, 200, 0.82)


def test_the_examples_totals_contradict_each_other():
    (fault,) = count_faults(constraints=540, preserved=513, requests=200, complete=164)
    assert "36 requests are incomplete, but only 27 constraints are lost" in fault


def test_nine_breaking_additions_would_reconcile_the_example():
    totals = {"constraints": 540, "preserved": 513, "requests": 200, "complete": 164}
    assert count_faults(**totals, breaking_additions=9) == ()


def test_a_hundred_critical_constraints_leave_a_hundred_requests_vacuous():
    totals = {"constraints": 540, "preserved": 504, "requests": 200, "complete": 164}
    (fault,) = count_faults(**totals, critical_constraints=100, vacuous=90)
    assert "at least 100 of 200 are vacuously complete" in fault


def test_a_constraint_carried_by_a_filter_is_preserved():
    assert preserved(case("r1", "c", "filtered")).pooled.worst.value == 1.0


def test_the_mean_per_request_weighs_requests_and_not_constraints():
    score = preserved(case("r1", "c", "dropped"), case("r2", "c", "stated", "stated", "stated"))
    assert (score.pooled.worst.value, score.per_request.worst.value) == (0.75, 0.5)


def test_an_unsure_judgement_gives_a_worst_and_a_best_case():
    pooled = preserved(case("r1", "c", "unsure", "stated")).pooled
    assert (pooled.worst.value, pooled.best.value, pooled.open) == (0.5, 1.0, 1)


def test_additions_are_counted_beside_preservation():
    score = preserved(case("r1", added_kinds=("time", "status")), case("r2"))
    assert (score.pooled.worst.value, score.additions.value, score.additions.numerator) == (1, 1, 2)


def test_an_addition_to_a_critical_dimension_breaks_completeness():
    score = critical_completeness([case(added_kinds=("time",))])
    assert (score.overall.worst.value, score.broken_by_addition) == (0.0, 1)


def test_an_addition_elsewhere_does_not_break_completeness():
    assert critical_completeness([case(added_kinds=("status",))]).overall.worst.value == 1.0


def test_a_request_without_critical_constraint_is_complete_and_counted_apart():
    minor = case("r1", judgements=judged("dropped", critical=False))
    score = critical_completeness([minor, case("r2", "c", "dropped")])
    values = score.overall.worst.value, score.with_critical.worst.value, score.vacuous
    assert values == (0.5, 0.0, 1)


@pytest.mark.parametrize("fields", [{"unresolved": True}, {"status": "timed_out"}])
def test_unresolved_and_failed_requests_are_in_no_denominator(fields):
    score = critical_completeness([case("r1"), case("r2", "c", "dropped", **fields)])
    assert (score.overall.worst.value, score.overall.worst.n) == (1.0, 1)


def test_no_constraint_at_all_has_no_value():
    assert preserved(case(judgements=())).pooled.worst.value is None
