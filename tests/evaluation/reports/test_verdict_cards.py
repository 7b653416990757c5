from dataclasses import replace
from typing import Any

from evaluation.reports.verdict.cards import cards, class_shown, rule_shown, summary
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


def test_a_class_that_falls_back_shows_every_rule_that_failed() -> None:
    content = verdict("b", "dropped")
    failed = [
        {**content["rules"][0], "name": name, "passed": False, "sentence": f"{name} fails."}
        for name in ("completeness", "regression", "family:status")
    ]
    kept = {**failed[2], "name": "family:time", "passed": True}
    (card,) = cards([{**content, "rules": [*failed, kept]}])
    assert card.classes[0].why == "completeness fails. regression fails. family:status fails."


def test_a_release_shows_the_families_that_are_not_clean() -> None:
    content = verdict("b", "stated")
    family = {"passed": True, "value": 0.1, "bound": 0.0, "threshold": 0.2, "denominator": 10}
    rules = [
        {**family, "name": "family:status", "sentence": "1 of 10 failed.", "numerator": 1},
        {**family, "name": "family:time", "sentence": "0 of 10 failed.", "numerator": 0},
    ]
    shown = class_shown({**content, "rules": [*content["rules"], *rules]})
    assert shown.outcome == "release" and "1 of 10 failed." in shown.why
    assert "0 of 10 failed." not in shown.why


def test_a_class_that_must_ask_says_where_it_did_not_and_what_the_other_rules_say() -> None:
    before = CaseOutcome("u1", "a", "original", unresolved=True)
    content = decided(replace(before, arm="cand", asked=False), before)
    shown = class_shown(content)
    assert (shown.outcome, shown.silent, shown.unresolved) == ("clarify", ("u1",), 1)
    assert shown.others == "The other rule holds."
    none = {**content["rules"][0], "name": "regression", "passed": None}
    shown = class_shown({**content, "rules": [*content["rules"], none]})
    assert shown.others == "Of the other 2 rules 1 hold and 1 decide nothing."
    failed = {**none, "name": "judge_error", "passed": False}
    shown = class_shown({**content, "rules": [*content["rules"], failed]})
    assert shown.others == "Of the other rules these do not hold: error of the judge."


def test_a_rule_shows_its_value_bound_threshold_and_counts() -> None:
    rules = {rule["name"]: rule for rule in verdict("b", "dropped")["rules"]}
    shown = rule_shown(rules["completeness"])
    assert (shown.value, shown.bound, shown.threshold, shown.counts, shown.state) == (
        "0 %", "0 %", "90 %", "0 of 1", "fails",
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
