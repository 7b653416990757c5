"""Twin pairs by family, with the paired accuracy of the rankings (protocol rules R23, R34)."""

import pytest

from evaluation.scoring.families import family_results, paired_accuracy
from tests.evaluation.scoring.building import pair


def ranked(number, base_first, twin_first, **fields):
    firsts = {"base_first": base_first, "twin_first": twin_first}
    return pair(number, True, **(firsts | fields))


def test_a_family_counts_pairs_and_leaves_unassessed_ones_out():
    rows = [pair(1, True), pair(2, False), pair(3, None)]
    (family,) = family_results(rows)
    counts = family.passes.worst.numerator, family.passes.worst.n, family.not_assessed
    assert counts == (1, 2, 1)


def test_paired_accuracy_counts_a_pair_only_when_both_sides_are_right():
    rows = [ranked(1, True, True), ranked(2, True, False), ranked(3, False, True)]
    found = paired_accuracy([*rows, ranked(4, None, None)])
    assert (found.paired.numerator, found.paired.n, found.pairs) == (1, 3, 4)
    assert (found.single.numerator, found.single.rows) == (4, 6)


def test_without_shared_bases_the_interval_is_wilsons():
    # Newcombe 1998: 1 of 29 is 0.0061 to 0.1718.
    paired = paired_accuracy([ranked(n, True, n == 0) for n in range(29)]).paired
    assert (paired.low, paired.high) == (pytest.approx(0.0061, 1e-2), pytest.approx(0.1718, 1e-3))


def test_pairs_of_one_base_are_drawn_together():
    # Five bases of ten equal pairs: a base is one observation, whatever its pairs (0.3347 is the
    # standard error by request for values 1, 0, 1, -1, 0; here 0 and 1: sqrt(.4 * .6 / 5)).
    rows = [
        ranked(10 * base + n, True, base < 2, base=f"b{base}")
        for base in range(5)
        for n in range(10)
    ]
    paired = paired_accuracy(rows).paired
    assert (paired.numerator, paired.rows, paired.n) == (20, 50, 5)
    assert paired.standard_error == pytest.approx((0.4 * 0.6 / 5) ** 0.5, rel=0.05)


@pytest.mark.parametrize(("first", "low", "high"), [(False, 0.0, 0.1611), (True, 0.8389, 1.0)])
def test_pairs_that_are_all_alike_count_each_base_once(first, low, high):
    # Newcombe 1998: 0 of 20 is 0 to 0.1611; here 20 bases of two pairs each.
    paired = paired_accuracy([ranked(n, True, first, base=f"b{n // 2}") for n in range(40)]).paired
    assert (paired.low, paired.high) == (
        pytest.approx(low, abs=1e-4),
        pytest.approx(high, abs=1e-4),
    )
    assert (paired.rows, paired.n, paired.numerator) == (40, 20, 40 * first)


def test_the_result_says_how_many_bases_the_pairs_have_and_what_chance_is():
    rows = [ranked(1, True, True, base="b"), ranked(2, True, True, base="b")]
    told = family_results(rows)[0].to_json()["ranking"]
    assert (told["pairs"], told["bases"], told["chance"]) == (2, 1, 0.25)


def test_the_order_of_the_pairs_changes_nothing():
    rows = [ranked(n, True, n % 2 == 0, base=f"b{n % 3}") for n in range(9)]
    assert paired_accuracy(rows) == paired_accuracy(rows[::-1])


def test_without_evidence_on_both_sides_there_is_no_paired_accuracy():
    found = paired_accuracy([ranked(1, None, None)]).paired
    assert (found.value, found.reason[:25]) == (None, "No assessed pair requires")
