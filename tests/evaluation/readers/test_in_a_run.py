"""Readers in a run: what is frozen of them, what is kept of their answers, and whose fault is
whose.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Run
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint
from tests.evaluation.readers.tiny_models import save_chain
from tests.evaluation.runs.fixtures import study
from tests.evaluation.runs.small_study import begin, case_of, finish

__all__ = ["study"]


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")


def answered(run: Run, request: str) -> dict[str, Any]:
    return case_of(run, "original", request).stages.get(stage="answer").content


def read_by_service(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch, *rows: Any
) -> Run:
    script = [Reply(body=json.dumps(row).encode()) for row in rows]
    with fake_endpoint(*script) as service:
        monkeypatch.setenv("INTACT_READER_URL", service.origin)
        return finish(begin(engineer, study, ("original",), reader="http", k=4))


def test_a_services_answers_are_kept_with_their_cost_and_scored(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"answer": "EUR 10 million", "tokens": {"in": 7, "out": 3}, "cost_usd": 0.25}
    run = read_by_service(study, engineer, monkeypatch, *[row] * 3)
    assert run.state == "finished"
    kept = answered(run, "a")
    assert (kept["answer"], kept["cost_usd"], kept["tokens"]) == (
        "EUR 10 million",
        0.25,
        {"in": 7, "out": 3},
    )
    outcome = case_of(run, "original", "a").outcome["outcome"]
    assert (outcome["answer_correct"], outcome["cost"]) == (True, 0.25)
    assert outcome["calls"] == 1


def test_an_error_of_a_services_own_is_never_an_abstention(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"answer": "x", "citations": ["d77"]}
    run = read_by_service(study, engineer, monkeypatch, *[row] * 3)
    kept = answered(run, "a")
    assert kept["answer"] is None and kept["status"] != "abstained"
    assert "“d77”" in kept["error"]
    assert case_of(run, "original", "a").status not in ("ok", "abstained")


def test_a_run_is_refused_while_a_reader_has_no_service_or_folder(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INTACT_READER_URL", raising=False)
    monkeypatch.delenv("INTACT_READER_MODEL", raising=False)
    with pytest.raises(Refused, match="set INTACT_READER_URL"):
        begin(engineer, study, ("original",), reader="http")
    with pytest.raises(Refused, match="set INTACT_READER_MODEL"):
        begin(engineer, study, ("original",), reader="local")


def test_a_model_of_this_machine_reads_and_is_frozen(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INTACT_READER_MODEL", str(save_chain(tmp_path / "tiny", "4", "%")))
    run = finish(begin(engineer, study, ("original",), reader="local"))
    assert answered(run, "a")["answer"] == "4 %"
    assert run.conditions.content["reader"]["model"]["name"] == "tiny"


def test_a_span_is_scored_and_its_sentence_is_kept(study: Project, engineer: Person) -> None:
    study.requests.filter(key="a").update(text="How much revenue did Alder Foods report?")
    run = finish(begin(engineer, study, ("original",), reader_parameters={"unit": "span"}))
    kept = answered(run, "a")
    assert kept["answer"] == "EUR 10 million"
    assert kept["taken_from"].startswith("In fiscal year 2022 Alder Foods reported")
    assert case_of(run, "original", "a").outcome["outcome"]["answer_correct"] is True
