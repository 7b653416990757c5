"""The scorecard's facts about answers, from computed results."""

from typing import Any

from evaluation.reports.verdict.scorecard_table import ScorecardTable, scorecard_table
from evaluation.scoring.families import family_results
from evaluation.scoring.outcomes import CaseOutcome, Judged
from evaluation.scoring.pair_rates import pair_rates
from evaluation.scoring.scorecard import scorecard
from tests.evaluation.scoring.building import pair


def test_holm_s_p_value_is_over_classes_and_the_test_s_over_discordant_answers() -> None:
    cases = [
        CaseOutcome(
            f"r{i}", f"class{i}", arm, answer_correct=arm == "original" or i > 2, supported=True
        )
        for i in range(5)
        for arm in ("original", "cand")
    ]
    result = {"scorecard": scorecard(cases, resamples=2).to_json()}
    facts = {
        scope: {str(f.label): f.cell.of for f in table.answers if f.cell.text.startswith("p ")}
        for scope in ("all", "class0")
        if (table := scorecard_table(result, ["original", "cand"], "cand", scope))
    }
    assert list(facts["all"].values()) == ["3 discordant"]
    assert list(facts["class0"].values()) == ["1 discordant", "over 5 classes"]


def table_of(**took: Any) -> ScorecardTable:
    """Two requests: the original has the first right, the candidate the second."""
    cases = [
        CaseOutcome(
            f"r{i}",
            "k",
            arm,
            answer_correct=(arm == "cand") == bool(i),
            supported=True,
            **{name: value * (3 if arm == "cand" else 1) for name, value in took.items()},
        )
        for i in range(2)
        for arm in ("original", "cand")
    ]
    pairs = [
        pair(n, arm == "cand" or n > 1, arm=arm) for n in (1, 2) for arm in ("original", "cand")
    ]
    result = {
        "scorecard": scorecard(cases, resamples=20).to_json(),
        "pair_rates": pair_rates(pairs),
    }
    return scorecard_table(result, ["original", "cand"], "cand")


def test_regression_and_gain_stand_as_rows_with_their_denominators() -> None:
    rows = {str(row.label): [cell.of for cell in row.cells] for row in table_of().compared}
    assert rows == {"Regression": ["", "1 of 1"], "Gain": ["", "1 of 1"]}


def test_a_difference_over_fewer_than_its_sides_says_over_how_many_in_its_cell() -> None:
    cases = [
        CaseOutcome(
            f"r{i}",
            "k",
            arm,
            judgements=(Judged("c", "time", True, "unsure" if i == 0 else "stated"),),
        )
        for i in range(4)
        for arm in ("original", "cand")
    ]
    result = {"scorecard": scorecard(cases, resamples=20).to_json()}
    table = scorecard_table(result, ["original", "cand"], "cand")
    notes = {str(row.label): row.difference.note for row in table.five}
    assert notes["Constraint preservation"] == "over the 3 settled under both"
    assert notes["Critical completeness"] == "over the 3 settled under both"


def test_a_difference_over_all_of_its_sides_needs_no_such_note() -> None:
    (answers,) = (row for row in table_of().five if row.label == "Supported-correct answers")
    assert answers.difference.note == ""


def test_each_family_of_pairs_has_a_row_with_its_difference() -> None:
    (row,) = table_of().families
    assert [cell.of for cell in row.cells] == ["1 of 2", "2 of 2"]
    assert (row.label, row.difference.text, row.difference.of) == (
        "date",
        "+50.0",
        "2 in 2 base cases",
    )


def test_latency_calls_and_cost_have_differences_in_their_own_unit() -> None:
    rows = {
        str(r.label): r.difference for r in table_of(latency_ms=20.0, calls=1, cost=0.01).measured
    }
    assert rows["Latency per request"].text == "+40 ms"
    assert rows["Calls per request"].text == "+2.0"
    assert rows["Cost per request"].text == "+USD 0.0200"
    assert rows["Latency per request"].of == "2 in 2 base cases"
    assert rows["Latency of half of the requests, at most"].text == "not compared"


def test_what_nobody_measured_says_so_in_every_column() -> None:
    cost = next(row for row in table_of().measured if row.label == "Cost per request")
    assert {cell.text for cell in (*cost.cells, cost.difference)} == {"not measured"}


def test_results_of_earlier_versions_have_families_without_differences() -> None:
    card = scorecard([CaseOutcome("r", "k", arm) for arm in ("original", "cand")], resamples=2)
    rows = card.to_json()
    for row in rows["differences"]:
        del row["measured"]
    families = {"cand": [f.to_json() for f in family_results([pair(1, True)])]}
    table = scorecard_table({"scorecard": rows, "families": families}, ["original", "cand"], "cand")
    (row,) = table.families
    assert [cell.text for cell in row.cells] == ["no pair", "100.0 %"] and row.difference.text == ""
    assert {row.difference.text for row in table.measured} == {""}
