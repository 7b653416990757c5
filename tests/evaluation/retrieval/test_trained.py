import shutil
from pathlib import Path

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.records import Document
from evaluation.retrieval import PartError
from evaluation.training.artefact import Artefact
from evaluation.training.pairs import Corruption, training_set
from evaluation.training.retriever import RetrieverSettings, train_retriever
from evaluation.variations.base import build_maker
from tests.evaluation.retrieval.corpora import build, build_from
from tests.evaluation.runs.fixtures import study
from tests.evaluation.runs.small_study import begin, case_of, finish
from tests.evaluation.training.small_data import PASSAGES, QUESTIONS, save_small_model

__all__ = ["study"]

CORPUS = [Document(key, *passage.split("\n", 1)) for key, passage in PASSAGES.items()]


def train(folder: Path, base: Path, rate: float, prefix: str = "") -> Artefact:
    settings = RetrieverSettings(
        epochs=8, batch=7, lr=3e-3, tau=0.05, threads=1, query_prefix=prefix
    )
    data = training_set(
        QUESTIONS,
        PASSAGES,
        corruption=Corruption(rate),
        epochs=settings.epochs,
        seed=settings.seed,
        maker=lambda kind: build_maker(kind, {}),
    )
    return train_retriever(folder, data, PASSAGES, settings, base=str(base))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the base model, R1, R2, and a model with a query prefix."""
    room = tmp_path_factory.mktemp("trained")
    base = save_small_model(room / "base")
    train(room / "r1", base, 0.0)
    train(room / "r2", base, 0.5)
    train(room / "prefixed", base, 0.0, prefix="old ")
    return room


@pytest.fixture(autouse=True)
def no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTACT_TRAINED_RETRIEVER", raising=False)


@pytest.mark.model
def test_it_finds_what_it_was_trained_to_find(room: Path, tmp_path: Path) -> None:
    retriever = build("trained", CORPUS, tmp_path, {"path": str(room / "r1")})
    found = [retriever.search([question.text], k=2) for question in QUESTIONS]
    assert all(
        {hit.id for hit in hits} & set(q.golds) for hits, q in zip(found, QUESTIONS, strict=True)
    )


@pytest.mark.model
def test_two_trainings_never_share_an_index(room: Path, tmp_path: Path) -> None:
    for name in ("r1", "r2"):
        build("trained", CORPUS, tmp_path, {"path": str(room / name)})
    [corpus] = tmp_path.iterdir()
    assert len(list(corpus.iterdir())) == 2


@pytest.mark.model
def test_the_index_belongs_to_the_content_and_not_to_the_path(room: Path, tmp_path: Path) -> None:
    build("trained", CORPUS, tmp_path / "cache", {"path": str(room / "r1")})
    shutil.copytree(room / "r1", tmp_path / "copy")
    again = build_from(
        "trained",
        lambda: pytest.fail("it was built again"),
        tmp_path / "cache",
        {"path": str(tmp_path / "copy")},
    )
    assert again.search(["the ferry"], k=1)


@pytest.mark.model
def test_what_is_frozen_is_hashes(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_TRAINED_RETRIEVER", str(room / "r1"))
    first = build("trained", [], tmp_path).describe()
    shutil.copytree(room / "r1", tmp_path / "copy")
    monkeypatch.setenv("INTACT_TRAINED_RETRIEVER", str(tmp_path / "copy"))
    assert build("trained", [], tmp_path).describe() == first
    assert str(room) not in repr(first)
    assert [len(first["model"][name]) for name in ("sha256", "base", "data")] == [64] * 3


@pytest.mark.model
def test_the_query_gets_the_prefix_of_the_training(room: Path, tmp_path: Path) -> None:
    prefixed = build("trained", CORPUS, tmp_path, {"path": str(room / "prefixed")})
    assert prefixed.describe()["model"]["query_prefix"] == "old "
    own = prefixed.search(["bridge"], k=6)
    prefixed.query_prefix = ""  # type: ignore[attr-defined]
    by_hand = prefixed.search(["old bridge"], k=6)
    assert [(h.id, h.score) for h in own] == [(h.id, h.score) for h in by_hand]


@pytest.mark.model
def test_another_model_in_the_same_folder_is_another_model(room: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    scores = []
    for name in ("r1", "r2"):
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(room / name, place)
        found = build("trained", CORPUS, tmp_path / "cache", {"path": str(place)})
        scores.append(found.search(["the ferry"], k=1)[0].score)
    assert scores[0] != scores[1]


@pytest.mark.model
def test_a_changed_artefact_is_refused(room: Path, tmp_path: Path) -> None:
    shutil.copytree(room / "r1", tmp_path / "model")
    with (tmp_path / "model" / "model.safetensors").open("ab") as file:
        file.write(b"x")
    with pytest.raises(PartError, match=r"model\.safetensors was changed"):
        build("trained", CORPUS, tmp_path, {"path": str(tmp_path / "model")})


def test_without_an_artefact_it_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PartError, match="set INTACT_TRAINED_RETRIEVER"):
        build("trained", CORPUS, tmp_path)
    with pytest.raises(PartError, match="no trained artefact"):
        build("trained", CORPUS, tmp_path, {"path": str(tmp_path)})


@pytest.mark.model
def test_a_run_searches_with_it(
    room: Path, study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused, match="set INTACT_TRAINED_RETRIEVER"):
        begin(engineer, study, ("original",), retriever="trained")
    monkeypatch.setenv("INTACT_TRAINED_RETRIEVER", str(room / "r2"))
    run = finish(begin(engineer, study, ("original",), retriever="trained", k=2))
    assert run.state == "finished", run.error
    assert run.conditions.content["retriever"]["model"]["kind"] == "retriever"
    assert len(case_of(run, "original", "a").stages.get(stage="retrieve").content["hits"]) == 2
