"""The scorecard's rows about how much of the evidence came, and how early."""

from dataclasses import replace

from evaluation.reports.verdict.scorecard_table import scorecard_table
from evaluation.reports.verdict.tables import Judged, limits
from evaluation.scoring.scorecard import scorecard
from tests.evaluation.scoring.test_depths import CASES, case


def test_the_table_says_of_how_many_requests_all_evidence_came_and_how_early() -> None:
    result = {"scorecard": scorecard(CASES, resamples=2).to_json()}
    rows = scorecard_table(result, ["cand"], None).evidence
    told = [(row.label, row.cells[0].text, row.cells[0].of, row.cells[0].note) for row in rows]
    assert told == [
        ("All required evidence retrieved", "66.7 %", "2 of 3", ""),
        ("Evidence recall in the first document", "50.0 %", "over 3", "all of it: 1 of 3"),
        ("Evidence recall in the first 2 documents", "66.7 %", "over 3", "all of it: 1 of 3"),
    ]


def test_results_of_earlier_versions_have_no_such_rows() -> None:
    result = {"scorecard": scorecard(CASES, resamples=2).to_json()}
    for arm in result["scorecard"]["arms"]:
        del arm["evidence_depths"]
    assert scorecard_table(result, ["cand"], None).evidence == ()


def test_lists_that_go_deeper_than_the_original_s_are_told() -> None:
    short = replace(case("a", [["d1"], ["d2"]], ["d1"]), arm="original")
    told = {}
    for arm, ranked in (("deep", ["d1", "x", "d2"]), ("even", ["d2"])):
        other = replace(case("a", [["d1"], ["d2"]], ranked), arm=arm)
        result = {"scorecard": scorecard([short, other], resamples=2).to_json()}
        judged = Judged(1, 0, 0)
        told[arm] = " ".join(
            limits(result, arm, judged, documents=60_000, hypothetical=False, logged=True)
        )
    sentence = "The lists of this arm have up to 3 documents, those of the original up to 1."
    assert (sentence in told["deep"], "The lists of this arm" in told["even"]) == (True, False)
