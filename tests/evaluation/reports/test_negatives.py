"""What went wrong under every arm, from verdicts and results written by hand."""

from typing import Any

from evaluation.reports.verdict.negatives import Negative, negatives


def verdict(arm: str, request_class: str, outcome: str, *rules: dict[str, Any]) -> dict[str, Any]:
    return {"arm": arm, "request_class": request_class, "outcome": outcome, "rules": list(rules)}


def rule(name: str, passed: bool | None, **numbers: Any) -> dict[str, Any]:
    empty = {"numerator": None, "denominator": None, "threshold": None}
    return {"name": name, "passed": passed, **empty, **numbers}


def result(statuses: dict[str, dict[str, int]], **families: list[dict[str, Any]]) -> dict[str, Any]:
    arms = [{"arm": arm, "scope": "all", "statuses": counts} for arm, counts in statuses.items()]
    within = {"arm": "original", "scope": "plain", "statuses": {"timed_out": 9}}
    return {"scorecard": {"arms": [*arms, within]}, "families": families}


FINE = {"original": {"ok": 10}, "cand": {"ok": 10}, "other": {"ok": 10}}


def test_where_nothing_went_wrong_there_is_nothing() -> None:
    assert negatives([verdict("cand", "plain", "release")], result(FINE)) == ()


def test_every_candidate_is_named_with_the_classes_that_may_not_ship() -> None:
    contents = [
        verdict("cand", "a", "fallback"),
        verdict("cand", "b", "fallback"),
        verdict("cand", "c", "clarify"),
        verdict("cand", "d", "release"),
        verdict("other", "a", "not_assessable"),
    ]
    assert negatives(contents, result(FINE)) == (
        Negative(
            "cand",
            ("Falls back in 2 of 4 classes: a, b.", "Has to clarify in 1 of 4 classes: c."),
        ),
        Negative("other", ("Not assessable in 1 of 1 classes: a.",)),
    )


def test_a_family_that_failed_or_has_too_few_pairs_is_named_with_its_counts() -> None:
    rules = (
        rule("family:status", False, numerator=9, denominator=9),
        rule("family:date", True, numerator=0, denominator=8),
        rule("family_size:direction", False, numerator=3, threshold=5.0),
        rule("coverage", False, numerator=1, denominator=9),
    )
    (found,) = negatives([verdict("cand", "plain", "release", *rules)], result(FINE))
    assert found.sentences == (
        "Family status fails in plain: 9 of 9 twin pairs did not pass.",
        "Family direction is not assessable in plain: 3 of 5 pairs.",
    )


def test_pairs_that_were_not_assessed_are_counted() -> None:
    family = {"family": "date", "not_assessed": 2}
    (found,) = negatives([], result(FINE, cand=[family, {"family": "status", "not_assessed": 0}]))
    assert found == Negative("cand", ("2 twin pairs of family date were not assessed.",))


def test_failed_cases_are_counted_under_every_arm_by_their_status() -> None:
    counts = {"original": {"ok": 8, "timed_out": 2}, "cand": {"abstained": 9, "judge_error": 1}}
    assert negatives([], result(counts)) == (
        Negative("original", ("2 of 10 cases failed and have no score: 2 timed out.",)),
        Negative("cand", ("1 of 10 cases failed and have no score: 1 judge failed.",)),
    )
