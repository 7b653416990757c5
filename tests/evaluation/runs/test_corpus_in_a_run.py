"""Rewriters that look into the corpus as arms of a run."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Run, StageResult
from evaluation.records import RequestText
from evaluation.runs.building import steps_of
from evaluation.services.arms import make_arm
from tests.evaluation.runs.small_study import begin, case_of, finish
from tests.evaluation.training.correctors import random_base, trained

TYPED = "What revnue did Alder Foods reprot for fiscal year 2022?"


def rewritten(run: Run, arm: str, request: str) -> dict[str, Any]:
    stage = StageResult.Stage.REWRITE
    return case_of(run, arm, request).stages.get(stage=stage).content


@pytest.fixture
def typed(study: Project) -> Project:
    study.requests.filter(key="a").update(text=TYPED)
    return study


def test_a_typed_request_is_corrected_by_the_words_of_the_runs_corpus(
    typed: Project, engineer: Person
) -> None:
    run = finish(begin(engineer, typed, ["original", "typed_query"]))
    assert run.state == "finished"
    kept = rewritten(run, "typed_query", "a")
    assert kept["queries"] == ["What revenue did Alder Foods report for fiscal year 2022?"]
    assert kept["notes"] == {"corrected": [["revnue", "revenue"], ["reprot", "report"]]}
    assert rewritten(run, "typed_query", "c")["kind"] == "unchanged"


def test_after_preparing_a_rewriter_asks_no_database(
    typed: Project, engineer: Person, django_assert_num_queries: Any
) -> None:
    steps = steps_of(begin(engineer, typed, ["original", "typed_query"]))
    steps.prepare()
    with django_assert_num_queries(0):
        rewrite = steps._rewriter("typed_query").rewrite(RequestText("a", "goverment revnue"))
    assert rewrite.queries == ("government revenue",)


def test_a_corrector_that_was_trained_here_is_an_arm_of_a_run(
    typed: Project, engineer: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = random_base(tmp_path)
    made = trained(tmp_path / "corrector", base, epochs=2)  # two steps
    monkeypatch.setenv("INTACT_CORRECTOR", str(made.folder))
    monkeypatch.setenv("INTACT_READER_MODEL", str(base))
    make_arm(
        actor=engineer,
        project=typed,
        name="trained",
        rewriter="ra_qcg",
        parameters={"max_tokens": 8},
    )
    run = finish(begin(engineer, typed, ["original", "trained"]))
    assert run.state == "finished"
    frozen = run.arm_content["trained"]["rewriter"]
    assert frozen["model"]["sha256"] == made.sha256
    assert set(frozen["prompts"]) == {"instruction", "passage", "asked"}
    kept = rewritten(run, "trained", "a")  # random weights correct nothing: a guard stands in
    assert (kept["kind"], kept["fell_back"], kept["queries"]) == ("unchanged", True, [TYPED])
    assert kept["notes"]["why"]


def test_a_run_is_refused_while_there_is_no_corrector(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INTACT_CORRECTOR", raising=False)
    with pytest.raises(Refused, match="set INTACT_CORRECTOR"):
        begin(engineer, study, ["original", "ra_qcg"])
