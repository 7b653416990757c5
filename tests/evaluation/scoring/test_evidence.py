"""Evidence recall by the contract (protocol rule R27)."""

import pytest

from evaluation.scoring.evidence import evidence_recall


def statuses(*arguments):
    return [item.status for item in evidence_recall(*arguments).items]


def test_any_id_of_an_item_satisfies_it():
    result = evidence_recall([["d17", "d18"], ["d40"]], ["d18", "d3"])
    assert (result.recall.numerator, result.recall.n, result.recall.value) == (1, 2, 0.5)


def test_a_retrieved_near_miss_is_told_from_nothing():
    assert statuses([["d1"]], ["d9"], {"d9"}) == ["near-miss"]
    assert statuses([["d1"]], ["d8"], {"d9"}) == ["missing"]


def test_each_near_miss_stands_for_one_item_the_best_ranked_first():
    required, found = [["d1"], ["d2"], ["d3"], ["d4"]], ["d9", "d2", "d8"]
    items = evidence_recall(required, found, {"d7", "d8", "d9"}).items
    assert [(item.status, item.document) for item in items] == [
        ("near-miss", "d9"),
        ("hit", "d2"),
        ("near-miss", "d8"),
        ("missing", None),
    ]


def test_a_near_miss_is_not_retrieved():
    with_near, without = (evidence_recall([["d1"]], ["d9"], near) for near in ({"d9"}, ()))
    assert with_near.recall == without.recall


def test_a_required_document_is_never_a_near_miss():
    assert statuses([["d1"], ["d2"]], ["d1"], {"d1"}) == ["hit", "missing"]


def test_nothing_retrieved_is_zero_when_evidence_was_required():
    # ragas #813: contexts [""] scored recall 1.0.
    assert evidence_recall([["d1"]], []).recall.value == 0.0


def test_nothing_required_is_not_applicable():
    assert evidence_recall([], ["d1"]).recall.value is None


def test_an_item_without_a_document_is_refused():
    with pytest.raises(ValueError, match="Required item 2 names no document"):
        evidence_recall([["d1"], []], ["d1"])


def test_a_document_listed_twice_is_refused():
    with pytest.raises(ValueError, match="listed again"):
        evidence_recall([["d1"]], ["d1", "d1"])
