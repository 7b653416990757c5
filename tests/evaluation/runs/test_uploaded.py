"""What an uploaded case brings along, stage by stage."""

from typing import Any

import pytest

from evaluation.runs.uploaded import NO_HITS_LOGGED, NO_REWRITE, UNLOGGED, stages_of

HITS = [{"id": "d1", "rank": 1, "score": 2.0, "query": 0}]
REWRITE = {
    "kind": "standalone",
    "queries": ["q"],
    "filters": {},
    "clarification": None,
    "latency_ms": 3,
    "tokens": None,
    "cost_usd": None,
}
# A line as it was kept before there were optional fields.
RUN = {
    "hits": HITS,
    "answer": "EUR 10 million",
    "citations": ["d1"],
    "clarification": None,
    "latency_ms": 7,
}


def answer(**run: Any) -> dict[str, Any]:
    return stages_of(None, {"hits": HITS, **run})["answer"]


def test_a_request_in_neither_file_is_missing() -> None:
    (rewrite,) = stages_of(None, None).values()
    assert (rewrite["kind"], rewrite["error"], rewrite["missing"]) == ("error", NO_REWRITE, True)


def test_a_rewrite_alone_leaves_search_and_answer_to_the_run() -> None:
    assert stages_of(REWRITE, None) == {"rewrite": {**REWRITE, "error": ""}}


def test_a_logged_run_alone_does_not_say_what_was_searched() -> None:
    rewrite = stages_of(None, RUN)["rewrite"]
    assert (rewrite["unlogged"], rewrite["error"], rewrite["queries"]) == (True, UNLOGGED, [])


def test_both_files_of_an_arm_combine() -> None:
    assert stages_of(REWRITE, RUN) == {
        "rewrite": {**REWRITE, "error": ""},
        "retrieve": {"hits": HITS, "note": "uploaded"},
        "answer": {
            "answer": "EUR 10 million",
            "citations": ["d1"],
            "latency_ms": 7,
            "tokens": None,
            "status": "ok",
            "error": "",
        },
    }


def test_a_run_that_logs_its_queries_needs_no_second_file() -> None:
    run = {**RUN, "kind": "subqueries", "queries": ["p", "q"], "filters": {"year": "2022"}}
    rewrite = stages_of(None, run)["rewrite"]
    assert (rewrite["queries"], rewrite["filters"]) == (["p", "q"], {"year": "2022"})
    assert "unlogged" not in rewrite


def test_hits_that_were_not_logged_are_marked_and_none_that_were_found() -> None:
    found = stages_of(None, {"answer": "x"})["retrieve"]
    assert (found["unlogged"], found["note"]) == (True, NO_HITS_LOGGED)
    assert "unlogged" not in stages_of(None, {"hits": [], "answer": "x"})["retrieve"]


STATUSES = [
    pytest.param({"answer": "x"}, "ok", id="answered"),
    pytest.param({"answer": None}, "abstained", id="null"),
    pytest.param({}, "not_applicable", id="not-logged"),
    pytest.param({"clarification": "Which year?"}, "abstained", id="asked-back"),
    pytest.param({"status": "timed_out", "error": "30 s"}, "timed_out", id="failed"),
]


@pytest.mark.parametrize("run, status", STATUSES)
def test_what_became_of_the_answer(run: dict[str, Any], status: str) -> None:
    found = answer(**run)
    assert (found["status"], found["error"]) == (status, run.get("error", ""))


def test_what_the_whole_pipeline_took_stands_with_the_answer() -> None:
    found = answer(answer="x", tokens={"in": 9}, calls=2, cost_usd=0.01)
    assert (found["tokens"], found["calls"], found["cost_usd"]) == ({"in": 9}, 2, 0.01)


def test_a_question_asked_back_is_kept_once() -> None:
    run = {**RUN, "clarification": "Which year?"}
    alone, both = stages_of(None, run), stages_of(REWRITE, run)
    assert alone["rewrite"]["clarification"] == both["answer"]["clarification"] == "Which year?"
    assert "clarification" not in alone["answer"]
