"""Two sides compared: the outside values are named at each test."""

import pytest

from evaluation.scoring.arm_scores import FIVE
from evaluation.scoring.comparison import compare
from evaluation.scoring.differences import differences
from evaluation.scoring.outcomes import Judged
from evaluation.scoring.run_comparison import Settings, compare_arms
from tests.evaluation.scoring.building import arm, case, judged

FAST = Settings(resamples=200)


def compared(a, b, settings=FAST, **options):
    return compare_arms(a, b, settings=settings, **options)


def score(result, name, place=0):
    return next(change for change in result.scopes[place].scores if change.score == name)


def with_discordant(lost, gained, both=0, neither=0):
    a = "+" * lost + "-" * gained + "+" * both + "-" * neither
    b = "-" * lost + "+" * gained + "+" * both + "-" * neither
    return arm("a", a), arm("b", b)


@pytest.mark.parametrize(
    ("lost", "gained", "p"),
    [  # exact McNemar of (1, 11), (15, 25), (5, 5), (0, 5), (0, 6) by the binomial distribution
        (1, 11, 0.00634765625),
        (15, 25, 0.1538599),
        (5, 5, 1.0),
        (0, 5, 0.0625),
        (0, 6, 0.03125),
    ],
)
def test_answers_are_tested_by_exact_mcnemar(lost, gained, p):
    result = compared(*with_discordant(lost, gained, both=3))
    assert score(result, "supported_correct").test.value == pytest.approx(p, abs=1e-7)


def test_the_protocol_s_mid_p_is_used():
    # Spam data of The Elements of Statistical Learning, 1434/18/33/51: exact 0.0488739, mid-p
    # 0.0364834.
    sides = with_discordant(33, 18)
    exact = score(compared(*sides), "supported_correct").test.value
    midp = score(compared(*sides, Settings("mcnemar_midp", resamples=200)), "supported_correct")
    assert (exact, midp.test.value) == pytest.approx((0.0488739, 0.0364834), abs=1e-7)


def test_classes_are_corrected_by_holm():
    # p = 0.03125 (0, 6), 0.0625 (0, 5) and 1 (0, 0): Holm gives 3 x, 2 x and 1 x.
    sides = [
        arm_of(name, k, gained) for name in "ab" for k, gained in (("k1", 6), ("k2", 5), ("k3", 0))
    ]
    result = compared(sum(sides[:3], []), sum(sides[3:], []))
    adjusted = [score(result, "supported_correct", n).adjusted for n in range(4)]
    assert adjusted[0] is None
    assert [a.value for a in adjusted[1:]] == pytest.approx([0.09375, 0.125, 1.0])


def arm_of(name, request_class, gained):
    return [
        case(f"{request_class}-{i}", name, right=name == "b", request_class=request_class)
        for i in range(gained)
    ] + [case(f"{request_class}-same", name, request_class=request_class)]


def test_a_graded_score_is_tested_by_flipping_signs():
    # Five requests that all gain one of two items: 2 of the 2^5 patterns are as extreme.
    a = [case(f"r{i}", "a", evidence_hit=0, evidence_required=2) for i in range(5)]
    b = [case(f"r{i}", "b", evidence_hit=1, evidence_required=2) for i in range(5)]
    recall = score(compared(a, b), "evidence_recall")
    assert (recall.test.value, recall.difference.value) == (2 / 2**5, 0.5)
    assert recall.test.method == "sign_flip_exact"


def test_twins_are_flipped_and_resampled_with_their_base():
    # Six gains in three base cases: alone 2 / 2^6, together 2 / 2^3.
    a, b = with_discordant(0, 6)
    answers = score(
        compared(a, b, clusters={f"r00{i}": f"r00{i - 1}" for i in (1, 3, 5)}), "supported_correct"
    )
    assert (answers.test.value, answers.by_base.value) == (2 / 2**6, 2 / 2**3)
    assert (answers.difference.n, answers.difference.rows) == (3, 6)


def test_without_twins_there_is_no_second_test():
    assert score(compared(*with_discordant(1, 2)), "supported_correct").by_base is None


def test_the_numbers_are_those_of_a_candidate_against_an_original():
    a, b = with_discordant(18, 30, both=102, neither=50)
    result = compared(a, b)
    assert result.scopes[0].answers == compare(a, b, resamples=200)
    means = differences(a, b, resamples=200)
    assert {c.score: c.difference for c in result.scopes[0].scores} == means
    assert set(means) == set(FIVE)


def test_a_failed_case_is_dropped_with_its_reason_and_counted_as_lost_in_the_worst_case():
    a = arm("a", "++++")
    b = [*arm("b", "+++"), case("r003", "b", status="timed_out")]
    result = compared(a, b)
    for name in ("supported_correct", "critical_completeness", "evidence_recall"):
        change = score(result, name)
        assert (change.tested, change.dropped) == (3, {"candidate timed_out": 1})
        assert (change.difference.value, change.worst.value) == (0.0, -0.25)
    assert result.scopes[0].statuses == ({"ok": 4}, {"ok": 3, "timed_out": 1})


def test_a_side_that_fails_everywhere_is_worst_in_everything():
    a = [*arm("a", "++"), case("u", "a", unresolved=True, asked=True)]
    b = [case(o.request, "b", unresolved=o.unresolved, status="provider_error") for o in a]
    worst = {name: score(compared(a, b), name).worst.value for name in FIVE}
    assert worst == dict.fromkeys(FIVE, -1.0)


def test_what_is_open_under_b_is_lost_in_the_worst_case_only():
    a, b = [case("r1", "a"), case("r2", "a")], [case("r1", "b"), case("r2", "b", "unsure")]
    complete = score(compared(a, b), "critical_completeness")
    assert (complete.difference.value, complete.worst.value) == (0.0, -0.5)
    assert complete.dropped == {"candidate open": 1}


def test_nothing_that_is_left_out_vanishes():
    a = [
        case("r1", "a"), case("r2", "a", right=None), case("r3", "a", evidence_hit=0,
        evidence_required=0), case("r4", "a", unresolved=True), case("r5", "a", "unsure"),
    ]  # fmt: skip
    b = [case(o.request, "b", unresolved=o.unresolved) for o in a]
    for change in compared(a, b).scopes[0].scores:
        assert change.tested + sum(change.dropped.values()) == 5, change.score


def test_unequal_sets_of_requests_are_refused():
    with pytest.raises(ValueError, match="has no case for 1 requests"):
        compared(arm("a", "++"), arm("b", "+"))


def test_requests_are_paired_by_their_id_whatever_the_order():
    a, b = with_discordant(3, 1, both=2)
    assert compared(a, b[::-1]).to_json() == compared(a[::-1], b).to_json()


def test_another_wrong_answer_is_neither_worse_nor_better():
    a = [case("r1", "a", right=False, answer_text="1", latency_ms=10.0)]
    b = [case("r1", "b", right=False, answer_text="2", latency_ms=99.0)]
    result = compared(a, b)
    assert result.requests == ()
    assert result.scopes[0].measured["latency_ms"].value == 89.0


def test_a_lost_constraint_is_named_with_both_judgements_and_the_stage():
    (change,) = compared([case("r1", "a")], [case("r1", "b", "dropped")]).requests
    assert [tuple(lost) for lost in change.lost] == [("c1", "time", True, "stated", "dropped")]
    assert change.worse == ("critical_completeness", "constraint_preservation")
    assert (change.before["stage"], change.after["stage"]) == ("none", "rewrite")


def test_a_request_can_lose_one_thing_and_gain_another():
    a = case("r1", "a", "stated", "dropped")
    b = case("r1", "b", "altered", "stated")
    result = compared([a], [b])
    (change,) = result.requests
    assert [c.constraint for c in change.lost] == ["c1"]
    assert [c.constraint for c in change.gained] == ["c2"]
    kept = score(result, "constraint_preservation")
    assert (kept.tested, kept.worse, kept.better, kept.both) == (1, 1, 1, 1)


def test_a_lost_critical_constraint_is_graver_than_a_lost_answer_and_a_minor_one_the_least():
    minor = judged("stated", critical=False)
    gone = tuple(Judged(j.constraint, j.kind, False, "dropped") for j in minor)
    a = [case("r1", "a", judgements=minor), case("r2", "a"), case("r3", "a"), case("r4", "a")]
    b = [
        case("r1", "b", judgements=gone),
        case("r2", "b", right=False),
        case("r3", "b", "dropped"),
        case("r4", "b", evidence_hit=0),
    ]
    order = sorted(compared(a, b).requests, key=lambda change: change.gravity)
    assert [change.request for change in order] == ["r3", "r2", "r4", "r1"]


def test_unresolved_requests_are_compared_by_asking_alone():
    a = [case("u", "a", unresolved=True, asked=True)]
    b = [case("u", "b", "dropped", unresolved=True, asked=False, right=False)]
    (change,) = compared(a, b).requests
    assert (change.worse, change.lost) == (("asked_when_unresolved",), ())


def test_the_same_side_twice_shows_no_difference():
    side = arm("a", "++--")
    result = compared(side, side)
    assert result.requests == ()
    assert {c.test.value for c in result.scopes[0].scores if c.tested} == {1.0}


def test_an_unknown_correction_is_refused():
    with pytest.raises(ValueError, match="choose holm or none"):
        compared(*with_discordant(1, 1), Settings(correction="bonferroni"))
