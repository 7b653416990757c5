"""Rewriters as arms of a run: what is frozen of them, and how their outcomes are kept."""

import json
from typing import Any

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Run, StageResult
from evaluation.rewriters.http import URL
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint, says
from tests.evaluation.runs.small_study import begin, case_of, finish


def kept(run: Run, arm: str, request: str) -> dict[str, Any]:
    stage = StageResult.Stage.REWRITE
    return case_of(run, arm, request).stages.get(stage=stage).content


def answers(reply: Any) -> Reply:
    return Reply(body=json.dumps(reply).encode())


@pytest.fixture
def served(study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A service that rewrites, falls back and fails: one each of the three requests a, b and c."""
    replies = {
        "a": answers({"kind": "standalone", "queries": ["net loss"]}),
        "b": answers({"kind": "standalone", "queries": [], "fell_back": True}),
        "c": answers({"kind": "error", "error": "no quota"}),
    }
    with fake_endpoint(by=lambda body: replies[body["id"]]) as service:
        monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
        monkeypatch.setenv(URL, f"{service.origin}/rewrite")
        return finish(begin(engineer, study, ["original", "http"]))


def test_a_services_rewrites_fallbacks_and_errors_are_three_outcomes(served: Run) -> None:
    assert served.state == "finished"
    rows = [kept(served, "http", request) for request in "abc"]
    assert [row["kind"] for row in rows] == ["standalone", "unchanged", "error"]
    assert [row.get("fell_back", False) for row in rows] == [False, True, False]
    assert rows[2]["error"] == "the service says: no quota"
    assert json.loads(rows[2]["raw"]) == {"kind": "error", "error": "no quota"}


def test_an_error_of_a_service_has_no_query_and_no_hits(served: Run) -> None:
    found = case_of(served, "http", "c").stages.get(stage=StageResult.Stage.RETRIEVE).content
    assert kept(served, "http", "c")["queries"] == []
    assert found["hits"] == []


def test_a_services_address_is_frozen_with_its_arm(served: Run) -> None:
    frozen = served.arm_content["http"]["rewriter"]
    assert frozen["model"]["endpoint"].endswith("/rewrite")
    assert frozen["version"] == "1"


def test_a_run_is_refused_while_the_service_has_no_address(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(URL, raising=False)
    with pytest.raises(Refused, match="set INTACT_REWRITER_URL"):
        begin(engineer, study, ["original", "http"])


def test_an_arm_of_sub_queries_keeps_them_all_and_which_one_found_a_document(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = '["revenue of Harbor Rail", "net loss of Harbor Rail"]'
    with fake_endpoint(*[says(reply)] * 3) as endpoint:
        monkeypatch.setenv("INTACT_LLM_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
        run = finish(begin(engineer, study, ["original", "decompose"]))
    found = case_of(run, "decompose", "a").stages.get(stage=StageResult.Stage.RETRIEVE).content
    assert kept(run, "decompose", "a")["queries"] == json.loads(reply)
    assert {hit["query"] for hit in found["hits"]} <= {0, 1}
    assert set(run.arm_content["decompose"]["rewriter"]["prompts"]) == {
        "instruction",
        "asked",
        "repair",
        "schema",
        "reference_date",
        "conversation",
    }
