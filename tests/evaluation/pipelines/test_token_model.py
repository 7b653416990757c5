"""The token model on torch, against what transformers itself says of the same decoder."""

import math
from pathlib import Path
from typing import Any

import pytest

from evaluation.pipelines import build_pipeline
from evaluation.pipelines._trail import greedy
from evaluation.pipelines.base import PipelineError
from evaluation.pipelines.token_model import TorchTokenModel, token_model
from evaluation.readers import torch as local
from evaluation.registry import PartError
from tests.evaluation.pipelines.kits import DOCUMENTS, Listening, Search, entry, kit
from tests.evaluation.readers.tiny_models import CONTEXT, WORDS, save_chain, save_random

TEXT = "Harbor Rail rose by 4 % . how much ?"


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(local.FOLDER, raising=False)
    local._loaded.cache_clear()


@pytest.fixture
def model(tmp_path: Path) -> TorchTokenModel:
    return TorchTokenModel(save_random(tmp_path))


def by_transformers(folder: Path, tokens: list[int]) -> Any:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    decoder = transformers.LlamaForCausalLM.from_pretrained(folder).eval()
    with torch.inference_mode():
        return decoder(input_ids=torch.tensor([tokens])).logits[0].log_softmax(-1)


def test_the_next_token_has_the_probabilities_of_transformers(model: TorchTokenModel) -> None:
    tokens = model.tokens(TEXT)
    expected = by_transformers(model.folder, tokens)[-1].tolist()
    assert model.next_log_probs(tokens) == pytest.approx(expected, abs=1e-5)
    assert math.fsum(map(math.exp, model.next_log_probs(tokens))) == pytest.approx(1, abs=1e-5)


def test_going_on_by_a_token_is_the_same_as_reading_anew(model: TorchTokenModel) -> None:
    tokens = model.tokens(TEXT)
    for end in range(3, len(tokens) + 1):
        went_on = model.next_log_probs(tokens[:end])
    assert went_on == pytest.approx(TorchTokenModel(model.folder).next_log_probs(tokens), abs=1e-5)
    assert list(model._states) == [tuple(tokens)]


def test_losses_are_those_of_transformers_after_the_token_that_ends_a_text(
    model: TorchTokenModel,
) -> None:
    before, tokens = model.tokens("Harbor Rail"), model.tokens("rose by 4 %")
    whole = [0, *before, *tokens]  # this decoder has no token of its own that begins a text
    rows = by_transformers(model.folder, whole)
    expected = [-rows[place - 1][whole[place]].item() for place in range(3, len(whole))]
    assert model.losses(before, tokens) == pytest.approx(expected, abs=1e-5)
    first = -by_transformers(model.folder, [0])[-1][tokens[0]].item()
    assert model.losses([], tokens)[0] == pytest.approx(first, abs=1e-5)
    assert model.losses(before, []) == []


def test_writing_greedily_is_what_the_reader_writes(tmp_path: Path) -> None:
    save_chain(tmp_path, "rose", "by", "4", "%")
    model = TorchTokenModel(tmp_path)
    prompt = model.encode([{"role": "user", "content": "how much ? Answer :"}])
    written, truncated = greedy(model, prompt, 20)
    assert (model.text(written), truncated) == ("rose by 4 %", False)
    assert local.Writer(tmp_path).write(prompt, max_tokens=20).text == "rose by 4 %"
    assert greedy(model, prompt, 2)[1]


def test_reader_and_token_model_share_one_loading(tmp_path: Path) -> None:
    save_chain(tmp_path, "4")
    model = TorchTokenModel(tmp_path)
    assert model.context == CONTEXT
    assert local.loaded(tmp_path) is model._writer
    assert local._loaded.cache_info().misses == 1


def test_it_is_named_by_its_files_without_being_loaded(model: TorchTokenModel) -> None:
    told = model.identity()
    assert set(told) == {"name", "settings_sha256", "weights_sha256", "libraries"}
    assert local._loaded.cache_info().misses == 0


def test_tokens_and_text_are_plain(model: TorchTokenModel) -> None:
    tokens = model.tokens("Harbor Rail")
    assert tokens == [WORDS.index("Harbor"), WORDS.index("Rail")]
    assert (model.text([*tokens, 0]), model.ends()) == ("Harbor Rail", (0,))


def test_what_the_model_cannot_read_is_an_error(model: TorchTokenModel) -> None:
    with pytest.raises(PipelineError, match=f"to read {CONTEXT + 1} tokens"):
        model.next_log_probs([2] * (CONTEXT + 1))
    with pytest.raises(PipelineError, match="to read 0 tokens"):
        model.next_log_probs([])


def test_old_texts_are_forgotten(model: TorchTokenModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.pipelines.token_model._REMEMBERED", 5)
    for last in (2, 3, 4):
        model.next_log_probs([2, 2, last])
    assert list(model._states) == [(2, 2, 4)]


def test_replug_with_one_passage_writes_what_the_model_writes(model: TorchTokenModel) -> None:
    got = build_pipeline("replug", {"max_tokens": 4}).run(
        entry("how much ?"), kit(search=Search((1.0,)), tokens=model)
    )
    again = build_pipeline("replug", {"max_tokens": 4, "rule": "flashrag"}).run(
        entry("how much ?"), kit(search=Search((1.0,)), tokens=model)
    )
    assert got.notes["weights"] == [1.0] and got.answer.text == again.answer.text


def test_passages_are_compressed_with_a_real_decoder(model: TorchTokenModel) -> None:
    reader = Listening("4 %")
    got = build_pipeline("long_llm_lingua", {}).run(
        entry("how much ?"), kit(reader=reader, tokens=model)
    )
    lengths = {document.id: len(model.tokens(document.text)) for document in DOCUMENTS}
    assert got.notes["tokens"]["before"] == [lengths[name] for name in got.notes["ranked"]]
    assert sum(got.notes["tokens"]["after"]) < sum(lengths.values())


def test_the_folder_can_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert token_model() is None
    monkeypatch.setenv(local.FOLDER, str(save_random(tmp_path)))
    found = token_model()
    assert found is not None and found.folder == tmp_path


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PartError, match="The token model finds no language model in"):
        token_model(str(tmp_path))
