"""A class is not released on the word of a judge that may be wrong too often."""

from typing import Any

import pytest

from annotation.canonical import content_hash
from evaluation.scoring.audit import JudgeAudit, KindAudit, error_rate
from evaluation.scoring.protocol import parse_protocol
from evaluation.scoring.verdict import ClassVerdict, decide
from tests.evaluation.scoring.building import arm, case, protocol_data

CLEAN = "+" * 60
# The hash of the clean verdict below without an audit: only rewording its sentences moves it.
HASH_BEFORE = "fa7342bbcd9eb9b843f9c61f523810faec1090ce0121be3fa47245ddc26e5edc"


def kind(wrong: int, checked: int, drawn: int = 60, population: int = 400) -> KindAudit:
    error = error_rate(wrong, checked, drawn, level=0.95)
    return KindAudit(population, drawn, checked, wrong, 0, error)


def judge(**kinds: KindAudit) -> JudgeAudit:
    return JudgeAudit(70, dict.fromkeys(kinds, 30), kinds)


def verdict(
    audit: JudgeAudit | None, limit: float | None = 0.05, candidate: list[Any] | None = None
) -> ClassVerdict:
    rules = parse_protocol(protocol_data() | {"max_judge_error": limit})
    after = arm("candidate", CLEAN) if candidate is None else candidate
    return decide(rules, "dated-fact", "candidate", arm("original", CLEAN), after, [], audit)


# 59 checked and none wrong show 1 - 0.05 ** (1 / 59) = 4.95 %, 58 show 5.03 %.
@pytest.mark.parametrize(
    ("checked", "outcome", "deciding"),
    [(59, "release", "all_rules"), (58, "not_assessable", "judge_error")],
)
def test_a_class_is_released_up_to_the_limit_and_not_above(
    checked: int, outcome: str, deciding: str
) -> None:
    found = verdict(judge(time=kind(0, checked)))
    assert (found.outcome, found.deciding) == (outcome, deciding)


def test_the_sentence_has_numbers_denominators_and_the_limit() -> None:
    found = verdict(judge(time=kind(0, 59), status=kind(1, 20, 20, 35)))
    assert found.sentence == (
        "Not assessable: dated-fact. The judge itself decided 60 of 70 constraints. Its error is"
        " not shown to be within the limit of 5 % with 95 % confidence: status, 1 of 20 checked"
        " were wrong (5 %, at most 21.6 %). It is within the limit in 1 other kind. Showing it"
        " for status takes 93 checked, 1 of them wrong, and 20 were drawn: a Protocol that draws"
        " more can."
    )


def test_a_kind_of_which_nothing_was_checked_is_not_shown_to_be_within_any_limit() -> None:
    found = verdict(judge(time=kind(0, 0)), limit=1.0)
    assert found.deciding == "judge_error"
    assert "time, 0 of 60 drawn were checked" in found.sentence


def test_a_kind_of_which_nothing_was_drawn_says_so() -> None:
    assert "time, none of 400 was drawn" in verdict(judge(time=kind(0, 0, 0))).sentence


def test_a_release_says_what_the_audit_found() -> None:
    found = verdict(judge(time=kind(0, 60)))
    assert found.sentence.startswith(
        "Release dated-fact. The judge itself decided 30 of 70 constraints. Its error is shown to"
        " be within the limit of 5 % with 95 % confidence: time, 0 of 60 checked were wrong (0 %,"
        " at most 4.9 %)."
    )


def test_of_several_kinds_a_release_tells_the_one_that_stands_worst() -> None:
    found = verdict(judge(time=kind(0, 80), status=kind(0, 60)))
    assert "status, 0 of 60 checked" in found.sentence
    assert "It is no more in 1 other kind." in found.sentence


def test_the_rule_has_the_numbers_of_the_kind_that_stands_worst() -> None:
    rule = verdict(judge(time=kind(0, 59), status=kind(1, 20))).rules[-1]
    assert (rule.name, rule.passed, rule.numerator, rule.denominator) == (
        "judge_error", False, 1, 20,
    )  # fmt: skip
    assert (rule.value, rule.threshold) == (0.05, 0.05)
    assert rule.bound == pytest.approx(0.21610616, abs=1e-7)


def test_what_people_judged_alone_needs_no_audit() -> None:
    found = verdict(JudgeAudit(60, {}, {}))
    assert (found.outcome, found.rules[-1].passed) == ("release", None)


def test_a_class_that_falls_back_does_so_whatever_the_judge_s_error() -> None:
    lossy = [case(f"r{n:03d}", "candidate", "dropped") for n in range(60)]
    found = verdict(judge(time=kind(9, 20)), candidate=lossy)
    assert (found.outcome, found.deciding) == ("fallback", "completeness")
    assert found.rules[-1].passed is False


def test_without_a_limit_a_verdict_has_the_bytes_that_it_had() -> None:
    with_audit, without = verdict(judge(time=kind(9, 20)), None), verdict(None, None)
    assert with_audit.to_json() == without.to_json()
    assert without.rule_version == "verdict/1"
    assert content_hash(without.to_json()) == HASH_BEFORE


def test_another_audit_gives_another_hash_of_the_inputs() -> None:
    one, other = verdict(judge(time=kind(0, 59))), verdict(judge(time=kind(0, 60)))
    assert one.inputs_sha256 != other.inputs_sha256


def test_a_limit_without_an_audit_is_refused() -> None:
    with pytest.raises(ValueError, match="give what its audit found"):
        verdict(None)
