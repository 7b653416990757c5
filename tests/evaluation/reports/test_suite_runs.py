"""What the page of a run over variation sets says, from a result counted by hand."""

from dataclasses import replace
from typing import Any

import pytest

from evaluation.charting.shapes import Series
from evaluation.reports.suite_runs.charts import _ticks, charts
from evaluation.reports.suite_runs.coverage import coverage_lines
from evaluation.reports.suite_runs.tables import changes, conditions_table, halves, score_table
from evaluation.reports.suite_runs.words import (
    against_standard,
    heading,
    sentences,
    usual_measure,
    where_it_hurts,
)
from evaluation.robustness.measures import MEASURES, Scored
from evaluation.robustness.study import CLEAN
from evaluation.robustness.variations import figures
from tests.evaluation.robustness.building import WORDING, failed, study, worth

KINDS = ["spelling"] * 20 + [""] * 20
VALUES = {
    "standard": {"clean": [1.0] * 40, "varied": [0.0] * 10 + [1.0] * 10},
    "typed": {"clean": [1.0] * 40, "varied": [1.0] * 20},
}


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    return figures(study(VALUES, KINDS, four_conditions=True))


def test_the_first_sentence_says_what_the_errors_cost(result: dict[str, Any]) -> None:
    """10 of 40 lost: 25 points; exact McNemar 2 / 2^10, twice that after Holm over two tests."""
    (first,) = sentences(result, "em")
    assert first.startswith(
        "With typing errors in 50 % of the questions (typos 20), standard loses 25.0 points of "
        "exact match (95 % interval "
    )
    assert first.endswith(", n = 40, p = 0.004 after Holm).")


def test_a_pipeline_that_loses_nothing_says_so(result: dict[str, Any]) -> None:
    (first,) = sentences(result, "em", "typed")
    assert "typed neither loses nor gains in exact match (n = 40" in first


def test_what_differs_from_standard_after_holm_is_said(result: dict[str, Any]) -> None:
    (only,) = against_standard(result, "em")
    assert only.startswith("On typos 20, typed is 25.0 points of exact match above standard (")


def test_that_nothing_differs_is_said_too() -> None:
    same = {"standard": VALUES["typed"], "typed": VALUES["typed"]}
    (only,) = against_standard(figures(study(same, KINDS)), "f1")
    assert only == "On typos 20, every other pipeline has the F1 of standard (n = 40)."


def test_a_difference_that_chance_may_explain_is_told_with_its_interval() -> None:
    few = {**VALUES["standard"], "varied": [0.0] * 9 + [1.0] * 11}
    (only,) = against_standard(
        figures(study({"standard": VALUES["standard"], "typed": few}, KINDS)), "em"
    )
    assert only.startswith("On typos 20, no other pipeline is shown to differ from standard in ")
    assert "the largest difference, +2.5 points of typed (95 % interval 0.0 to +" in only


def test_a_set_in_which_nothing_is_varied_costs_nothing_and_says_why() -> None:
    made = study({"standard": {"clean": [1.0, 0.0]}}, ["", ""])
    assert sentences(figures(made), "f1") == [
        "In typos 20 no question is varied, so there is nothing to lose."
    ]


def test_when_every_row_failed_no_number_stands_for_it() -> None:
    made = study(
        {"standard": {"clean": [failed(), failed()], "varied": [failed()]}}, ["spelling", ""]
    )
    (said,) = sentences(figures(made), "f1")
    assert said.endswith("loses in F1: The row failed, and an error is no score.")


def test_an_abstention_is_told_to_count_as_wrong() -> None:
    asks = Scored("abstained", dict.fromkeys(MEASURES, 0.0), took=(1, 0))
    told = figures(study({"standard": {"clean": [asks, 1.0], "varied": []}}, ["", ""]))
    assert any(line.startswith("1 row has no answer") for line in coverage_lines(told, 2))


def test_what_a_kind_costs_stands_under_its_score(result: dict[str, Any]) -> None:
    parts, (standard, _typed) = halves(result, "em")
    loss = standard["cells"][parts.index("spelling")].loss
    assert loss is not None and loss.text == "−50.0"
    assert standard["cells"][parts.index("not varied")].loss is None


def test_other_kinds_are_no_typing_errors() -> None:
    result = figures(study(VALUES, ["formality" if kind else "" for kind in KINDS]))
    assert heading(result) == "What do other wordings cost here?"
    assert "50 % of the questions worded otherwise" in sentences(result, "em")[0]


def test_without_answers_recall_is_the_usual_measure() -> None:
    none = dict.fromkeys(("em", "f1", "acc", "inacc", "typed"))
    made = study({"standard": {"clean": [worth(1.0, **none)] * 4}}, [""] * 4)
    from dataclasses import replace

    golds = {key: replace(gold, answers=()) for key, gold in made.golds.items()}
    told = figures(replace(made, golds=golds))
    assert usual_measure(told) == "recall"
    assert any("answers are not measured" in line for line in coverage_lines(told, 4))


def test_the_tables_have_every_pipeline_on_every_set(result: dict[str, Any]) -> None:
    rows = [(name, [s.cell.text for s in cells]) for name, cells in score_table(result, "em")]
    assert rows == [("standard", ["100.0 %", "75.0 %"]), ("typed", ["100.0 %", "100.0 %"])]
    (loss, none) = changes(result, "to_clean", "em")
    assert (loss.difference.text, loss.worse, loss.better) == ("−25.0", 10, 0)
    assert loss.varied is not None and loss.varied.text == "−50.0" and none.difference.text == "0.0"
    parts, by_part = halves(result, "em")
    assert parts == ["not varied", "varied", "spelling"]
    assert [score.cell.text for score in by_part[0]["cells"]] == ["100.0 %", "50.0 %", "50.0 %"]


def test_where_an_error_hurts_is_said_only_where_it_was_asked(result: dict[str, Any]) -> None:
    """What is read changes nothing, what is searched everything."""
    made = study({"standard": VALUES["standard"]}, KINDS, four_conditions=True)
    known = dict(made.rows)
    for n in range(20):
        key = f"r{n:04d}"
        known["standard", key, WORDING, CLEAN] = worth(1.0)
        known["standard", key, CLEAN, WORDING] = worth(float(n >= 10))
    (said,) = where_it_hurts(figures(replace(made, rows=known)), "em")
    assert said.startswith(
        "Of the questions varied in typos 20, for standard the clean wording is worth 0.0 (no "
        "spread) points of exact match to the reader and +50.0 ("
    )
    assert said.endswith(" to the search (n = 20).")
    assert where_it_hurts(result, "em") == []


def test_conditions_without_their_rows_say_why(result: dict[str, Any]) -> None:
    row = conditions_table(result, "em")[0]
    assert row["n"] == 0 and row["effects"][0].note == "The row is not there."


def test_failed_rows_are_told_with_what_they_are_left_out_of() -> None:
    values = {"standard": {"clean": [1.0] * 2, "varied": [failed()] * 2}}
    result = figures(study(values, ["spelling"] * 2))
    lines = coverage_lines(result, 4)
    assert lines[0] == "4 of 4 rows are there; 2 of them failed."
    assert "it is not known what standard loses" in sentences(result, "em")[0]


def test_a_curve_and_the_halves_are_drawn_with_their_numbers(result: dict[str, Any]) -> None:
    curve, both = charts(result, "em")
    assert curve.svg and curve.rows[0][0] == "standard" and "75.0 %" in curve.rows[0][2]
    assert both.svg and both.head == ("pipeline", "not varied", "varied")


def test_the_axis_is_round_and_holds_everything() -> None:
    drawn = [Series("a", ((0.0, 0.52, (0.41, 0.6)), (0.2, 0.38, None)))]
    assert [text for _y, text in _ticks(drawn)] == ["30 %", "40 %", "50 %", "60 %"]
    assert [y for y, _text in _ticks([Series("a", ((0.0, 1.0, None),))])] == [0.8, 0.9, 1.0]
    assert [y for y, _text in _ticks([Series("a", ((0.0, 0.0, (0.0, 1.0)),))])][-1] == 1.0
