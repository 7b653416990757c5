"""Which side's evidence the rankings of a pair prefer."""

import itertools

import pytest

from evaluation.scoring.preference import CHANCE_BOTH, preference
from tests.evaluation.scoring.building import case


def side(own, ranked, groups=(), **fields):
    evidence = tuple((key,) for key in own)
    return case(own_evidence=evidence, ranked_ids=tuple(ranked), tie_groups=groups, **fields)


def both(base, twin):
    found = preference(base, twin)
    return found.base_first, found.twin_first


def test_rankings_by_chance_are_right_on_both_sides_in_a_quarter():
    # Weller, Lawrie and Van Durme 2024, section 3: two documents, two queries, chance 25 %.
    orders = list(itertools.product(["ab", "ba"], repeat=2))
    right = [preference(side("a", one), side("b", other)).evidence for one, other in orders]
    assert sum(right) / len(right) == CHANCE_BOTH == 0.25


def test_a_retriever_that_ignores_the_qualifier_is_right_on_one_side_and_never_on_both():
    found = preference(side("a", "ab"), side("b", "ab"))
    assert (found.base_first, found.twin_first, found.evidence, found.same_first) == (
        True,
        False,
        False,
        True,
    )


@pytest.mark.parametrize(
    ("ranked", "groups", "right"),
    [
        ("ab", (0, 1), True),
        ("ab", (0, 0), False),
        ("axb", (0, 0, 0), False),
        ("axb", (0, 0, 1), True),
        ("xab", (0, 0, 1), True),
        ("ba", (), False),
        ("a", (), True),
        ("x", (), False),
        ("", (), False),
    ],
)
def test_only_a_better_score_is_a_preference(ranked, groups, right):
    assert both(side("a", ranked, groups), side("b", "b"))[0] is right


def test_one_own_document_above_every_foreign_one_is_enough():
    assert both(side("ac", "abc"), side("b", "b")) == (True, True)


def test_a_tie_is_told_from_a_wrong_order():
    tie, wrong = side("a", "ab", (0, 0)), side("a", "ba", (0, 1))
    assert [preference(one, side("b", "b")).tied for one in (tie, wrong)] == [True, False]


def test_sides_that_share_all_evidence_have_nothing_to_prefer():
    found = preference(side("a", "a"), side("a", "a"))
    assert (found.evidence, found.base_first, found.same_first) == (True, None, True)


def test_a_side_whose_evidence_the_other_needs_too_enters_no_paired_accuracy():
    found = preference(side("a", "ab"), side("ab", "ba"))
    assert (found.evidence, found.base_first) == (True, None)


def test_an_unresolved_side_has_no_ranking_to_compare():
    assert preference(side("a", "a", unresolved=True), side("b", "b")).evidence is None
