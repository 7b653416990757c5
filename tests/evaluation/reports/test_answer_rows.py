"""The published answer rules and who judged, as rows of the scorecard."""

from typing import Any

from evaluation.reports.verdict.answer_rows import by_whom
from evaluation.reports.verdict.scorecard_table import ScorecardTable, scorecard_table
from evaluation.scoring.scorecard import scorecard
from tests.evaluation.scoring.test_scorecard_answers import CASES


def table() -> ScorecardTable:
    result = {"scorecard": scorecard(CASES, resamples=2).to_json()}
    return scorecard_table(result, ["candidate"], "candidate")


def test_the_rows_have_the_names_under_which_figures_are_published() -> None:
    assert [str(row.label) for row in table().published] == [
        "Typed rule", "SQuAD EM", "SQuAD F1", "InAcc", "FlashRAG acc (substring)",
    ]  # fmt: skip


def test_a_rule_shows_its_counts_and_to_what_it_is_not_applied() -> None:
    cells = {str(row.label): row.cells[0] for row in table().published}
    assert (cells["SQuAD EM"].text, cells["SQuAD EM"].of) == ("0.0 %", "0 of 2")
    assert "not applied to 1 with a typed right answer: 1 number" in cells["SQuAD EM"].note
    assert "1 has no right answer" in cells["SQuAD EM"].note
    assert (cells["InAcc"].of, cells["InAcc"].note) == ("1 of 3", "1 has no right answer")
    assert cells["SQuAD F1"].of == "over 2"


def test_the_answer_row_says_who_judged_with_denominators() -> None:
    note = table().five[3].cells[0].note
    assert "correct: 1 of 3 by people, 2 of 3 by rule" in note
    assert "1 of 3 by a model, 1 of 3 by rule, 1 of 3 undecided: the judge failed" in note


def test_where_only_rules_judged_a_word_says_so() -> None:
    counts = {"correct": {"person": 0, "rule": 3}, "supported": {"rule": 2, "error": 0}}
    assert by_whom(counts) == ["judged by rule"]


def test_what_is_equal_of_correct_and_supported_is_said_once() -> None:
    counts = {"correct": {"person": 1, "rule": 2}, "supported": {"person": 1, "rule": 2}}
    assert by_whom(counts) == ["correct, supported: 1 of 3 by people, 2 of 3 by rule"]


def test_results_of_earlier_versions_have_no_such_rows() -> None:
    result: dict[str, Any] = {"scorecard": scorecard(CASES, resamples=2).to_json()}
    for arm in result["scorecard"]["arms"]:
        for name in ("answer_rules", "gold_types", "judged_by"):
            del arm[name]
    found = scorecard_table(result, ["candidate"], "candidate")
    assert found.published == () and "by rule" not in found.five[3].cells[0].note
