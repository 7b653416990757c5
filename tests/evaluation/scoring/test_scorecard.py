"""Five scores per arm, side by side and never merged."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.canonical import canonical_json
from evaluation.scoring.scorecard import SCORES, scorecard
from tests.evaluation.scoring.building import arm, case

OUTCOMES = [
    *arm("original", "++--", evidence_hit=0),
    *arm("candidate", "++-+"),
    case("u1", "original", unresolved=True, request_class="vague"),
    case("u1", "candidate", unresolved=True, asked=True, request_class="vague"),
]


def card(outcomes=OUTCOMES, **options):
    return scorecard(outcomes, resamples=100, **options)


def test_every_arm_has_every_score_in_every_scope():
    rows = card().to_json()["arms"]
    assert [(r["arm"], r["scope"], tuple(r["scores"])) for r in rows] == [
        (name, scope, SCORES)
        for scope in ("all", "dated-fact", "vague")
        for name in ("original", "candidate")
    ]


def test_an_answer_rate_has_its_counts():
    rate = card().arm("candidate").scores["supported_correct"].estimate
    assert (rate.numerator, rate.n, rate.value) == (3, 4, 0.75)


def test_unresolved_requests_are_scored_by_clarification_only():
    scores = card().arm("candidate", "vague").scores
    defined = [name for name in SCORES if scores[name].estimate.value is not None]
    assert defined == ["asked_when_unresolved"]


def test_a_failed_case_is_counted_by_status_and_never_scored_as_zero():
    row = card([*arm("candidate", "++"), case("r9", status="provider_error", right=False)])
    row = row.arm("candidate")
    assert row.statuses == {"ok": 2, "provider_error": 1}
    assert (row.scores["supported_correct"].estimate.value, row.coverage.numerator) == (1.0, 2)


def test_a_request_that_an_arm_lacks_is_not_run():
    row = card([*arm("original", "++"), *arm("candidate", "+")]).arm("candidate")
    assert row.statuses == {"not_run": 1, "ok": 1}


def test_requests_without_gold_are_not_applicable_and_counted():
    cell = card([case(right=None)]).arm("candidate")
    cell = cell.scores["supported_correct"]
    assert (cell.estimate.value, cell.not_applicable) == (None, 1)


def test_open_judgements_show_the_best_case_too():
    cell = card([case("r1", "candidate", "unsure")]).arm("candidate")
    cell = cell.scores["critical_completeness"]
    assert (cell.estimate.value, cell.best.value, cell.open) == (0.0, 1.0, 1)


@pytest.mark.parametrize(
    ("score", "value"),
    [
        ("evidence_recall", 1.0),
        ("supported_correct", 0.25),
        ("asked_when_unresolved", 1.0),
        ("silent_when_resolved", 0.0),
        ("constraint_preservation", 0.0),
    ],
)
def test_a_difference_is_candidate_less_original(score, value):
    assert card().difference("candidate").differences[score].value == value


def test_what_was_not_measured_says_so():
    measured = card().arm("original").measured["latency_ms"]
    assert (measured.value, measured.reason) == (None, "Not measured.")


def test_classes_are_corrected_within_one_arm():
    adjusted = card().difference("candidate", "dated-fact").adjusted
    assert (adjusted.n, adjusted.method) == (2, "holm")


def test_a_request_of_two_classes_is_refused():
    with pytest.raises(ValueError, match="all arms share one contract"):
        card([case("r1", "original"), case("r1", request_class="other")])


def test_the_json_holds_no_nan():
    assert json.loads(canonical_json(card().to_json()))


@settings(max_examples=10, deadline=None)
@given(st.permutations(OUTCOMES))
def test_the_order_of_outcomes_does_not_change_the_scorecard(outcomes):
    assert canonical_json(card(outcomes).to_json()) == canonical_json(card().to_json())


def test_reading_counts_only_resolved_cases_that_the_reader_was_given():
    cases = [
        case("r1", query_texts=("a",)),
        case("r2", query_texts=("b",), status="abstained", right=False),
        case("r3", status="abstained", right=False),
        case("r4", asked=True, status="abstained", right=False),
        case("u1", unresolved=True, asked=True, status="abstained"),
        case("u2", unresolved=True, query_texts=("c",), status="abstained"),
        case("r5", query_texts=("d",), status="timed_out"),
    ]
    assert card(cases).arm("candidate").reading == {
        "asked_unresolved": 1,
        "asked_resolved": 1,
        "nothing": 1,
        "read": 2,
        "abstained": 1,
    }
