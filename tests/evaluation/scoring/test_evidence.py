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
