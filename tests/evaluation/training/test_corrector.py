"""Training a corrector: what the loss counts, that it is repeatable, and what the artefact says."""

import json
import math
from pathlib import Path

import pytest

from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.training.adapter import with_adapter
from evaluation.training.artefact import ArtefactError, read_artefact
from evaluation.training.correction import INSTRUCTION, Pair, messages, prompt_of
from evaluation.training.corrector import (
    KIND,
    CorrectorSettings,
    _Tokens,
    padded,
)
from evaluation.training.pairs import TrainingError
from tests.evaluation.readers.tiny_models import WORDS
from tests.evaluation.training.correctors import DOCUMENT, PAIRS, random_base, trained


def test_only_the_targets_tokens_are_in_the_loss() -> None:
    rows = padded([_Tokens((5, 6, 7), (8, 0)), _Tokens((5,), (9,))])
    assert rows == (
        [[5, 6, 7, 8, 0], [0, 0, 0, 5, 9]],
        [[1, 1, 1, 1, 1], [0, 0, 0, 1, 1]],
        [[-100, -100, -100, 8, 0], [-100, -100, -100, -100, 9]],
    )


def test_the_first_loss_is_the_base_models_own(tmp_path: Path) -> None:
    """Computed without padding and without an adapter, one example after the other, by torch's
    own cross-entropy through the model's `labels`.
    """
    torch = pytest.importorskip("torch")
    from evaluation.readers.torch import Writer

    base = random_base(tmp_path)
    made = trained(tmp_path / "made", base)
    writer, losses = Writer(base), []
    for pair in PAIRS:
        prompt = prompt_of(writer.encode, pair.entered, pair.documents, words=100, room=400)
        target = [WORDS.index(word) for word in (*pair.clean.split(), "<end>")]
        labels = [-100] * len(prompt) + target
        with torch.no_grad():
            told = writer.model(
                input_ids=torch.tensor([prompt + target]), labels=torch.tensor([labels])
            )
        losses += [float(told.loss)] * len(target)
    assert made.told["losses"] == [pytest.approx(sum(losses) / len(losses), abs=1e-5)]


def test_the_same_training_gives_the_same_artefact_and_another_seed_another(tmp_path: Path) -> None:
    base = random_base(tmp_path)
    hashes = [
        trained(tmp_path / name, base, lr=0.01, epochs=2, seed=seed).sha256
        for name, seed in (("a", 0), ("b", 0), ("c", 1))
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_it_learns_what_it_is_shown(tmp_path: Path) -> None:
    made = trained(tmp_path / "made", random_base(tmp_path), lr=0.05, epochs=4)
    first, *_between, last = made.told["losses"]
    assert last < first
    assert first == pytest.approx(math.log(len(WORDS)), rel=0.15)  # it knew nothing


def test_an_artefact_has_the_adapter_the_hash_of_its_base_and_no_path(tmp_path: Path) -> None:
    made = trained(tmp_path / "made", random_base(tmp_path))
    assert set(made.files) == {"adapter_config.json", "adapter_model.safetensors"}
    assert made.told["base"]["name"] == "base"
    assert len(made.told["base"]["weights_sha256"]) == 64
    assert (made.told["data"]["pairs"], made.told["data"]["identity"]) == (2, 1)
    assert str(tmp_path) not in json.dumps(made.told)
    assert str(tmp_path) not in (made.folder / "adapter_config.json").read_text()
    assert read_artefact(made.folder, KIND) == made


def test_what_cannot_be_trained_is_refused_before_the_model_is_loaded(tmp_path: Path) -> None:
    base = random_base(tmp_path)
    with pytest.raises(TrainingError, match="no pair of queries"):
        trained(tmp_path / "made", base, pairs=[])
    with pytest.raises(PartError, match="finds no language model"):
        trained(tmp_path / "made", tmp_path)
    with pytest.raises(ArtefactError, match="already"):
        trained(base, base)


def test_a_query_that_does_not_fit_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="“How mch .” cannot be learnt from: the query takes"):
        trained(tmp_path / "made", random_base(tmp_path), max_length=16)


def test_documents_that_do_not_fit_are_left_out_from_the_end() -> None:
    documents = [DOCUMENT, Document("d2", "Ferries", "Flat " * 30)]

    def encode(sent: object) -> list[int]:
        return [0] * len(str(sent).split())

    both = len(encode(messages("x", documents, words=50)))
    one = len(encode(messages("x", documents[:1], words=50)))
    assert len(prompt_of(encode, "x", documents, words=50, room=both)) == both
    assert len(prompt_of(encode, "x", documents, words=50, room=both - 1)) == one


def test_the_message_shows_so_many_words_of_each_document() -> None:
    [message] = messages("Who\nis it?", [DOCUMENT], words=2)
    assert message["content"] == (
        f"{INSTRUCTION}\n\n[1] Harbor Rail: It rose\n\nQuery: Who is it?\nCorrected query:"
    )


def test_a_pair_that_is_clean_is_an_identity() -> None:
    assert Pair("a", "a").is_identity and not Pair("a", "b").is_identity


@pytest.mark.parametrize(
    "wrong", [{"rank": 0}, {"lr": 0.0}, {"dropout": 1.0}, {"epochs": 0}, {"max_length": 3}]
)
def test_a_setting_out_of_its_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        CorrectorSettings(**wrong)  # type: ignore[arg-type]


def test_the_defaults_are_the_sources() -> None:
    """QE-RAG, section on query correction: lr 5e-5, batch 16, 3 epochs."""
    settings = CorrectorSettings()
    assert (settings.lr, settings.batch, settings.epochs) == (5e-5, 16, 3)


def test_an_adapter_in_another_form_than_safetensors_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "adapter_model.bin").write_bytes(b"")
    with pytest.raises(PartError, match="has no adapter_model.safetensors"):
        with_adapter(None, tmp_path)
