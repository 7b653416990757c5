"""Runs whose retriever fuses: the original request is searched beside the rewrite, and told."""

import json
from collections.abc import Iterator

import pytest

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.records import Rewrite
from evaluation.retrieval import build_retriever
from evaluation.retrieval.ranking import merge_round_robin
from evaluation.runs import stages
from evaluation.runs.outcomes import tie_groups
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, Reply, fake_endpoint
from tests.evaluation.retrieval.corpora import RAIL, sha256_of
from tests.evaluation.runs.small_study import REQUESTS, begin, case_of, finish, upload

TEXTS = {str(row["id"]): str(row["text"]) for row in REQUESTS}


def searched(run: Run, arm: str, request: str) -> dict:
    return case_of(run, arm, request).stages.get(stage="retrieve").content


@pytest.fixture
def fused(study: Project, engineer: Person) -> Run:
    upload(study, "cand", {"a": "Lark Bakery", "b": TEXTS["b"], "c": "ferry"})
    return finish(begin(engineer, study, ("original", "cand"), retriever="rrf"))


def test_the_original_is_searched_beside_the_rewrite(fused: Run) -> None:
    assert searched(fused, "cand", "a")["searched"] == ["Lark Bakery", TEXTS["a"]]


def test_what_the_rewrite_lost_is_still_found_by_the_original(fused: Run) -> None:
    hits = {hit["id"]: hit for hit in searched(fused, "cand", "a")["hits"]}
    assert (
        hits["d1"]["found"] == [{"query": 1, "rank": 1, "by": "bm25"}] and hits["d1"]["query"] == 1
    )


def test_a_rewrite_that_is_the_original_is_searched_once(fused: Run) -> None:
    assert "searched" not in searched(fused, "cand", "b")
    assert "searched" not in searched(fused, "original", "a")


def test_a_retriever_that_does_not_fuse_gets_the_rewrite_alone(
    study: Project, engineer: Person
) -> None:
    upload(study, "cand", {"a": "Lark Bakery", "b": "x", "c": "y"})
    run = finish(begin(engineer, study, ("original", "cand")))
    found = searched(run, "cand", "a")
    assert "searched" not in found and [hit["id"] for hit in found["hits"]] == ["d4"]


def test_a_rewrite_without_a_query_is_not_searched_at_all(tmp_path) -> None:  # type: ignore[no-untyped-def]
    retriever = build_retriever(
        "rrf", {}, documents=lambda: RAIL, corpus_sha256=sha256_of("c"), cache_dir=tmp_path
    )
    found = stages.retrieve(retriever, Rewrite("clarification"), k=3, original="harbor")
    assert found["hits"] == [] and "no query" in found["note"]


def test_equal_fused_scores_tie_whatever_query_they_count_for(tmp_path) -> None:  # type: ignore[no-untyped-def]
    retriever = build_retriever(
        "rrf", {}, documents=lambda: RAIL, corpus_sha256=sha256_of("c"), cache_dir=tmp_path
    )
    # "winter" is in d3 alone, "flat" in d4 alone: both have 1/61, each by another query.
    found = stages.retrieve(retriever, Rewrite("subqueries", ("winter", "flat")), k=3)
    assert [(hit["id"], hit["query"]) for hit in found["hits"]] == [("d3", 0), ("d4", 1)]
    assert tie_groups(found["hits"]) == (0, 0)


def test_hits_that_take_turns_do_not_tie_across_queries() -> None:
    lists = [[("d3", 2.0)], [("d4", 2.0)]]
    assert tie_groups([hit.to_json() for hit in merge_round_robin(lists, 2)]) == (0, 1)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEndpoint]:
    with fake_endpoint() as endpoint:
        monkeypatch.setenv("INTACT_SEARCH_URL", endpoint.origin)
        monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
        monkeypatch.setenv("INTACT_CONNECTIONS", "1")  # so that the script's order is the cases'
        yield endpoint


def test_a_teams_own_search_that_fails_leaves_the_case_failed_and_unscored(
    study: Project, engineer: Person, service: FakeEndpoint
) -> None:
    found = Reply(body=json.dumps({"hits": [{"id": "d1", "score": 1}]}).encode())
    unknown = Reply(body=json.dumps({"hits": [{"id": "d77", "score": 1}]}).encode())
    replies = {"2022": found, "2023": unknown}  # two lanes ask in any order
    service.by = lambda body: next(
        (reply for year, reply in replies.items() if year in body["queries"][0]), Reply(status=429)
    )
    run = finish(begin(engineer, study, ("original",), retriever="http"))
    assert [case_of(run, "original", key).status for key in "abc"] == [
        "ok",
        "provider_error",
        "rate_limited",
    ]
    assert 'does not have: "d77"' in case_of(run, "original", "b").error
