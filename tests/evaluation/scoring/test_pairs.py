"""Twin pairs pass or fail as a unit (protocol rules R20 to R23)."""

import pytest

from evaluation.scoring.pairs import Twins, judge_pair
from tests.evaluation.scoring.building import case
from tests.evaluation.scoring.building import judged as judged_as

DATES = Twins("t1", "date", "r1", "r2", "c1")


def side(request, year, **fields):
    own, other = ("d1", "d2") if request == "r1" else ("d2", "d1")
    defaults = {
        "query_texts": (f"revenue {year}",),
        "ranked_ids": (own, other),
        "own_evidence": ((own,),),
        "answer_text": f"EUR {year}",
    }
    return case(request, **(defaults | fields))


def result(base=None, twin=None, twins=DATES):
    return judge_pair(twins, side("r1", 2021, **(base or {})), side("r2", 2022, **(twin or {})))


def test_a_pair_passes_when_all_three_parts_differ_as_they_should():
    judged = result()
    assert (judged.rewrite, judged.evidence, judged.answer, judged.passed) == (True,) * 4


@pytest.mark.parametrize("lost", ["altered", "dropped"])
def test_one_lost_qualifier_fails_the_pair(lost):
    broken = judge_pair(DATES, side("r1", 2021), case("r2", "candidate", lost))
    assert (broken.rewrite, broken.passed) == (False, False)


def test_the_same_rewrite_on_both_sides_always_fails():
    judged = result(base={"query_texts": ("revenue",)}, twin={"query_texts": ("revenue",)})
    assert (judged.passed, judged.why) == (False, "Both sides got the same rewrite.")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"asked": True}, "Both sides asked back, although both requests are resolved."),
        ({}, "Neither side has a query."),
    ],
)
def test_sides_without_a_query_did_not_get_the_same_rewrite(fields, why):
    bare = {"query_texts": ()} | fields
    judged = result(base=bare, twin=bare)
    assert (judged.passed, judged.why) == (False, why)


def test_filters_alone_may_tell_the_sides_apart():
    same = {"query_texts": ("revenue",)}
    judged = result(
        base=same | {"filters": {"year": 2021}}, twin=same | {"filters": {"year": 2022}}
    )
    assert judged.passed is True


def test_the_others_qualifier_in_a_rewrite_fails_the_pair():
    twins = Twins("t1", "date", "r1", "r2", "c1", twins_in_base="stated")
    assert result(twins=twins).rewrite is False


@pytest.mark.parametrize("ranked", [("d2", "d1"), ("d2",), ()])
def test_evidence_must_prefer_the_own_document(ranked):
    # The NevIR rule: right preference for both queries, chance 25 %.
    assert result(base={"ranked_ids": ranked}).evidence is False


def test_evidence_with_the_same_score_is_a_tie_and_fails_the_pair():
    judged = result(base={"tie_groups": (0, 0)})
    assert (judged.evidence, judged.passed, judged.both_first) == (False, False, False)
    assert judged.why.endswith("The evidence of both has the same score, and a tie fails.")


def test_the_same_rewrite_in_other_capitals_is_the_same():
    judged = result(base={"query_texts": ("Revenue",)}, twin={"query_texts": ("revenue ",)})
    assert (judged.passed, judged.why) == (False, "Both sides got the same rewrite.")


def test_a_pair_that_is_right_on_one_side_only_fails_as_a_unit():
    judged = result(twin={"ranked_ids": ("d1", "d2")})
    assert (judged.base_first, judged.twin_first, judged.both_first) == (True, False, False)
    assert (judged.same_first, judged.passed) == (True, False)


def test_the_same_ranking_cannot_be_right_for_both():
    assert result(twin={"ranked_ids": ("d1", "d2")}).evidence is False


def test_twins_that_need_the_same_document_need_only_find_it():
    shared = {"own_evidence": (("d1",),), "ranked_ids": ("d1",)}
    assert result(base=shared, twin=shared).evidence is True


def test_the_same_answer_on_both_sides_fails():
    assert result(base={"answer_text": "Five"}, twin={"answer_text": "five "}).answer is False


def test_parts_without_annotation_are_left_out_and_named():
    bare = {"own_evidence": (), "right": None}
    judged = result(base=bare, twin=bare)
    assert (judged.evidence, judged.answer, judged.passed) == (None, None, True)


def test_an_open_judgement_leaves_the_pair_open():
    judged = result(twin={"judgements": judged_as("unsure")})
    assert (judged.worst, judged.best, judged.passed) == (False, True, None)


@pytest.mark.parametrize(
    ("asks", "wrongly", "passed"), [(1, 0, True), (0, 0, False), (1, 1, False)]
)
def test_an_unresolved_side_passes_by_asking_and_a_resolved_one_by_silence(asks, wrongly, passed):
    base, twin = {"unresolved": True, "asked": bool(asks)}, {"asked": bool(wrongly)}
    assert result(base=base, twin=twin).passed is passed


def test_a_failed_side_leaves_the_pair_unassessed():
    judged = result(twin={"status": "timed_out"})
    assert (judged.assessed, judged.why) == (False, "r2 was not assessed: timed_out.")


def test_a_pair_of_other_requests_is_refused():
    with pytest.raises(ValueError, match="Pair 't1' is 'r1' and 'r2'"):
        judge_pair(DATES, case("r1"), case("r3"))


def test_a_pair_without_its_judgement_is_refused():
    with pytest.raises(ValueError, match="turns on constraint 'c1'"):
        judge_pair(DATES, side("r1", 2021, judgements=()), side("r2", 2022))
