"""Ranking measures against the READMEs and issues of the tools people trust."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from evaluation.scoring.ranking import ndcg_at, recall_at, reciprocal_rank


@pytest.mark.parametrize(
    ("ranked", "grades", "value"),
    [
        # pytrec_eval's README, its scores in rank order.
        (["d3", "d1", "d2"], {"d1": 0, "d2": 1, "d3": 0}, 0.5),
        (["d1", "d3", "d2"], {"d2": 1, "d3": 1}, 0.6934264036172708),
    ],
)
def test_ndcg_gives_the_values_of_pytrec_evals_readme(ranked, grades, value):
    assert ndcg_at(ranked, grades, 10).value == pytest.approx(value)


# ir_measures #34: Q0 and Q1 of its example, in rank order.
Q0 = (["D0", "D1"], {"D0": 0, "D1": 1})
Q1 = (["D3", "D0"], {"D0": 0, "D3": 2})


def test_mean_ndcg_is_that_of_ir_measures():
    mean = (ndcg_at(*Q0, 10).value + ndcg_at(*Q1, 10).value) / 2
    assert mean == pytest.approx(0.8154648767857288)


def test_mean_reciprocal_rank_is_that_of_ir_measures():
    values = [reciprocal_rank(Q0[0], {"D1"}, 10).value, reciprocal_rank(Q1[0], {"D3"}, 10).value]
    assert sum(values) / 2 == 0.75


def test_recall_is_that_of_ir_measures():
    assert recall_at(Q0[0], {"D1"}, 1000).value == 1.0


CLASSIC = dict(zip("abcdef", (3, 2, 3, 0, 1, 2), strict=True))


def test_ndcg_gives_the_classic_worked_example():
    assert ndcg_at("abcdef", CLASSIC, 6).value == pytest.approx(0.960808, abs=1e-6)


def test_the_ideal_list_holds_documents_that_were_not_retrieved():
    grades = CLASSIC | {"g": 3, "h": 2}
    assert ndcg_at("abcdef", grades, 6).value == pytest.approx(0.785002, abs=1e-6)


def test_recall_divides_by_all_relevant_documents_as_trec_eval_does():
    assert recall_at(["a", "b"], set("abcde"), 2).value == 0.4


def test_nothing_retrieved_is_zero():
    assert recall_at([], {"a"}, 5).value == 0.0


def test_nothing_relevant_has_no_value():
    results = recall_at(["a"], set(), 5), ndcg_at(["a"], {"a": 0}, 5), reciprocal_rank(["a"], [])
    assert [result.value for result in results] == [None, None, None]


def test_the_first_relevant_document_beyond_the_cutoff_counts_nothing():
    assert reciprocal_rank(["x", "y", "a"], {"a"}, 2).value == 0.0


@pytest.mark.parametrize(
    "measure",
    [
        lambda ranked: recall_at(ranked, {"a"}, 2),
        lambda ranked: ndcg_at(ranked, {"a": 1}, 2),
        lambda ranked: reciprocal_rank(ranked, {"a"}),
    ],
)
def test_a_document_listed_twice_is_refused(measure):
    # pytrec_eval #50: duplicates gave recall 2.0 and nDCG above 1.
    with pytest.raises(ValueError, match="'a' is listed again at rank 2"):
        measure(["a", "a"])


# trec_eval #22: a 0, b 1, c 0. Its run ties b and c and reads them as c, b; here the list decides.
@pytest.mark.parametrize(("ranked", "value"), [("ba", 1.0), ("cb", 0.6309), ("bc", 1.0)])
def test_the_order_given_decides_where_scores_tie(ranked, value):
    found = ndcg_at(ranked, {"a": 0, "b": 1, "c": 0}, 10).value
    assert found == pytest.approx(value, abs=5e-5)


def test_two_of_five_relevant_fill_the_first_two_ranks():
    # pytrec_eval and ranx: recall@2 0.4 (not capped at 2 as in BEIR), nDCG@2 1.0.
    grades = dict.fromkeys("abcde", 1)
    found = recall_at("abxyz", "abcde", 2), ndcg_at("abxyz", grades, 2)
    assert [(one.value, one.n) for one in found] == [(0.4, 5), (pytest.approx(1.0), 5)]


def test_a_negative_grade_counts_as_none():
    assert ndcg_at("ab", {"a": -2, "b": 1}, 2) == ndcg_at("ab", {"a": 0, "b": 1}, 2)


def test_the_name_of_a_measure_says_its_cutoff():
    assert [reciprocal_rank("a", "a", k).method for k in (None, 10)] == ["reciprocal_rank", "rr@10"]


@pytest.mark.parametrize("k", [0, -1])
def test_a_cutoff_below_one_is_refused(k):
    with pytest.raises(ValueError, match="a cutoff is at least 1"):
        recall_at("a", "a", k)


def test_a_grade_that_is_not_a_number_is_refused():
    with pytest.raises(ValueError, match="grade of 'a' is nan"):
        ndcg_at("a", {"a": float("nan")}, 1)


graded = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 3))
cutoffs = st.integers(1, 8)


@settings(deadline=None)
@given(st.permutations("abcdef"), graded, cutoffs)
def test_every_value_lies_between_zero_and_one(ranked, grades, k):
    relevant = [document for document, grade in grades.items() if grade > 0]
    for found in (
        recall_at(ranked, relevant, k),
        ndcg_at(ranked, grades, k),
        reciprocal_rank(ranked, relevant, k),
    ):
        assert (found.value is None) == (not relevant)
        assert found.value is None or 0.0 <= found.value <= 1.0 + 1e-12


@settings(deadline=None)
@given(st.permutations("abcdef"), st.lists(st.integers(0, 3), min_size=6, max_size=6), cutoffs)
def test_ndcg_is_scikit_learns(ranked, grades, k):
    of = dict(zip("abcdef", grades, strict=True))
    found = ndcg_at(ranked, of, k).value
    if found is not None:
        in_order = [[of[document] for document in ranked]]
        expected = ndcg_score(in_order, [[6, 5, 4, 3, 2, 1]], k=k)
        assert found == pytest.approx(expected)


@settings(deadline=None)
@given(graded, st.randoms())
def test_the_order_of_judgements_changes_nothing(grades, rng):
    moved = dict(rng.sample(list(grades.items()), len(grades)))
    assert ndcg_at("abcdef", grades, 4) == ndcg_at("abcdef", moved, 4)
    assert recall_at("abcdef", list(grades), 4) == recall_at("abcdef", list(moved), 4)


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6))
def test_exactly_the_lists_with_a_document_twice_are_refused(ranked):
    if len(set(ranked)) == len(ranked):
        assert recall_at(ranked, "a", 3).value is not None
        return
    with pytest.raises(ValueError, match="is listed again"):
        recall_at(ranked, "a", 3)
