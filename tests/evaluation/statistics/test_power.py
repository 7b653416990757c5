"""What a planned number of requests can show: against SciPy's distributions, statsmodels' test, the
sign test's printed table of critical values and the sample sizes of Wilks.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, multinomial
from statsmodels.stats.contingency_tables import mcnemar

from evaluation.scoring.protocol import ClassRule
from evaluation.scoring.verdict_rules import regression_rule
from evaluation.statistics import (
    clean_requests_needed,
    clopper_pearson,
    largest_passing,
    mcnemar_exact,
    mcnemar_midp,
    mcnemar_power,
    release_power,
    smallest_detectable,
)
from tests.evaluation.scoring.building import arm


@pytest.mark.parametrize(
    ("n", "ceiling", "lost"),
    # Wilks 1941 for 95 % at 95 %: 59 without, 93 with one, 124 with two, 153 with three failures.
    [(59, 0.05, 0), (92, 0.05, 0), (93, 0.05, 1), (124, 0.05, 2), (153, 0.05, 3), (299, 0.01, 0)],
)
def test_the_largest_number_of_losses_that_passes_is_that_of_wilks(n, ceiling, lost):
    found = largest_passing(n, ceiling=ceiling)
    assert (found.numerator, found.value, found.n) == (lost, float(lost), n)


def test_too_few_answers_say_how_many_clean_ones_are_needed():
    found = largest_passing(58, ceiling=0.05)
    assert (found.value, "59 are needed" in found.reason) == (None, True)


@pytest.mark.parametrize(("n", "ceiling"), [(0, 0.05), (500, 0.0)])
def test_no_answer_or_a_ceiling_of_zero_has_no_value_but_a_reason(n, ceiling):
    found = largest_passing(n, ceiling=ceiling)
    assert (found.value, bool(found.reason)) == (None, True)


def test_a_ceiling_of_one_lets_everything_pass():
    assert largest_passing(7, ceiling=1.0).numerator == 7


@settings(deadline=None)
@given(n=st.integers(1, 2_000), ceiling=st.floats(0.001, 0.5), level=st.floats(0.5, 0.999))
def test_one_more_loss_than_the_largest_passing_does_not_pass(n, ceiling, level):
    found = largest_passing(n, ceiling=ceiling, level=level)
    if found.numerator is None:
        assert clean_requests_needed(ceiling, level=level).n > n
        return
    assert found.high <= ceiling
    above = clopper_pearson(found.numerator + 1, n, level=level, side="upper").high
    assert above > ceiling


@pytest.mark.parametrize(("n", "ceiling"), [(59, 0.05), (93, 0.05), (120, 0.2)])
def test_what_was_planned_to_pass_is_what_the_verdict_passes(n, ceiling):
    rule = ClassRule(completeness_floor=0.9, regression_ceiling=ceiling, min_requests=1)
    most = largest_passing(n, ceiling=ceiling).numerator

    def passes(lost):
        original, candidate = (
            arm("original", "+" * n),
            arm("candidate", "-" * lost + "+" * (n - lost)),
        )
        return regression_rule(original, candidate, rule, 0.95, open_as_kept=False).passed

    assert (passes(most), passes(most + 1)) == (True, False)


def test_the_power_of_a_release_is_scipys_binomial_sum():
    # 93 answers may lose one (Wilks).
    found = release_power(93, rate=0.01, ceiling=0.05)
    assert found.value == pytest.approx(binom.cdf(1, 93, 0.01))
    assert (found.numerator, found.n) == (1, 93)


@pytest.mark.parametrize(("rate", "power"), [(0.0, 1.0), (1.0, 0.0)])
def test_a_rewriter_without_losses_always_passes_and_one_of_losses_never(rate, power):
    assert release_power(100, rate=rate, ceiling=0.05).value == power


def test_a_truth_at_the_ceiling_passes_at_most_as_often_as_the_level_allows():
    for n in (60, 200, 1_000, 10_000):
        assert release_power(n, rate=0.05, ceiling=0.05).value <= 0.05 + 1e-12


def test_a_release_out_of_reach_has_power_zero_and_says_why():
    found = release_power(20, rate=0.0, ceiling=0.05)
    assert (found.value, "59 are needed" in found.reason) == (0.0, True)


def test_a_release_without_answers_has_no_power():
    assert release_power(0, rate=0.0, ceiling=0.05).value is None


# Critical values of the sign test, two tails, 0.05 (the table in the appendix of Triola's
# Elementary Statistics).
TRIOLA = {6: 0, 8: 0, 9: 1, 12: 2, 15: 3, 17: 4, 20: 5, 23: 6, 25: 7}


@pytest.mark.parametrize(("n", "critical"), TRIOLA.items())
def test_where_every_request_differs_it_is_the_power_of_the_sign_test(n, critical):
    power = mcnemar_power(n, regression=0.3, gain=0.7).value
    expected = binom.cdf(critical, n, 0.3) + binom.sf(n - critical - 1, n, 0.3)
    assert power == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 5])
def test_five_requests_can_never_reach_five_per_cent(n):
    assert mcnemar_power(n, regression=0.0, gain=1.0).value == 0.0


def by_enumeration(n, regression, gain, alpha, p):
    """Every outcome of `n` requests with its multinomial probability."""
    lost_and_gained = [(b, c) for b in range(n + 1) for c in range(n - b + 1)]
    chances = multinomial(n, [regression, gain, 1 - regression - gain])
    return sum(
        chances.pmf([b, c, n - b - c]) for b, c in lost_and_gained if p(b, c) <= alpha + 1e-12
    )


@pytest.mark.parametrize(("regression", "gain"), [(0.05, 0.4), (0.2, 0.2), (0.0, 0.6)])
def test_the_power_is_the_sum_over_every_outcome_that_statsmodels_rejects(regression, gain):
    def p(b, c):
        return mcnemar([[0, b], [c, 0]], exact=True).pvalue if b + c else 1.0

    expected = by_enumeration(18, regression, gain, 0.05, p)
    found = mcnemar_power(18, regression=regression, gain=gain).value
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("p", [mcnemar_exact, mcnemar_midp])
@settings(max_examples=20, deadline=None)
@given(
    n=st.integers(1, 16),
    tenths=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    alpha=st.sampled_from([0.01, 0.05, 0.0625, 0.1, 0.5]),
)
def test_the_power_is_the_sum_over_every_outcome_that_the_test_rejects(p, n, tenths, alpha):
    regression, gain = tenths[0] / 10, tenths[1] / 10
    expected = by_enumeration(n, regression, gain, alpha, lambda b, c: p(b, c).value)
    found = mcnemar_power(n, regression=regression, gain=gain, alpha=alpha, test=p.__name__)
    assert found.value == pytest.approx(expected, abs=1e-12)


def test_the_exact_test_keeps_its_size_and_says_that_this_is_a_false_alarm():
    found = mcnemar_power(200, regression=0.1, gain=0.1)
    assert found.value <= 0.05
    assert "false alarm" in found.reason


def test_no_request_that_differs_is_never_found():
    assert mcnemar_power(100, regression=0.0, gain=0.0).value == 0.0


def test_a_hundred_thousand_requests_are_no_trouble():
    found = mcnemar_power(100_000, regression=0.1, gain=0.106)
    # The normal approximation of Lachin 1992: Phi(d sqrt(n) / sqrt(psi) - 1.96), here 0.986.
    assert found.value == pytest.approx(0.986, abs=0.002)


@pytest.mark.parametrize(("n", "discordant"), [(200, 0.2), (50, 0.5), (1_000, 0.05)])
def test_the_smallest_difference_has_just_the_power_asked_for(n, discordant):
    d = smallest_detectable(n, discordant=discordant).value

    def power(difference):
        gain = (discordant + difference) / 2
        return mcnemar_power(n, regression=discordant - gain, gain=gain).value

    assert power(d) == pytest.approx(0.8, abs=1e-6)
    assert power(d - 1e-4) < 0.8


def test_more_requests_find_smaller_differences():
    found = [smallest_detectable(n).value for n in (100, 200, 500, 2_000, 100_000)]
    assert found == sorted(found, reverse=True)


def test_too_few_requests_for_any_difference_say_so():
    found = smallest_detectable(20, discordant=0.2)
    assert (found.value, "more requests" in found.reason, found.n) == (None, True, 20)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: largest_passing(-1, ceiling=0.05), "cannot be negative"),
        (lambda: largest_passing(1, ceiling=5), "ceiling is 5"),
        (lambda: release_power(1, rate=2, ceiling=0.05), "rate is 2"),
        (lambda: mcnemar_power(1, regression=0.7, gain=0.6), "sum to at most 1"),
        (lambda: mcnemar_power(1, regression=0.1, gain=0.6, alpha=5), "alpha is 5"),
        (lambda: mcnemar_power(1, regression=0.1, gain=0.6, test="t"), "mcnemar_exact"),
        (lambda: smallest_detectable(10, power=80), "power is 80"),
        (lambda: smallest_detectable(10, discordant=0), "nothing to find"),
    ],
)
def test_impossible_plans_are_refused_with_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
