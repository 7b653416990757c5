"""What a finished run says, on a study whose right outcomes can be seen by reading it."""

from annotation.models import Person, Project
from evaluation.models import Judgement, Run, Verdict
from evaluation.runs.conclusion import conclude
from tests.evaluation.runs.small_study import (
    begin,
    case_of,
    finish,
    judged,
    take_in,
    upload,
)

GOOD = {
    "a": "Alder Foods revenue fiscal year 2022",
    "b": "Alder Foods revenue fiscal year 2023",
    "c": "Norrby ferry plan approved by which ministry",
}


def verdicts(run: Run) -> dict[tuple[str, str], str]:
    rows = Verdict.objects.current(run)
    return {(v.arm.name, v.request_class.name): v.sha256 for v in rows}


def test_a_run_is_finished_when_no_case_is_open(study: Project, engineer: Person) -> None:
    run = finish(begin(engineer, study, ["original", "human"]))
    assert (run.state, run.error) == ("finished", "")
    assert set(run.cases.values_list("state", flat=True)) == {"done"}


def test_each_case_keeps_its_four_stages(study: Project, engineer: Person) -> None:
    run = finish(begin(engineer, study, ["original"]))
    stages = case_of(run, "original", "a").stages.values_list("stage", flat=True)
    assert list(stages) == ["rewrite", "retrieve", "answer", "judge"]


def test_the_original_of_a_follow_up_loses_its_referent_and_its_evidence(
    study: Project, engineer: Person
) -> None:
    run = finish(begin(engineer, study, ["original", "human"]))
    original = case_of(run, "original", "c").outcome
    human = case_of(run, "human", "c").outcome
    assert judged(run, "original", "c") == {"c1": "dropped"}
    assert judged(run, "human", "c") == {"c1": "stated"}
    assert original["outcome"]["evidence_hit"] == 0
    assert human["outcome"]["evidence_hit"] == 1


def test_two_runs_with_equal_rows_have_the_same_hash_and_verdicts(
    study: Project, engineer: Person
) -> None:
    upload(study, "cand", GOOD)
    first, second = (
        finish(begin(engineer, study, ["original", "human", "cand"]), worker)
        for worker in ("w1", "w2")
    )
    assert first.pk != second.pk
    assert first.result_sha256 == second.result_sha256 != ""
    assert verdicts(first) == verdicts(second)
    assert len(verdicts(first)) == 2  # one candidate, two classes


def test_another_rewrite_gives_another_hash(study: Project, engineer: Person) -> None:
    upload(study, "cand", GOOD)
    upload(study, "cand-2", {**GOOD, "a": "Alder Foods revenue"})
    first = finish(begin(engineer, study, ["original", "cand"]))
    second = finish(begin(engineer, study, ["original", "cand-2"]))
    assert first.result_sha256 != second.result_sha256


def test_concluding_again_writes_no_second_verdict(study: Project, engineer: Person) -> None:
    upload(study, "cand", GOOD)
    run = finish(begin(engineer, study, ["original", "cand"]))
    before = verdicts(run)
    conclude(run.pk)
    assert verdicts(run) == before
    assert set(Verdict.objects.filter(run=run).values_list("version", flat=True)) == {1}
    assert study.ledger.filter(kind="run.concluded").count() == 1


def test_a_request_without_an_uploaded_rewrite_is_not_run_and_blocks_its_class(
    study: Project, engineer: Person
) -> None:
    upload(study, "cand", {"a": GOOD["a"]})
    run = finish(begin(engineer, study, ["original", "cand"]))
    rewrite = case_of(run, "cand", "b").stages.get(stage="rewrite").content
    assert rewrite["kind"] == "error"
    assert rewrite["error"] == "The uploaded file has no rewrite for this request."
    assert judged(run, "cand", "b") == {}
    assert case_of(run, "cand", "b").outcome["outcome"]["status"] == "not_run"
    verdict = Verdict.objects.current(run).get(request_class__name="dated-fact")
    assert (verdict.outcome, verdict.content["deciding"]) == ("not_assessable", "coverage")


def test_a_request_without_a_reference_is_not_run_in_the_human_arm(
    study: Project, engineer: Person
) -> None:
    study.requests.get(key="a").human_rewrites.all().delete()
    run = finish(begin(engineer, study, ["original", "human"]))
    rewrite = case_of(run, "human", "a").stages.get(stage="rewrite").content
    assert (rewrite["kind"], rewrite["queries"]) == ("error", [])
    assert rewrite["error"].startswith("Nobody had written the standalone reference")
    assert judged(run, "human", "a") == {}
    assert case_of(run, "human", "a").outcome["outcome"]["status"] == "not_run"


def test_a_logged_run_is_scored_by_its_own_hits_and_answers(
    study: Project, engineer: Person
) -> None:
    upload(study, "cand", GOOD)
    rows = [
        {
            "request": "a",
            "hits": [{"id": "d2", "rank": 1, "score": 2.5}, {"id": "d1", "rank": 2, "score": 1}],
            "answer": "EUR 10 million",
            "citations": ["d1"],
            "latency_ms": 7,
        }
    ]
    take_in(study, "run", rows, "cand")
    run = finish(begin(engineer, study, ["original", "cand"]))
    case = case_of(run, "cand", "a")
    assert case.stages.get(stage="retrieve").content["note"] == "uploaded"
    outcome = case.outcome["outcome"]
    assert outcome["ranked_ids"] == ["d2", "d1"]
    assert (outcome["evidence_hit"], outcome["answer_correct"]) == (1, True)


def test_a_request_without_a_logged_row_is_searched_here(study: Project, engineer: Person) -> None:
    upload(study, "cand", GOOD)
    take_in(study, "run", [{"request": "a", "hits": [], "answer": None}], "cand")
    run = finish(begin(engineer, study, ["original", "cand"]))
    assert case_of(run, "cand", "b").outcome["outcome"]["ranked_ids"] == ["d2"]


def test_a_logged_run_without_its_rewrite_leaves_every_constraint_open_and_asks_nobody(
    study: Project, engineer: Person
) -> None:
    take_in(
        study,
        "run",
        [{"request": "a", "hits": [{"id": "d1", "rank": 1, "score": 1.0}], "answer": "10"}],
        "cand",
    )
    run = finish(begin(engineer, study, ["original", "cand"]))
    assert judged(run, "cand", "a") == {"c1": "unsure", "c2": "unsure"}
    assert not Judgement.objects.waiting(run).filter(case__arm__name="cand").exists()
    assert case_of(run, "cand", "a").outcome["outcome"]["evidence_hit"] == 1
