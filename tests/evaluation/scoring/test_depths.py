"""Recall by depth and completeness of the required evidence."""

from typing import Any

import pytest

from evaluation.scoring.depths import depths_of, evidence_depths
from evaluation.scoring.evidence import evidence_recall
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.ranking import recall_at


def case(request: str, required: list[list[str]], ranked: list[str], **changed: Any) -> CaseOutcome:
    recall = evidence_recall(required, ranked)
    fields = {
        "ranked_ids": tuple(ranked),
        "own_evidence": tuple(map(tuple, required)),
        "evidence_hit": recall.count("hit"),
        "evidence_required": len(required),
    }
    return CaseOutcome(request, "multi-hop", "cand", **{**fields, **changed})


CASES = [
    case("a", [["d1"], ["d2"]], ["d1", "x", "d2"]),
    case("b", [["d3"], ["d4"]], ["x", "d3", "y"]),
    case("c", [["d5", "d6"]], ["d6"]),
]


def test_a_request_is_complete_when_every_required_item_was_retrieved() -> None:
    complete = evidence_depths(CASES, ()).complete
    assert (complete.numerator, complete.n) == (2, 3)


def test_recall_by_depth_is_trec_evals_recall_where_an_item_is_one_document() -> None:
    rows = CASES[:2]
    found = evidence_depths(rows, (1, 2)).within
    for depth in (1, 2):
        singles = [
            recall_at(o.ranked_ids, {item[0] for item in o.own_evidence}, depth).value for o in rows
        ]
        assert found[depth].value == pytest.approx(sum(filter(None, singles)) / 2)


def test_completeness_by_depth_counts_the_requests_that_were_complete_by_then() -> None:
    found = evidence_depths(CASES, (1, 2)).complete_within
    assert [(found[d].numerator, found[d].n) for d in (1, 2)] == [(1, 3), (1, 3)]


def test_a_request_without_required_evidence_is_in_no_figure() -> None:
    bare = case("d", [], ["x"])
    assert evidence_depths([*CASES, bare], (1,)).within[1].n == 3
    assert evidence_depths([bare], (1,)).complete.value is None


def test_depths_end_before_the_longest_list_of_all_arms() -> None:
    assert depths_of(CASES) == (1, 2)
    assert depths_of([]) == ()
