"""Release, fall back or clarify: every branch of the decision (protocol rules R39 to R44)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.canonical import canonical_json
from evaluation.scoring.protocol import parse_protocol
from evaluation.scoring.verdict import DISABLE, FUSE, decide, exit_code
from tests.evaluation.scoring.building import arm, case, pair, protocol, protocol_data

DATE = {"families": {"date": {"max_failure_rate": 0.2, "min_pairs": 5}}}
# 59 clean answers are the fewest that show a rate below 5 % (1 - 0.05 ** (1 / 59) = 0.0495).
CLEAN = "+" * 60


GONE = {"judgements": case("x", "c", "dropped").judgements, "evidence_hit": 0}


def verdict(candidate=None, original=None, pairs=(), **rule):
    before = original if original is not None else arm("original", CLEAN)
    after = candidate if candidate is not None else arm("candidate", CLEAN)
    return decide(protocol(**rule), "dated-fact", "candidate", before, after, pairs)


def changed(number, **fields):
    """The clean candidate, with its first `number` cases changed."""
    return [replace(o, **fields) if i < number else o for i, o in enumerate(clean())]


def clean():
    return arm("candidate", CLEAN)


def lossy(number, judgement="dropped"):
    return changed(number, judgements=case("x", "candidate", judgement).judgements)


def vague(*asked):
    arms = [[], []]
    for index, asks in enumerate(asked):
        arms[0].append(case(f"u{index}", "original", unresolved=True))
        arms[1].append(case(f"u{index}", unresolved=True, asked=asks))
    return arms


def rule(result, name):
    return next(r for r in result.rules if r.name == name)


def test_a_class_that_meets_every_rule_is_released():
    result = verdict()
    assert (result.outcome, result.deciding) == ("release", "all_rules")


def test_the_sentence_carries_the_numbers():
    assert verdict().sentence.startswith(
        "Release dated-fact. Every critical constraint is kept in 60 of 60 requests (100 %); the"
        " floor for this share is 95 %. With 95 % confidence it is at least 95.1 %, which decides"
        " nothing. 0 of 60 answers that the original got right are lost (0 %). With 95 % confidence"
        " at most 4.9 % are; the ceiling for this bound is 5 %."
    )


def test_the_completeness_floor_is_reached_by_equality():
    # 57 of 60 is 95 %.
    assert rule(verdict(lossy(3)), "completeness").passed is True


def test_completeness_below_the_floor_falls_back():
    result = verdict(lossy(4))
    assert (result.outcome, result.deciding) == ("fallback", "completeness")


def test_a_breaking_addition_counts_against_the_floor():
    assert verdict(changed(4, added_kinds=("time",))).deciding == "completeness"


def test_requests_that_only_an_addition_breaks_are_named_apart():
    sentence = rule(verdict(changed(60, added_kinds=("time",))), "completeness").sentence
    assert sentence.startswith(
        "Every critical constraint is kept without an added restriction in 0 of 60 requests (0 %);"
    )
    assert (
        "; 60 more keep them all but add a restriction; the floor for this share is 95 %."
        in sentence
    )


def test_without_an_addition_nothing_is_said_of_any():
    assert "restriction" not in rule(verdict(lossy(4)), "completeness").sentence


def test_a_rate_below_a_floor_of_100_percent_never_reads_100_percent():
    before, after = arm("original", "+" * 2500), arm("candidate", "+" * 2500)
    after[0] = replace(after[0], judgements=case("x", "c", "dropped").judgements)
    found = rule(verdict(after, before, completeness_floor=1.0), "completeness")
    assert found.passed is False
    assert "(99.96 %); the floor for this share is 100 %." in found.sentence
    assert "With 95 % confidence it is at least 99.8 %, which decides" in found.sentence


def test_a_ceiling_is_printed_as_it_was_registered():
    found = rule(verdict(regression_ceiling=0.0004), "regression")
    assert "the ceiling for this bound is 0.04 %." in found.sentence


def test_a_level_is_printed_as_it_was_registered():
    strict = parse_protocol(protocol_data() | {"alpha": 0.0001})
    result = decide(
        strict, "dated-fact", "candidate", arm("original", CLEAN), arm("candidate", CLEAN), []
    )
    assert "With 99.99 % confidence" in result.sentence


def test_a_release_without_a_judged_answer_says_so_at_its_end():
    result = verdict(
        arm("candidate", CLEAN, supported=None), arm("original", CLEAN, supported=None)
    )
    assert result.outcome == "release"
    assert result.sentence.endswith(
        "Regression could not be tested: no answer could be judged."
        " This release does not say that no answer is lost."
    )


def test_an_open_answer_that_counts_as_lost_says_so():
    result = verdict([case("r1", supported=None)], [case("r1", "original")], min_requests=1)
    assert rule(result, "regression").sentence.startswith(
        "1 of 1 answer that the original got right is lost, open answers counted as lost (100 %"
    )


@pytest.mark.parametrize("rules", [DATE, {}])
def test_an_open_pair_that_counts_as_failed_says_so(rules):
    result = verdict(pairs=[pair(1, None, worst=False, best=True)], **rules)
    assert rule(result, "family:date").sentence.startswith(
        "Family date: 1 of 1 twin pair failed, open pairs counted as failed (100 %"
    )


def test_too_few_answers_to_bound_the_regression_fall_back_and_say_how_many_more():
    few = verdict(arm("candidate", "+" * 22), arm("original", "+" * 22))
    assert (few.outcome, few.deciding) == ("fallback", "regression")
    assert "at most 12.7 %" in few.sentence
    assert "37 more without a further loss" in few.sentence


def test_a_lost_answer_moves_the_bound_above_the_ceiling():
    result = rule(verdict(changed(1, answer_correct=False)), "regression")
    assert (result.numerator, result.denominator, result.passed) == (1, 60, False)


def test_regression_without_a_denominator_is_undefined_and_not_violated():
    result = verdict(original=arm("original", "-" * 60))
    assert (result.outcome, rule(result, "regression").passed) == ("release", None)
    assert result.sentence.endswith(
        "Regression could not be tested: the original answered none correctly."
        " This release does not say that no answer is lost."
    )


@pytest.mark.parametrize(
    ("failures", "total", "outcome"),
    [
        (0, 5, "release"),
        # One failure is never systematic by its rate; its lower bound is 1 %.
        (1, 5, "release"),
        # Two of ten are 20 %.
        (2, 10, "fallback"),
        (2, 11, "release"),
    ],
)
def test_a_family_fails_from_two_failures_and_a_fifth_on(failures, total, outcome):
    pairs = [pair(i, i >= failures) for i in range(total)]
    assert verdict(pairs=pairs, **DATE).outcome == outcome


def test_a_family_fails_when_the_lower_bound_exceeds_the_registered_rate():
    # 3 of 40 (7.5 %): exact one-sided lower bound 2.08 %.
    strict = {"families": {"date": {"max_failure_rate": 0.02, "min_pairs": 5}}}
    result = verdict(pairs=[pair(i, i >= 3) for i in range(40)], **strict)
    assert (result.outcome, result.deciding) == ("fallback", "family:date")


def test_a_family_that_the_protocol_does_not_name_decides_nothing():
    result = verdict(pairs=[pair(i, False, "status") for i in range(9)])
    assert (result.outcome, rule(result, "family:status").passed) == ("release", None)


def test_too_few_pairs_of_a_demanded_family_are_not_assessable():
    result = verdict(pairs=[pair(i, True) for i in range(4)], **DATE)
    assert (result.outcome, result.deciding) == ("not_assessable", "family_size:date")


def test_pairs_of_other_classes_and_arms_do_not_count():
    pairs = [pair(i, True, arm="other") for i in range(5)]
    pairs += [pair(i + 5, True, request_class="status") for i in range(5)]
    assert verdict(pairs=pairs, **DATE).deciding == "family_size:date"


def test_too_few_resolved_requests_are_not_assessable():
    result = verdict(min_requests=61)
    assert (result.outcome, result.deciding) == ("not_assessable", "sample_size")


def test_failed_and_missing_cases_are_not_assessable_and_counted():
    result = verdict(changed(2, status="timed_out")[:-1])
    assert (result.outcome, result.deciding) == ("not_assessable", "coverage")
    assert "3 of 120 cases are missing or failed (1 not_run, 2 timed_out)" in result.sentence


def test_an_unassessed_pair_is_not_assessable():
    pairs = [pair(i, True) for i in range(5)] + [pair(9, None)]
    assert verdict(pairs=pairs, **DATE).deciding == "coverage"


def test_a_class_without_a_rule_is_not_assessable():
    data = protocol_data()
    data["classes"] = {"other": data["classes"]["*"]}
    result = decide(parse_protocol(data), "dated-fact", "candidate", [], [], [])
    assert (result.outcome, result.deciding) == ("not_assessable", "protocol")


def test_open_judgements_that_could_change_the_outcome_are_not_assessable():
    result = verdict(lossy(4, "unsure"))
    assert (result.outcome, result.deciding) == ("not_assessable", "open_judgements")
    assert "4 critical judgements are open: counted as lost the outcome is fall back" in (
        result.sentence
    )
    assert "People must settle them" in result.sentence


def test_open_judgements_that_change_nothing_are_decided():
    result = verdict(lossy(3, "unsure"))
    assert (result.outcome, rule(result, "open_judgements").passed) == ("release", True)


def test_an_open_pair_that_could_change_the_outcome_is_not_assessable():
    pairs = [pair(i, None, worst=False, best=True) for i in range(5)]
    assert verdict(pairs=pairs, **DATE).deciding == "open_judgements"


def test_an_unjudged_answer_cannot_hide_a_regression():
    result = verdict(changed(1, supported=None))
    assert (result.outcome, result.open) == ("not_assessable", 1)


def test_a_fallback_with_a_gain_in_evidence_fuses():
    result = verdict(lossy(4), arm("original", CLEAN, evidence_hit=0))
    assert (result.remedy, result.evidence_gain.value) == (FUSE, 1.0)
    assert "+100.0 points over 60 requests" in result.sentence


def test_a_fallback_without_a_gain_disables_the_rewriter():
    result = verdict(lossy(4))
    assert result.remedy == DISABLE
    assert result.sentence.endswith(f"Remedy: {DISABLE}.") and ":" not in DISABLE


def test_a_loss_of_evidence_is_written_with_a_minus_sign():
    assert "does not gain (\u2212100.0 points" in verdict(changed(60, **GONE)).sentence


def test_float_noise_is_no_gain_in_evidence():
    # (2/5 - 3/5) + (1/5 - 0) is 5.6e-17 in floats.
    before = [case("r1", "original", evidence_hit=3, evidence_required=5)]
    before += [case("r2", "original", evidence_hit=0, evidence_required=5)]
    after = [case("r1", "candidate", "dropped", evidence_hit=2, evidence_required=5)]
    after += [case("r2", "candidate", "dropped", evidence_hit=1, evidence_required=5)]
    assert verdict(after, before, min_requests=1).remedy == DISABLE


def test_a_fallback_without_evidence_says_that_no_gain_was_measured():
    bare = {"evidence_hit": 0, "evidence_required": 0}
    result = verdict(changed(60, judgements=case("x", "c", "dropped").judgements, **bare))
    assert (result.remedy, "none was measured" in result.sentence) == (DISABLE, True)


def test_a_class_that_passes_but_does_not_ask_must_clarify():
    before, after = vague(True, False)
    result = verdict(clean() + after, arm("original", CLEAN) + before)
    assert (result.outcome, result.deciding, result.asked) == ("clarify", "clarification", 1)
    assert result.sentence.endswith(
        "The candidate asked in 1 of 2 unresolved requests."
        " Do not ship for this class until it asks in 2 of 2; it did not in u1."
    )


def test_of_many_requests_without_a_question_the_first_ten_are_named():
    before, after = vague(*[False] * 12)
    assert verdict(after, before).sentence.endswith(", u7 and 2 more.")


def test_the_list_to_clarify_is_there_on_a_fallback_too():
    before, after = vague(True, False)
    result = verdict(lossy(4) + after, arm("original", CLEAN) + before)
    assert result.outcome == "fallback"
    assert [(c.request, c.asked) for c in result.clarify] == [("u0", True), ("u1", False)]


@pytest.mark.parametrize(("asked", "outcome"), [((True, False), "clarify"), ((True,), "release")])
def test_a_class_of_unresolved_requests_only_is_judged_by_asking(asked, outcome):
    before, after = vague(*asked)
    assert verdict(after, before, **DATE).outcome == outcome


def test_one_ambiguity_in_two_arms_is_required():
    with pytest.raises(ValueError, match="unresolved in one arm only"):
        verdict([case("u0", unresolved=True)], [case("u0", "original")])


def outcomes_with(*outcomes):
    return [replace(verdict(), outcome=outcome) for outcome in outcomes]


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        (("release", "release"), 0),
        (("release", "fallback"), 1),
        (("release", "not_assessable"), 1),
        (("clarify", "fallback"), 1),
        (("release", "clarify"), 2),
    ],
)
def test_the_exit_code_names_the_worst_outcome(outcomes, code):
    assert exit_code(outcomes_with(*outcomes)) == code


def test_no_verdict_has_no_exit_code():
    with pytest.raises(ValueError, match="no verdict"):
        exit_code([])


def test_measured_times_do_not_change_the_verdict():
    assert verdict(changed(9, latency_ms=412.0, cost=0.1)) == verdict()


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(60)), st.permutations(range(6)))
def test_the_order_of_inputs_does_not_change_a_byte(requests, numbers):
    before, after = arm("original", CLEAN), lossy(4)
    pairs = [pair(i, i > 1) for i in range(6)]
    shuffled = verdict(
        [after[i] for i in requests],
        [before[i] for i in reversed(requests)],
        [pairs[i] for i in numbers],
        **DATE,
    )
    ordered = verdict(after, before, pairs, **DATE)
    assert canonical_json(shuffled.to_json()) == canonical_json(ordered.to_json())
