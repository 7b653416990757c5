"""What an outcome refuses, and what counts as a supported and correct answer."""

import pytest

from evaluation.scoring.outcomes import index_by_request
from tests.evaluation.scoring.building import case, judged


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"status": "failed"}, "status 'failed' is unknown"),
        ({"evidence_hit": 2}, "2 of 1 required items"),
        ({"near_misses": 1}, "near misses exceed"),
        ({"ranked_ids": ("a", "b"), "tie_groups": (0,)}, "one number for each ranked document"),
        ({"added_kinds": ("colour",)}, "kind 'colour'"),
        ({"judgements": judged("kept")}, "judgement 'kept'"),
        ({"judgements": judged("stated") * 2}, "judged twice"),
    ],
)
def test_an_impossible_outcome_is_refused_by_a_sentence_that_names_the_case(fields, message):
    with pytest.raises(ValueError, match=f"Case 'r1' under 'candidate': .*{message}"):
        case(**fields)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, True),
        ({"supported": False}, False),
        ({"right": False, "supported": None}, False),
        ({"supported": None}, None),
        ({"right": None}, None),
        ({"status": "abstained"}, False),
    ],
)
def test_supported_correct_needs_both(fields, expected):
    assert case(**fields).supported_correct is expected


def test_a_request_that_occurs_twice_is_refused():
    with pytest.raises(ValueError, match="'r1' occurs twice"):
        index_by_request([case(), case()])
