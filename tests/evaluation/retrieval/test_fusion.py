"""Reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009, k = 60), sums by hand."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.records import Found
from evaluation.retrieval.fusion import Ranking, fuse

LISTS = st.lists(st.permutations(range(8)).map(lambda p: p[:5]), min_size=1, max_size=5)


def test_a_score_is_the_sum_of_one_over_sixty_plus_rank() -> None:
    # 0: 1/61 + 1/63; 1: 1/62 + 1/61; 2: 1/63; 3: 1/62.
    fused = fuse([Ranking([0, 1, 2], 0), Ranking([1, 3, 0], 1)], k=10)
    assert [one.position for one in fused] == [1, 0, 3, 2]
    by_hand = [123 / 3782, 124 / 3843, 1 / 62, 1 / 63]
    assert [one.score for one in fused] == pytest.approx(by_hand, rel=1e-15)


def test_two_seconds_rank_above_one_first() -> None:
    # The paper's reason for k: 2/62 > 1/61.
    fused = fuse([Ranking([5, 7], 0), Ranking([6, 7], 1)], k=3)
    assert [one.position for one in fused] == [7, 5, 6]


def test_ties_fall_to_the_lower_position() -> None:
    fused = fuse([Ranking([9, 4], 0), Ranking([4, 9], 1)], k=2)
    assert [one.position for one in fused] == [4, 9]
    assert fused[0].score == fused[1].score


def test_equal_sums_are_equal_in_whatever_order_the_lists_come() -> None:
    ranks = ([3, 1, 2], [1, 2, 3], [2, 3, 1])
    orders = {
        tuple((one.position, one.score) for one in fuse([Ranking(r, 0) for r in lists], k=3))
        for lists in permutations(ranks)
    }
    assert len(orders) == 1


@given(LISTS)
def test_the_order_is_that_of_exact_fractions(lists: list[list[int]]) -> None:
    exact: dict[int, Fraction] = {}
    for ranked in lists:
        for rank, at in enumerate(ranked, start=1):
            exact[at] = exact.get(at, Fraction(0)) + Fraction(1, 60 + rank)
    fused = fuse([Ranking(ranked, n) for n, ranked in enumerate(lists)], k=8)
    assert [one.position for one in fused] == sorted(exact, key=lambda at: (-exact[at], at))


def test_a_weight_multiplies_a_lists_share_and_zero_leaves_it_out() -> None:
    lists = [Ranking([0], 0, weight=2.0), Ranking([1], 0), Ranking([2], 0, weight=0.0)]
    fused = fuse(lists, k=5)
    assert [(one.position, one.score) for one in fused] == [(0, 2 / 61), (1, 1 / 61)]


def test_every_document_says_which_query_found_it_at_which_rank() -> None:
    [first, _second] = fuse([Ranking([0, 1], 0, by="bm25"), Ranking([1], 2, by="dense")], k=2)
    assert first.position == 1 and first.query == 2  # 1/61 there, 1/62 here
    assert first.found == (Found(0, 2, "bm25"), Found(2, 1, "dense"))


def test_nothing_fuses_to_nothing() -> None:
    assert fuse([], k=5) == fuse([Ranking([], 0)], k=5) == []
