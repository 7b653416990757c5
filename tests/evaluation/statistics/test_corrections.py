"""Holm and Benjamini-Hochberg against worked examples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from evaluation.statistics import benjamini_hochberg, holm

# Benjamini and Hochberg 1995, section 3.2: fifteen p-values of a thrombolysis trial.
TRIAL = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
TRIAL += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]


def values(results):
    return [result.value for result in results]


def test_holm_takes_the_running_maximum():
    # statsmodels multipletests(method="holm"); without the maximum the third is 0.04.
    assert values(holm([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_takes_the_running_minimum():
    expected = [0.02, 0.04, 0.04, 0.02]
    assert values(benjamini_hochberg([0.01, 0.04, 0.03, 0.005])) == pytest.approx(expected)


def test_holm_rejects_three_of_the_trials_hypotheses():
    assert sum(p <= 0.05 for p in values(holm(TRIAL))) == 3


def test_benjamini_hochberg_rejects_four_of_the_trials_hypotheses():
    adjusted = values(benjamini_hochberg(TRIAL))
    assert (sum(p <= 0.05 for p in adjusted), adjusted[3]) == (4, pytest.approx(0.035625))


def test_an_untestable_member_keeps_its_place_with_one():
    results = holm([0.01, None, 0.04])
    assert (values(results), bool(results[1].reason)) == (
        pytest.approx([0.03, 1.0, 0.08]),
        True,
    )


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_an_empty_family_stays_empty(correct):
    assert correct([]) == ()


def test_a_p_value_that_is_not_a_number_is_refused():
    with pytest.raises(ValueError, match=r"p\[1\] is nan"):
        holm([0.01, float("nan")])


@pytest.mark.parametrize(("correct", "name"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])
@settings(deadline=None)
@given(p=st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.05]), min_size=1, max_size=12))
def test_the_adjusted_values_are_statsmodels(correct, name, p):
    assert values(correct(p)) == pytest.approx(list(multipletests(p, method=name)[1]))


@settings(deadline=None)
@given(p=st.lists(st.none() | st.floats(0, 1), max_size=8), data=st.data())
def test_neither_their_order_nor_ties_change_what_a_p_value_becomes(p, data):
    order = data.draw(st.permutations(range(len(p))))
    moved = values(holm([p[i] for i in order]))
    assert moved == [values(holm(p))[i] for i in order]


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_a_family_of_one_is_not_corrected(correct):
    assert values(correct([0.03])) == [0.03]


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_a_family_without_one_test_keeps_all_its_places(correct):
    results = correct([None, None])
    assert [(r.value, r.n, bool(r.reason)) for r in results] == [(1.0, 2, True)] * 2


@pytest.mark.parametrize("p", [-0.01, 1.01])
def test_a_p_value_outside_zero_to_one_is_refused(p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        benjamini_hochberg([p])
