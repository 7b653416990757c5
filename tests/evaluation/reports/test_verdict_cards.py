from dataclasses import replace
from typing import Any

from evaluation.reports.verdict_cards import cards, class_shown, rule_shown, summary
from evaluation.scoring.outcomes import CaseOutcome, Judged
from evaluation.scoring.protocol import ClassRule, Protocol
from evaluation.scoring.verdict import decide

RULE = ClassRule(completeness_floor=0.9, regression_ceiling=1.0, min_requests=1)
PROTOCOL = Protocol("p", 0.05, 1000, 1, "holm", "mcnemar_exact", "automatic", {"*": RULE})


def verdict(name: str, judgement: str) -> dict[str, Any]:
    """The verdict on a class of one request whose only critical constraint is so judged."""
    cases = [
        CaseOutcome("r1", name, arm, judgements=(Judged("c1", "time", True, judgement),),
                    answer_correct=True, supported=True)
        for arm in ("original", "cand")
    ]  # fmt: skip
    return decide(PROTOCOL, name, "cand", cases[:1], cases[1:], []).to_json()


def test_classes_are_grouped_by_outcome_in_the_order_of_the_words() -> None:
    contents = [verdict("b", "dropped"), verdict("a", "unsure"), verdict("c", "dropped")]
    found = [(card.outcome, [c.name for c in card.classes]) for card in cards(contents)]
    assert found == [("fallback", ["b", "c"]), ("not_assessable", ["a"])]


def test_a_class_shows_the_sentence_of_the_rule_that_decided() -> None:
    (card,) = cards([verdict("b", "dropped")])
    assert card.classes[0].why.startswith(
        "Every critical constraint is kept in 0 of 1 request (0 %"
    )
    assert card.classes[0].why in card.classes[0].sentence


def test_a_rule_shows_its_value_bound_threshold_and_counts() -> None:
    rules = {rule["name"]: rule for rule in verdict("b", "dropped")["rules"]}
    shown = rule_shown(rules["completeness"])
    assert (shown.value, shown.bound, shown.threshold, shown.counts, shown.state) == (
        "0.0 %", "0.0 %", "90 %", "0 of 1", "fails",
    )  # fmt: skip


def test_a_sample_size_is_a_number_and_no_share() -> None:
    rules = {rule["name"]: rule for rule in verdict("b", "dropped")["rules"]}
    shown = rule_shown(rules["sample_size"])
    assert (shown.value, shown.threshold, shown.counts) == ("", "1", "1")


def test_the_summary_counts_every_outcome_that_occurs() -> None:
    outcomes = ["fallback", "release", "fallback"]
    assert summary(outcomes) == "1 release · 2 fall back"


def decided(candidate: CaseOutcome, original: CaseOutcome) -> dict[str, Any]:
    return decide(PROTOCOL, "a", "cand", [original], [candidate], []).to_json()


def answered(supported: bool | None, arm: str) -> CaseOutcome:
    return CaseOutcome("r1", "a", arm, answer_correct=True, supported=supported)


def test_a_release_with_an_open_answer_says_what_is_open() -> None:
    shown = class_shown(decided(answered(None, "cand"), answered(True, "original")))
    assert shown.outcome == "release"
    assert shown.waiting == "1 answer is open, but the outcome is release either way."


def test_a_release_whose_regression_could_not_be_tested_says_so_once() -> None:
    shown = class_shown(decided(answered(None, "cand"), answered(None, "original")))
    assert shown.untested.startswith("Regression could not be tested: no answer could be judged.")
    assert "Regression" not in shown.why
    assert shown.sentence.endswith(shown.untested)


def test_a_class_that_waits_for_people_says_what_is_open_once() -> None:
    shown = class_shown(verdict("a", "unsure"))
    assert "1 critical judgement is open" in shown.why
    assert shown.waiting == ""


def test_one_unresolved_request_is_a_request() -> None:
    before = CaseOutcome("u1", "a", "original", unresolved=True)
    shown = class_shown(decided(replace(before, arm="cand", asked=True), before))
    assert shown.asked == "Asked in 1 of 1 unresolved request."
