"""Another judge of support in a whole run: what it says is kept with the case, and counts."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.support import SupportError
from evaluation.support.nli import NliJudge
from tests.evaluation.runs.small_study import begin, case_of, finish


@pytest.fixture
def folder(tmp_path: Path) -> str:
    config = {"id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return str(tmp_path)


def run_of(engineer: Person, study: Project, folder: str) -> Run:
    parameters = {"path": folder}
    run = begin(engineer, study, ["original"], support="nli", support_parameters=parameters)
    return finish(run)


def test_what_a_model_says_of_support_is_kept_and_counts(
    study: Project, engineer: Person, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def neutral(_self: NliJudge, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        return [[0.0, 1.0, 0.0] for _pair in pairs]

    monkeypatch.setattr(NliJudge, "probabilities", neutral)
    run = run_of(engineer, study, folder)
    case = case_of(run, "original", "a")
    stored = case.stages.get(stage="judge").content["support"]
    assert (stored["rule"], stored["value"], stored["status"]) == ("nli/1", False, "ok")
    assert (case.outcome["outcome"]["supported"], case.outcome["outcome"]["support_by"]) == (
        False, "model",
    )  # fmt: skip


def test_an_error_of_the_judge_is_counted_and_is_no_loss(
    study: Project, engineer: Person, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: NliJudge, _pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        raise SupportError("The model gave nothing usable.")

    monkeypatch.setattr(NliJudge, "probabilities", fail)
    run = run_of(engineer, study, folder)
    [arm] = [row for row in run.result["scorecard"]["arms"] if row["scope"] == "all"]
    assert arm["judged_by"]["supported"] == {"person": 0, "model": 0, "rule": 0, "error": 2}
    # Of three requests two have a right answer whose support is undecided; one has no answer.
    answered = arm["scores"]["supported_correct"]
    assert (answered["estimate"]["numerator"], answered["estimate"]["n"]) == (0, 1)
    assert (answered["open"], answered["not_applicable"]) == (2, 0)
    assert case_of(run, "original", "a").status == "ok"
