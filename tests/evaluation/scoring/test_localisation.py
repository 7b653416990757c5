"""The first stage that loses the contract (protocol rules R32, R33)."""

import pytest

from evaluation.scoring.localisation import count_codes, count_stages, first_stage_lost
from evaluation.scoring.scorecard import scorecard
from tests.evaluation.scoring.building import case, judged

MINOR_LOST = {"judgements": judged("dropped", critical=False)}


@pytest.mark.parametrize(
    ("outcome", "stage"),
    [
        (case(), "none"),
        (case("r1", "c", "altered"), "rewrite"),
        (case(added_kinds=("time",)), "rewrite"),
        (case(**MINOR_LOST), "none"),
        (case(**MINOR_LOST, right=False), "rewrite"),
        (case(evidence_hit=0, right=False), "retrieval"),
        (case(right=False), "generation"),
        (case(supported=False), "generation"),
        (case(status="abstained"), "generation"),
        (case(asked=True), "clarification"),
        (case(unresolved=True), "clarification"),
        (case(unresolved=True, asked=True), "none"),
        (case(status="timed_out"), None),
        (case("r1", "c", "unsure"), None),
        (case(right=False, evidence_hit=0, evidence_required=0), None),
    ],
)
def test_the_first_stage_that_lost_something_is_named(outcome, stage):
    assert first_stage_lost(outcome).stage == stage


@pytest.mark.parametrize("fields", [{"judgements": judged("dropped")}, {"evidence_hit": 0}])
def test_a_correct_answer_despite_a_loss_keeps_both_facts(fields):
    lost = first_stage_lost(case(**fields))
    assert (lost.stage != "none", lost.correct_despite_loss) == (True, True)


MISSED = {"evidence_hit": 0, "evidence_required": 2, "right": False}


@pytest.mark.parametrize(
    ("near", "code", "why"),
    [
        (0, "missing", "2 of 2 required items were not retrieved."),
        (2, "near_miss", "; the evidence of a twin was retrieved instead."),
        (1, "near_miss", "; for 1 of them the evidence of a twin was retrieved."),
    ],
)
def test_a_near_miss_has_its_own_code_and_the_same_stage(near, code, why):
    found = first_stage_lost(case(**MISSED, near_misses=near))
    assert (found.stage, found.code, found.why.endswith(why)) == ("retrieval", code, True)


def test_a_near_miss_changes_the_code_and_no_score():
    missing, near = case(**MISSED), case(**MISSED, near_misses=2)
    cards = [scorecard([one], resamples=2).arms[0] for one in (missing, near)]
    assert cards[0].scores == cards[1].scores
    assert [card.evidence_items for card in cards] == [
        {"hit": 0, "near-miss": 0, "missing": 2},
        {"hit": 0, "near-miss": 2, "missing": 0},
    ]


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (case("r1", "c", "altered", **MISSED, near_misses=1), "rewrite"),
        (case(right=False), "generation"),
        (case(), "none"),
        (case(status="timed_out"), None),
    ],
)
def test_the_code_of_every_other_stage_is_the_stage(outcome, code):
    assert first_stage_lost(outcome).code == code


def test_codes_are_counted_apart():
    counts = count_codes([case("r1", **MISSED), case("r2", **MISSED, near_misses=1), case("r3")])
    assert (counts["missing"], counts["near_miss"], counts["none"]) == (1, 1, 1)


def test_every_case_is_counted_at_one_stage():
    counts = count_stages([case("r1"), case("r2", right=False), case("r3", status="not_run")])
    assert (counts["none"], counts["generation"], counts["undetermined"]) == (1, 1, 1)
