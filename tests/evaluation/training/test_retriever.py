from pathlib import Path
from typing import Any

import pytest

from evaluation.registry import PartError
from evaluation.training.artefact import Artefact, read_artefact
from evaluation.training.pairs import Corruption, TrainingError, training_set
from evaluation.training.retriever import RetrieverSettings, train_retriever
from evaluation.variations.base import Maker, build_maker
from tests.evaluation.training.small_data import PASSAGES, QUESTIONS, save_small_model

pytestmark = pytest.mark.model
SETTINGS: dict[str, Any] = {"epochs": 3, "batch": 4, "lr": 3e-3, "tau": 0.05, "threads": 1}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_small_model(tmp_path_factory.mktemp("base"))


def maker(kind: str) -> Maker:
    return build_maker(kind, {})


def trained(folder: Path, base: Path, rate: float = 0.0, **given: Any) -> Artefact:
    settings = RetrieverSettings(**{**SETTINGS, **given})
    data = training_set(
        QUESTIONS,
        PASSAGES,
        corruption=Corruption(rate),
        epochs=settings.epochs,
        seed=settings.seed,
        maker=maker,
    )
    return train_retriever(folder, data, PASSAGES, settings, base=str(base))


@pytest.fixture(scope="module")
def artefact(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Artefact:
    return trained(tmp_path_factory.mktemp("made") / "model", base)


def test_the_loss_falls(artefact: Artefact) -> None:
    losses = artefact.told["losses"]
    assert len(losses) == 3
    assert losses[-1] < losses[0] / 2


def test_the_same_training_gives_the_same_bytes(
    artefact: Artefact, base: Path, tmp_path: Path
) -> None:
    again = trained(tmp_path / "again", base)
    assert again.files == artefact.files
    assert again.sha256 == artefact.sha256


def test_another_seed_or_other_data_give_another_model(
    artefact: Artefact, base: Path, tmp_path: Path
) -> None:
    others = [
        trained(tmp_path / "seed", base, seed=1),
        trained(tmp_path / "r2", base, rate=0.5),
    ]
    weights = {made.files["model.safetensors"] for made in [artefact, *others]}
    assert len(weights) == 3


def test_the_record_says_what_it_was_made_of(artefact: Artefact, base: Path) -> None:
    told = artefact.told
    assert set(told) == {"base", "data", "settings", "libraries", "query_prefix", "losses"}
    assert len(told["base"]["sha256"]) == 64
    assert told["settings"]["lr"] == 3e-3
    assert set(told["libraries"]) == {"sentence-transformers", "torch", "transformers"}
    assert str(base.parent) not in (artefact.folder / "artefact.json").read_text(encoding="utf-8")


def test_a_search_uses_the_models_own_length_again(base: Path, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    made = trained(tmp_path / "short", base, max_tokens=8, epochs=1)
    assert SentenceTransformer(str(made.folder), device="cpu").max_seq_length == 32


def test_torch_is_left_as_it_was(base: Path, tmp_path: Path) -> None:
    import torch

    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    threads = torch.get_num_threads()
    trained(tmp_path / "model", base, epochs=1)
    assert torch.equal(torch.rand(1), expected)
    assert torch.get_num_threads() == threads
    assert not torch.are_deterministic_algorithms_enabled()


def test_a_folder_in_use_is_refused_before_training(
    artefact: Artefact, base: Path, tmp_path: Path
) -> None:
    with pytest.raises(PartError, match="something in"):
        trained(artefact.folder, base)
    with pytest.raises(PartError, match=r"no modules\.json"):
        trained(tmp_path / "model", tmp_path)
    assert read_artefact(artefact.folder, "retriever") == artefact


def test_a_training_that_diverges_leaves_nothing(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evaluation.training import retriever

    def no_number(similarities: Any, *_: Any, **__: Any) -> Any:
        return similarities.sum(dim=1) * float("nan")

    monkeypatch.setattr(retriever, "losses", no_number)
    with pytest.raises(TrainingError, match="no number at step 1 of epoch 1"):
        trained(tmp_path / "model", base)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"batch": 1}, "batch must be at least 2"),
        ({"tau": 0.0}, "tau must lie"),
        ({"lr": 1.0}, "lr must lie"),
        ({"warmup": 1.0}, "warmup and weight_decay"),
    ],
)
def test_settings_are_checked(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        RetrieverSettings(**given)
