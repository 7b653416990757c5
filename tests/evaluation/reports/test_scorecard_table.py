"""The scorecard's facts about answers, from computed results."""

from evaluation.reports.scorecard_table import scorecard_table
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.scorecard import scorecard


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
