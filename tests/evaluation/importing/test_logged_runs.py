import pytest

from annotation.importing.problems import ImportRefused
from annotation.models import Project
from evaluation.models import UploadedRun
from tests.evaluation.runs.small_study import take_in

HIT = {"id": "d1", "rank": 1, "score": 2.0}


def line(**changed: object) -> dict:
    return {"request": "a", "hits": [HIT], "answer": "EUR 10 million", **changed}


def refusal(project: Project, *rows: dict) -> list[tuple[int | None, str, str]]:
    """Import the rows, which must be refused; return row, column and code of each fault."""
    with pytest.raises(ImportRefused) as refused:
        take_in(project, "run", rows, "cand")
    assert not UploadedRun.objects.exists()
    return [(p.row, p.column, p.code) for p in refused.value.problems.shown]


def test_hits_are_stored_in_the_order_of_their_ranks(study: Project) -> None:
    hits = [{"id": "d2", "rank": 2, "score": 1}, HIT]
    take_in(study, "run", [line(hits=hits)], "cand")
    assert [hit["id"] for hit in UploadedRun.objects.get().content["hits"]] == ["d1", "d2"]


def test_a_logged_run_of_a_request_without_a_contract_is_refused(study: Project) -> None:
    assert refusal(study, line(request="open")) == [(1, "request", "no_contract")]


def test_a_second_row_for_a_request_is_refused(study: Project) -> None:
    assert refusal(study, line(), line()) == [(2, "request", "duplicate_id")]


@pytest.mark.parametrize(
    ("hit", "code"),
    [
        ({**HIT, "id": "d99"}, "unknown_document"),
        ({**HIT, "id": 7}, "unknown_document"),
        ({**HIT, "rank": 0}, "bad_rank"),
        ({**HIT, "rank": True}, "bad_rank"),
        ({**HIT, "score": "high"}, "bad_score"),
        ({**HIT, "score": None}, "bad_score"),
    ],
)
def test_a_hit_that_cannot_be_one_is_refused(study: Project, hit: dict, code: str) -> None:
    assert refusal(study, line(hits=[hit])) == [(1, "hits", code)]


def test_a_document_that_stands_twice_is_refused(study: Project) -> None:
    assert refusal(study, line(hits=[HIT, {**HIT, "rank": 2}])) == [(1, "hits", "duplicate_hit")]


@pytest.mark.parametrize("query", ["first", [1], True, -1])
def test_a_sub_query_number_that_is_none_is_refused(study: Project, query: object) -> None:
    assert refusal(study, line(hits=[{**HIT, "query": query}])) == [(1, "hits", "bad_query")]


def test_the_lists_that_a_fused_hit_stood_in_are_kept(study: Project) -> None:
    found = [{"query": 0, "rank": 3, "by": "bm25"}, {"query": 1, "rank": 1}]
    take_in(study, "run", [line(hits=[{**HIT, "found": found}])], "cand")
    assert UploadedRun.objects.get().content["hits"] == [{**HIT, "query": 0, "found": found}]


@pytest.mark.parametrize(
    "found", ["bm25", [1], [{}], [{"query": 0, "rank": 0}], [{"query": 0, "rank": 1, "x": 2}]]
)
def test_lists_that_are_none_are_refused(study: Project, found: object) -> None:
    assert refusal(study, line(hits=[{**HIT, "found": found}])) == [(1, "hits", "bad_found")]


def test_equal_ranks_of_two_sub_queries_are_ordered_by_id(study: Project) -> None:
    hits = [{"id": "d2", "rank": 1, "score": 9, "query": 1}, HIT]
    take_in(study, "run", [line(hits=hits)], "cand")
    assert [hit["id"] for hit in UploadedRun.objects.get().content["hits"]] == ["d2", "d1"]
