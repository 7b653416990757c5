"""The first stage that loses the contract (protocol rules R32, R33)."""

import pytest

from evaluation.scoring.localisation import count_stages, first_stage_lost
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


def test_every_case_is_counted_at_one_stage():
    counts = count_stages([case("r1"), case("r2", right=False), case("r3", status="not_run")])
    assert (counts["none"], counts["generation"], counts["undetermined"]) == (1, 1, 1)
