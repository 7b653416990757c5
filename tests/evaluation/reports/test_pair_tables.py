"""Rankings, near misses and controls as rows of tables."""

from typing import Any

from evaluation.reports.figures import rate_cell
from evaluation.reports.verdict.controls import controls_shown
from evaluation.reports.verdict.tables import family_rows, overall_ranking, stage_rows
from evaluation.scoring.families import family_results, paired_accuracy
from evaluation.scoring.localisation import count_codes, count_stages
from tests.evaluation.scoring.building import case, pair

FOUND = {"base_first": True, "twin_first": True}
PAIRS = [pair(n, True, base="b", **(FOUND | {"twin_first": n > 1})) for n in range(4)]


def result() -> dict[str, Any]:
    return {
        "families": {"cand": [family.to_json() for family in family_results(PAIRS, resamples=9)]},
        "rankings": {"cand": paired_accuracy(PAIRS, resamples=9).to_json()},
    }


def test_a_rate_over_pairs_that_share_bases_says_so() -> None:
    (row,) = family_rows(result(), "cand")
    assert row.ranking is not None
    assert (row.ranking.paired.text, row.ranking.paired.of) == ("50.0 %", "2 of 4 in 1 base case")


def test_a_rate_over_pairs_of_their_own_bases_is_n_of_m() -> None:
    rows = [pair(n, True, **FOUND) for n in range(3)]
    cell = rate_cell(paired_accuracy(rows).to_json()["paired"])
    assert (cell.of, cell.interval) == ("3 of 3", "43.9 to 100.0 %")  # 3 / (3 + 1.96²)


def test_all_families_have_a_ranking_and_the_original_s_beside_it() -> None:
    told = result()
    told["rankings"]["original"] = told["rankings"]["cand"]
    ranking = overall_ranking(told, "cand")
    assert ranking is not None and ranking.original == ranking.paired


def test_without_pairs_there_is_no_ranking() -> None:
    assert overall_ranking({"rankings": {"cand": paired_accuracy([]).to_json()}}, "cand") is None


def test_the_stages_say_how_many_retrieval_failures_are_near_misses() -> None:
    lost = {"evidence_hit": 0, "right": False}
    cases = [case("r1", **lost, near_misses=1), case("r2", **lost), case("r3")]
    told = {"stages": {"cand": count_stages(cases)}, "codes": {"cand": count_codes(cases)}}
    (row,) = stage_rows(told, ["cand"])
    assert (dict(row.counts)["retrieval"], row.near_missed) == (2, 1)


def test_the_stages_of_an_earlier_result_have_no_near_misses() -> None:
    (row,) = stage_rows({"stages": {"cand": count_stages([case()])}}, ["cand"])
    assert row.near_missed == 0


def test_a_result_without_controls_shows_none() -> None:
    assert controls_shown({}) is controls_shown({"controls": {"judged": []}}) is None
