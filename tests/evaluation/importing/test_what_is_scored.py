"""Every score that a logged run's lines allow is computed, and no other."""

from typing import Any

from annotation.models import Person, Project
from evaluation.models import Run
from tests.evaluation.runs.small_study import begin, case_of, finish, judged, take_in

HITS = [{"id": "d1", "rank": 1, "score": 1.0}]


def run_of(study: Project, engineer: Person, *rows: dict[str, Any]) -> Run:
    take_in(study, "run", rows, "cand")
    return finish(begin(engineer, study, ["original", "cand"]))


def scores_of(run: Run) -> dict[str, Any]:
    rows = run.result["scorecard"]["arms"]  # type: ignore[index]
    found: dict[str, Any] = next(r for r in rows if (r["arm"], r["scope"]) == ("cand", "all"))
    return found


def test_a_line_with_everything_has_every_score(study: Project, engineer: Person) -> None:
    query = "Alder Foods revenue in fiscal year 2022"
    row = {"request": "a", "queries": [query], "hits": HITS, "answer": "EUR 10 million"}
    run = run_of(study, engineer, row)
    outcome = case_of(run, "cand", "a").outcome["outcome"]
    assert judged(run, "cand", "a") == {"c1": "stated", "c2": "stated"}
    assert (outcome["evidence_hit"], outcome["answer_correct"], outcome["supported"]) == (
        1,
        True,
        True,
    )


def test_an_answer_that_was_not_logged_is_not_a_wrong_one(study: Project, engineer: Person) -> None:
    rows = [{"request": "a", "hits": HITS}, {"request": "b", "hits": HITS, "answer": None}]
    scores = scores_of(run_of(study, engineer, *rows))["scores"]
    answered = scores["supported_correct"]
    assert (answered["estimate"]["numerator"], answered["estimate"]["n"]) == (0, 1)
    assert scores["evidence_recall"]["estimate"]["n"] == 2


def test_hits_that_were_not_logged_are_not_missing_evidence(
    study: Project, engineer: Person
) -> None:
    run = run_of(study, engineer, {"request": "a", "answer": "EUR 10 million"})
    outcome = case_of(run, "cand", "a").outcome["outcome"]
    assert (outcome["evidence_required"], outcome["answer_correct"], outcome["supported"]) == (
        0,
        True,
        None,
    )


def test_a_failure_of_the_pipeline_is_counted_by_its_status_and_never_scored(
    study: Project, engineer: Person
) -> None:
    rows = [
        {"request": "a", "hits": HITS, "answer": "EUR 10 million"},
        {"request": "b", "status": "timed_out", "error": "no reply in 30 s"},
    ]
    scores = scores_of(run_of(study, engineer, *rows))
    assert scores["statuses"] == {"not_run": 1, "ok": 1, "timed_out": 1}
    assert scores["scores"]["evidence_recall"]["estimate"]["n"] == 1


def test_what_the_pipeline_took_is_measured(study: Project, engineer: Person) -> None:
    row = {"request": "a", "hits": HITS, "answer": "x", "latency_ms": 9, "cost_usd": 0.1}
    measured = scores_of(run_of(study, engineer, {**row, "calls": 2}))["measured"]
    assert {name: (m["value"], m["n"]) for name, m in measured.items()} == {
        "latency_ms": (9, 1),
        "latency_ms_p50": (9, 1),
        "latency_ms_p95": (9, 1),
        "calls": (2, 1),
        "cost": (0.1, 1),
    }


def test_a_trec_run_scores_evidence_and_no_answers(study: Project, engineer: Person) -> None:
    scores = scores_of(run_of(study, engineer, {"request": "a", "hits": HITS}))["scores"]
    assert scores["supported_correct"]["estimate"]["value"] is None
    assert scores["supported_correct"]["not_applicable"] == 1


def test_a_logged_fallback_is_counted_beside_the_scores(study: Project, engineer: Person) -> None:
    rows = [
        {"request": "a", "queries": ["its revenue?"], "hits": HITS, "fell_back": True},
        {"request": "b", "hits": HITS, "fell_back": True},
        {"request": "c", "queries": ["its revenue in 2022?"], "hits": HITS},
    ]
    counts = scores_of(run_of(study, engineer, *rows))["rewriting"]
    assert (counts["fell_back"], counts["rewritten"], counts["unknown"]) == (2, 1, 0)


def test_answers_without_a_record_of_the_retrieval_have_no_share_that_is_supported(
    study: Project, engineer: Person
) -> None:
    """One right, one abstained: not 0 of 1, since the right one has no support to be told."""
    rows = [
        {"request": "a", "answer": "EUR 10 million"},
        {"request": "b", "answer": None},
    ]
    found = scores_of(run_of(study, engineer, *rows))
    supported = found["scores"]["supported_correct"]
    assert (supported["estimate"]["value"], supported["estimate"]["n"]) == (None, 0)
    typed = found["answer_rules"]["typed_match"]["estimate"]
    assert (typed["numerator"], typed["n"]) == (1, 2)


def test_what_the_whole_pipeline_took_has_the_rewriting_in_it_already(
    study: Project, engineer: Person
) -> None:
    """A rewrite of 400 ms and USD 0.001 within a request of 900 ms and USD 0.003."""
    rewrite = {"request": "a", "kind": "standalone", "queries": ["q"]}
    take_in(study, "rewrites", [{**rewrite, "latency_ms": 400, "cost_usd": 0.001}], "cand")
    row = {"request": "a", "hits": HITS, "latency_ms": 900, "cost_usd": 0.003}
    measured = scores_of(run_of(study, engineer, row))["measured"]
    assert (measured["latency_ms"]["value"], measured["cost"]["value"]) == (900, 0.003)
