import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Person, Project
from evaluation.management.training import read_mix
from tests.evaluation.runs.small_study import begin, finish
from tests.evaluation.training.small_data import PASSAGES, QUESTIONS, save_small_model

SMALL: dict[str, Any] = {"epochs": 2, "batch": 4, "lr": 1e-3, "tau": 0.05}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_small_model(tmp_path_factory.mktemp("base"))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    requests = [
        {"id": q.id, "class": "fact", "text": q.text, "evidence": [[gold] for gold in q.golds]}
        for q in QUESTIONS
    ]
    corpus = [
        {"_id": key, **dict(zip(("title", "text"), passage.split("\n", 1), strict=True))}
        for key, passage in PASSAGES.items()
    ]
    written = {"questions": tmp_path / "requests.jsonl", "corpus": tmp_path / "corpus.jsonl"}
    for file, rows in zip(written.values(), (requests, corpus), strict=True):
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return written


def told(**options: Any) -> str:
    out = io.StringIO()
    call_command("train_retriever", stdout=out, stderr=io.StringIO(), **options)
    return out.getvalue()


@pytest.mark.model
def test_files_become_an_artefact(files: dict[str, Path], base: Path, tmp_path: Path) -> None:
    out = told(**files, output=tmp_path / "r2", base=str(base), rate=0.5, **SMALL)
    assert "6 questions, 7 pairs, 3 questions with errors" in out
    assert "Measure it on other questions than these" in out
    assert (tmp_path / "r2" / "artefact.json").is_file()


@pytest.mark.model
def test_as_json_it_is_one_object(files: dict[str, Path], base: Path, tmp_path: Path) -> None:
    given = {**files, "base": str(base), "share": 0.5, "seed": 3, **SMALL}
    found = json.loads(told(output=tmp_path / "model", json=True, **given))
    assert found["folder"] == str(tmp_path / "model")
    assert len(found["losses"]) == 2
    assert 0 < found["data"]["questions"] == len(found["data"]["ids"]) < 6


@pytest.mark.model
def test_a_projects_requests_and_corpus_are_taken(
    study: Project, engineer: Person, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"project": "study", "base": str(base), "json": True, **SMALL}
    found = json.loads(told(output=tmp_path / "model", **given))
    # "c" has a turn before it, without which nobody knows what it asks.
    assert found["data"]["ids"] == ["a", "b", "open"]
    monkeypatch.setenv("INTACT_TRAINED_RETRIEVER", found["folder"])
    assert finish(begin(engineer, study, ("original",), retriever="trained")).state == "finished"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"questions": None}, "Give --questions and --corpus, or --project"),
        ({"project": "study"}, "Give either --project, or"),
        ({"rate": 2.0}, "The rate must lie between 0 and 1"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"mix": "spelling:x"}, "--mix cannot be read at “spelling:x”"),
        ({"rate": 0.5, "mix": "typo"}, "There is no variation called"),
        ({"rate": 0.5, "mix": "spelling:0"}, "No kind of variation has a weight"),
        ({"base": "nowhere"}, r"no modules\.json"),
        ({"corpus": Path("nowhere.jsonl")}, "cannot be read: No such file"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    files: dict[str, Path], base: Path, tmp_path: Path, changed: dict[str, Any], sentence: str
) -> None:
    given = {**files, "output": tmp_path / "model", "base": str(base), **changed}
    with pytest.raises(CommandError, match=sentence):
        told(**given)
    assert not (tmp_path / "model").exists()


def test_an_output_in_use_is_refused_first(files: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="something in"):
        told(**files, output=tmp_path)


def test_weights_of_errors_are_read() -> None:
    assert read_mix("spelling:3, keyboard,visual:2") == {"spelling": 3, "keyboard": 1, "visual": 2}
