"""The public functions of agreement over plain labels. Right values: Krippendorff 2011 and the data
of public trackers, named at each; the packages krippendorff, statsmodels and scikit-learn.
"""

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from contracts.agreement import cohen_kappa, gwet_ac1, krippendorff_alpha, percent_agreement


def units_of(*raters):
    """One text a rater, a letter a unit, a dot where there is none."""
    return [[None if c == "." else c for c in unit] for unit in zip(*raters, strict=True)]


def numbers(units):
    return [[None if label is None else int(label) for label in unit] for unit in units]


# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", as quoted in
# jmgirard/mReliability #6.
BINARY = units_of("0100000010", "1110010000")
NOMINAL = units_of("112243335441", "212223335444")
FOUR = units_of("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


@pytest.mark.parametrize(
    ("units", "alpha", "n"),
    [(BINARY, 0.0952381, 10), (NOMINAL, 0.691964, 12), (FOUR, 0.743421, 11)],
)
def test_alpha_is_that_of_krippendorffs_examples(units, alpha, n):
    found = krippendorff_alpha(units)
    assert (found.value, found.n) == (pytest.approx(alpha, abs=5e-7), n)


@pytest.mark.parametrize(
    ("level", "alpha"),
    # The same paper, section D, on the same four observers.
    [("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_at_the_other_levels_is_that_of_krippendorffs_example(level, alpha):
    found = krippendorff_alpha(numbers(FOUR), level=level)
    assert found.value == pytest.approx(alpha, abs=5e-4)


def test_raw_agreement_and_ac1_of_the_four_observers_are_those_of_irrcac():
    raw, ac1 = percent_agreement(FOUR), gwet_ac1(FOUR, categories="12345")
    assert (raw.value, raw.n) == (pytest.approx(0.818182, abs=5e-7), 11)
    assert (ac1.value, ac1.n) == (pytest.approx(0.775444, abs=5e-7), 11)


def test_the_number_of_categories_does_as_well_as_their_list():
    assert gwet_ac1(FOUR, categories=5) == gwet_ac1(FOUR, categories=list("12345"))


def test_a_category_that_nobody_chose_counts_in_ac1():
    # By hand: pa = 1/2, shares 3/4 and 1/4; (3/16 + 3/16) / 1 against the same / 2.
    units = [["a", "a"], ["a", "b"]]
    assert gwet_ac1(units, categories=2).value == pytest.approx((0.5 - 0.375) / (1 - 0.375))
    assert gwet_ac1(units, categories=3).value == pytest.approx((0.5 - 0.1875) / (1 - 0.1875))


# fast-krippendorff #11 and o-P-o/disagree #7, confirmed there by Krippendorff himself.
STRAY = [list("33333"), list("3333"), list("3333"), list("3333"), list("33313")]


def test_one_stray_label_takes_alpha_to_exactly_zero_beside_ninety_two_per_cent():
    assert krippendorff_alpha(STRAY).value == pytest.approx(0.0, abs=1e-12)
    assert percent_agreement(STRAY).value == pytest.approx(0.92)
    assert gwet_ac1(STRAY, categories=5).value > 0.9


# nltk #2865: 0.33 where a gap is taken for a label.
GAPS = [[1, 1, None], [1, 1, 1], [None, 2, 2]]


@pytest.mark.parametrize("gap", [None, math.nan, np.float64("nan")])
def test_a_gap_is_no_label(gap):
    units = [[gap if label is None else label for label in unit] for unit in GAPS]
    assert krippendorff_alpha(units).value == pytest.approx(1.0)


def test_short_units_are_units_with_gaps_at_their_end():
    assert krippendorff_alpha([[1, 1], [1, 1, 1], [2, 2]]) == krippendorff_alpha(GAPS)


def test_kappa_is_that_of_statsmodels():
    # 20 items: both yes 2, both no 16, one disagreement each way: raw 0.90, kappa 0.608.
    a, b = [1, 1] + [0] * 16 + [1, 0], [1, 1] + [0] * 16 + [0, 1]
    found = cohen_kappa(a, b)
    expected = cohens_kappa([[16, 1], [1, 2]], return_results=False)
    assert (found.value, found.n) == (pytest.approx(expected), 20)


def test_kappa_leaves_out_units_that_one_of_the_two_left_out():
    assert cohen_kappa([1, 0, 1, None], [1, 0, 0, 1]) == cohen_kappa([1, 0, 1], [1, 0, 0])


SAME = [["a", "a"], ["a", "a", "a"], ["a"]]


def test_one_category_only_has_raw_agreement_and_no_alpha():
    # The Python package raises, dkpro-statistics chose 1.0: neither is a number that was measured.
    raw, alpha = percent_agreement(SAME), krippendorff_alpha(SAME)
    assert (raw.value, raw.n) == (1.0, 2)
    assert (alpha.value, alpha.n) == (None, 2)
    assert alpha.reason.startswith("No variation") and alpha.reason.endswith(".")


def test_kappa_of_raters_who_always_say_the_same_is_not_defined():
    found = cohen_kappa("aaa", "aaa")
    assert (found.value, found.n, bool(found.reason)) == (None, 3, True)


def test_one_offered_category_leaves_ac1_undefined():
    assert gwet_ac1(SAME, categories=["a"]).value is None


@pytest.mark.parametrize("units", [[], [[]], [["a"], ["b", None]], [[None, None]]])
def test_no_unit_with_two_labels_has_no_number_but_a_reason(units):
    for found in (
        percent_agreement(units),
        krippendorff_alpha(units),
        krippendorff_alpha([], level="interval"),
        gwet_ac1(units, categories=2),
        cohen_kappa(["a", None], [None, "a"]),
        cohen_kappa([], []),
    ):
        assert (found.value, found.n) == (None, 0)
        assert found.reason == "No unit has two ratings."


def test_ac1_of_open_values_is_not_defined():
    found = gwet_ac1(FOUR, categories=None)
    assert (found.value, "open" in found.reason) == (None, True)


@pytest.mark.parametrize(
    ("level", "labels"),
    [("interval", [1, math.inf]), ("ratio", [-1, 1]), ("ordinal", [2, 10**400])],
)
def test_numbers_without_a_distance_give_a_sentence(level, labels):
    found = krippendorff_alpha([labels, labels], level=level)
    assert (found.value, bool(found.reason), found.n) == (None, True, 2)


def test_a_number_and_its_text_are_two_labels():
    assert percent_agreement([[1, "1"]]).value == 0.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: percent_agreement(["yes", "no"]), "Unit 'yes' is a text"),
        (lambda: percent_agreement([[["a"], ["a"]]]), "cannot be compared"),
        (lambda: krippendorff_alpha(BINARY, level="metric"), "nominal, ordinal, interval, ratio"),
        (lambda: krippendorff_alpha([["a", "b"]], level="ordinal"), "'a' is no number"),
        (lambda: gwet_ac1(BINARY, categories=[]), "categories is empty"),
        (lambda: gwet_ac1(BINARY, categories=["0"]), "'1' is none of the declared"),
        (lambda: gwet_ac1(FOUR, categories=4), "5 different labels but 4 categories"),
        (lambda: cohen_kappa([1], [1, 0]), "1 and 2 labels"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused_with_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()


rated = st.lists(
    st.lists(st.none() | st.integers(1, 4), min_size=3, max_size=3), min_size=1, max_size=15
)


@settings(deadline=None)
@given(rated, st.sampled_from(["nominal", "ordinal", "interval", "ratio"]))
def test_alpha_is_the_packages_at_every_level(units, level):
    found = krippendorff_alpha(units, level=level)
    if found.value is not None:
        data = np.array([[np.nan if c is None else c for c in unit] for unit in units]).T
        expected = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
        assert found.value == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=20))
def test_kappa_is_scikit_learns(pairs):
    a, b = zip(*pairs, strict=True)
    found = cohen_kappa(a, b)
    if found.value is not None:
        assert found.value == pytest.approx(cohen_kappa_score(a, b), abs=1e-12)


@settings(deadline=None)
@given(rated, st.randoms())
def test_neither_the_order_of_units_nor_of_labels_matters(units, rng):
    moved = [rng.sample(unit, len(unit)) for unit in rng.sample(units, len(units))]
    for one, other in (
        (percent_agreement(units), percent_agreement(moved)),
        (krippendorff_alpha(units), krippendorff_alpha(moved)),
        (gwet_ac1(units, categories=4), gwet_ac1(moved, categories=4)),
    ):
        assert (one.n, one.reason) == (other.n, other.reason)
        assert (one.value is None) or one.value == pytest.approx(other.value, abs=1e-12)


@settings(deadline=None)
@given(rated)
def test_no_coefficient_leaves_its_range(units):
    for found, least in (
        (percent_agreement(units), 0.0),
        (krippendorff_alpha(units), -1.0),
        (gwet_ac1(units, categories=4), -1.0),
    ):
        assert found.value is None or least - 1e-12 <= found.value <= 1.0 + 1e-12
