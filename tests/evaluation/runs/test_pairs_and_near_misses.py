"""Near misses, paired accuracy and false rejections in the stored result of a run."""

from typing import Any

import pytest

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.runs.inputs import read_inputs
from evaluation.runs.outcomes import tie_groups
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import begin, case_of, finish, take_in, upload


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """A finished run whose candidate `swapped` finds the other twin's document for a and for b."""
    take_in(study, "twins", CONTROLS)
    upload(study, "swapped", SWAPPED)
    return finish(begin(engineer, study, ["original", "swapped"]))


def result(run: Run) -> dict[str, Any]:
    assert run.result is not None
    return run.result


def test_the_twins_evidence_is_a_near_miss_and_not_retrieved(run: Run) -> None:
    outcome = case_of(run, "swapped", "a").outcome
    counts = {name: outcome["outcome"][name] for name in ("evidence_hit", "near_misses")}
    assert counts == {"evidence_hit": 0, "near_misses": 1}
    assert outcome["evidence"]["items"] == [
        {"ids": ["d1"], "status": "near-miss", "document": "d2"}
    ]


def test_near_misses_are_counted_for_each_class_and_arm(run: Run) -> None:
    items = {
        (row["arm"], row["scope"]): row["evidence_items"]
        for row in result(run)["scorecard"]["arms"]
    }
    assert items["swapped", "dated-fact"] == {"hit": 0, "near-miss": 2, "missing": 0}
    assert items["swapped", "follow-up"] == {"hit": 1, "near-miss": 0, "missing": 0}
    assert items["original", "all"] == {"hit": 2, "near-miss": 0, "missing": 1}


def test_a_lossy_rewrite_comes_before_the_near_miss_that_it_caused(run: Run) -> None:
    assert case_of(run, "swapped", "a").outcome["first_lost"]["code"] == "rewrite"


def test_a_pair_with_both_documents_swapped_is_wrong_on_both_sides(run: Run) -> None:
    rankings = result(run)["rankings"]
    assert [rankings[arm]["paired"]["value"] for arm in ("original", "swapped")] == [1.0, 0.0]
    assert rankings["swapped"]["single"]["numerator"] == 0
    assert rankings["original"]["same_first"]["value"] == 0.0


def test_the_judge_s_false_rejections_are_in_the_result_with_the_reason(run: Run) -> None:
    controls = result(run)["controls"]
    rate = controls["false_rejections"]["worst"]
    assert (rate["numerator"], rate["n"]) == (1, 2)
    assert [(row["id"], row["worst"]) for row in controls["judged"]] == [
        ("x1", True),
        ("x2", False),
    ]
    assert controls["judged"][1]["texts"][0]["why"].startswith("dropped c2")


def test_near_misses_name_the_twins_that_require_them(run: Run) -> None:
    near = read_inputs(run).near_misses[case_of(run, "swapped", "a").request_id]
    assert near == {"d2": ("b",)}


def test_a_document_that_both_require_is_no_near_miss(study: Project, engineer: Person) -> None:
    study.requests.filter(key="b").update(evidence=[["d1"], ["d2"]])
    run = begin(engineer, study, ["original"])
    near = read_inputs(run).near_misses
    by_key = {key: near[pk] for pk, key in study.requests.values_list("pk", "key") if pk in near}
    assert by_key == {"a": {"d2": ("b",)}, "b": {}}


def hit(key: str, rank: int, score: float, query: int = 0) -> dict[str, Any]:
    return {"id": key, "rank": rank, "score": score, "query": query}


@pytest.mark.parametrize(
    ("hits", "groups"),
    [
        ([hit("a", 1, 2.0), hit("b", 2, 1.0)], (0, 1)),
        ([hit("a", 1, 2.0), hit("b", 2, 2.0), hit("c", 3, 1.0)], (0, 0, 2)),
        # Scores of different queries say nothing of each other; an equal rank in a query does.
        ([hit("a", 1, 2.0, 0), hit("b", 2, 2.0, 1)], (0, 1)),
        ([hit("a", 1, 2.0), hit("b", 1, 1.0)], (0, 0)),
        ([hit("a", 1, 2.0, 0), hit("b", 2, 9.0, 1), hit("c", 3, 2.0, 0)], (0, 1, 0)),
    ],
)
def test_hits_of_one_query_with_equal_scores_tie(
    hits: list[dict[str, Any]], groups: tuple[int, ...]
) -> None:
    assert tie_groups(hits) == groups


def test_a_tie_in_the_search_fails_the_pair(study: Project, engineer: Person) -> None:
    rows = [
        {
            "request": key,
            "hits": [hit(own, 1, 5.0), hit(other, 2, 5.0)],
            "answer": answer,
            "citations": [own],
        }
        for key, own, other, answer in (
            ("a", "d1", "d2", "EUR 10 million"),
            ("b", "d2", "d1", "EUR 12 million"),
        )
    ]
    upload(study, "logged", SWAPPED | {"a": SWAPPED["b"], "b": SWAPPED["a"]})
    take_in(study, "run", rows, "logged")
    run = finish(begin(engineer, study, ["original", "logged"]))
    pair = next(row for row in result(run)["pairs"] if row["arm"] == "logged")
    assert (pair["rewrite"], pair["evidence"], pair["passed"]) == (True, False, False)
    assert pair["why"].endswith("a tie fails.")


def test_the_pairs_of_one_request_are_read_without_the_others(run: Run, study: Project) -> None:
    whole = read_inputs(run)
    for request in study.requests.all():
        only = read_inputs(run, only=request)
        for part in ("near_misses", "foreign"):
            assert getattr(only, part).get(request.pk) == getattr(whole, part).get(request.pk)
    assert whole.near_misses, "the twins a and b"
