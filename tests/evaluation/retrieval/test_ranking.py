import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.records import Found, Hit
from evaluation.retrieval.ranking import best, merge_round_robin

SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=30)


@given(SCORES, st.integers(1, 40), st.randoms())
def test_best_is_the_head_of_the_whole_sorted_list(scores, k, random) -> None:  # type: ignore[no-untyped-def]
    allowed = [random.random() < 0.7 for _ in scores]
    expected = sorted((-s, i) for i, s in enumerate(scores) if allowed[i])[:k]
    got = best(np.array(scores), np.array(allowed), k)
    assert got == [(i, -s) for s, i in expected]


def test_queries_take_turns_by_rank_and_a_document_counts_once() -> None:
    lists = [[("a", 9.0), ("b", 8.0)], [("b", 3.0), ("c", 2.0)], []]
    assert merge_round_robin(lists, 10) == [
        Hit("a", 1, 9.0, 0, (Found(0, 1),)),
        Hit("b", 2, 3.0, 1, (Found(0, 2), Found(1, 1))),
        Hit("c", 3, 2.0, 1, (Found(1, 2),)),
    ]


def test_one_querys_hits_name_no_lists() -> None:
    assert merge_round_robin([[("a", 9.0)]], 10) == [Hit("a", 1, 9.0, 0)]


def test_the_merged_list_has_at_most_k_hits() -> None:
    assert [h.id for h in merge_round_robin([[("a", 1.0)], [("b", 1.0)]], 1)] == ["a"]


def test_no_queries_give_no_hits() -> None:
    assert merge_round_robin([], 5) == []
