"""The answer to "may it ship?" in one line and as a table."""

from typing import Any

from evaluation.reports.verdict.answer_line import answer_line, answers_of


def content(name: str, outcome: str) -> dict[str, Any]:
    rule = {"name": "completeness", "numerator": 15, "denominator": 16}
    return {"request_class": name, "outcome": outcome, "rules": [rule]}


def test_the_line_names_the_classes_of_each_answer() -> None:
    outcomes = {"a": "release", "b": "fallback", "c": "clarify", "d": "release", "e": "fallback"}
    assert answer_line(content(*one) for one in outcomes.items()) == (
        "Yes in 2 of 5 classes (a, d), no in 2 (b, e), only if it asks in 1 (c)."
    )


def test_what_is_not_assessable_counts_as_no_and_the_line_says_so() -> None:
    assert answer_line([content("a", "release"), content("b", "not_assessable")]) == (
        "Yes in 1 of 2 classes (a), no in 1 (b)."
        " 1 of these is not assessable (b), which counts as no."
    )


def test_a_candidate_that_may_ship_nowhere_is_told_so_in_a_word() -> None:
    refused = [content("a", "fallback"), content("b", "fallback")]
    assert answer_line(refused) == "No in all 2 classes."
    assert answer_line([*refused, content("c", "clarify")]) == (
        "Yes in none of 3 classes, no in 2 (a, b), only if it asks in 1 (c)."
    )


def test_without_a_verdict_there_is_no_answer() -> None:
    assert answer_line([]) == ""


def test_the_table_has_a_cell_for_each_candidate_in_their_order_with_counts() -> None:
    found = answers_of({"z": [content("a", "release")], "b": [content("c", "fallback")]})
    assert found.candidates == ("z", "b")
    assert [(name, [c and c.outcome for c in cells]) for name, cells in found.rows] == [
        ("a", ["release", None]),
        ("c", [None, "fallback"]),
    ]
    cell = found.rows[0][1][0]
    assert cell is not None and cell.counts == ("complete in 15 of 16",)
