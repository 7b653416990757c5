"""Ranking measures against the READMEs and issues of the tools people trust."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.permutations("abcdef"), st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 3)))
def test_every_value_lies_between_zero_and_one(ranked, grades):
    value = ndcg_at(ranked, grades, 4).value
    assert value is None or 0.0 <= value <= 1.0 + 1e-12
