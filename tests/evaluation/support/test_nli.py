"""The judge by natural language inference: a tiny model of random weights that this file saves, and
probabilities fixed by a table.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.support import build_support_judge
from evaluation.support.claims import claims_of, is_fragment
from evaluation.support.nli import NliJudge

LABELS = ("contradiction", "neutral", "entailment")
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] harbor rail revenue was eur 5 6 million in 2020 . ? what"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers and 16 dimensions with random weights, seeded."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    path: Path = tmp_path_factory.mktemp("nli")
    words = WORDS.split()
    (path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.BertTokenizerFast(vocab_file=str(path / "vocab.txt")).save_pretrained(path)
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, num_labels=3,
        id2label=dict(enumerate(LABELS)), label2id={name: n for n, name in enumerate(LABELS)},
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(path)
    return path


def judge_of(folder: Path, **parameters: Any) -> NliJudge:
    found = build_support_judge("nli", {"path": str(folder), **parameters}, generator=None)
    assert isinstance(found, NliJudge)
    return found


def scripted(
    judge: NliJudge, monkeypatch: pytest.MonkeyPatch, table: Mapping[str, Sequence[float]]
) -> None:
    """Fix what the model says of each evidence; of other evidence it says neutral."""

    def probabilities(pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        return [list(table.get(evidence, (0.0, 1.0, 0.0))) for evidence, _claim in pairs]

    monkeypatch.setattr(judge, "probabilities", probabilities)


def documents(*texts: str) -> list[Document]:
    return [Document(f"d{n}", "", text) for n, text in enumerate(texts, start=1)]


QUESTION, ANSWER = "What was revenue in 2020?", "EUR 5 million."
SAYS = "Harbor Rail revenue was EUR 5 million."


def test_one_entailing_sentence_supports_and_is_quoted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = judge_of(folder)
    scripted(judge, monkeypatch, {SAYS: (0.1, 0.1, 0.8)})
    found = judge.check(QUESTION, ANSWER, documents("Nothing here.", f"It grew. {SAYS}"))
    claim = found.claims[0]
    assert (found.value, found.rule) == (True, "nli/1")
    assert (claim.text, claim.passage, claim.quote) == (ANSWER, "d2", SAYS)


def test_below_the_threshold_nothing_is_supported(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = judge_of(folder, threshold=0.9)
    scripted(judge, monkeypatch, {SAYS: (0.1, 0.1, 0.8)})
    found = judge.check(QUESTION, ANSWER, documents(SAYS))
    assert found.value is False and "0.80" in found.why


@pytest.mark.parametrize(("contradiction", "value"), [("any", False), ("ignored", True)])
def test_a_contradiction_denies_what_another_sentence_entails(
    folder: Path, monkeypatch: pytest.MonkeyPatch, contradiction: str, value: bool
) -> None:
    judge = judge_of(folder, contradiction=contradiction)
    table = {SAYS: (0.0, 0.1, 0.9), "It was EUR 6 million.": (0.9, 0.1, 0.0)}
    scripted(judge, monkeypatch, table)
    found = judge.check(QUESTION, ANSWER, documents(SAYS, "It was EUR 6 million."))
    assert found.value is value


def test_one_claim_without_support_decides(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = judge_of(folder)
    monkeypatch.setattr(
        judge,
        "probabilities",
        lambda pairs: [[0.0, 0.1, 0.9] if "5" in claim else [0.0, 1.0, 0.0] for _e, claim in pairs],
    )
    found = judge.check(QUESTION, f"{SAYS} Costs did rise in Norway.", documents(SAYS))
    assert [claim.supported for claim in found.claims] == [True, False]
    assert found.value is False and "Norway" in found.why


def test_without_passages_nothing_is_supported_and_the_model_is_not_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = judge_of(folder)
    monkeypatch.setattr(judge, "probabilities", lambda pairs: pytest.fail("asked"))
    assert judge.check(QUESTION, ANSWER, documents("  ")).value is False


def test_a_real_model_gives_probabilities_the_same_in_any_batch(folder: Path) -> None:
    pairs = [(SAYS, "revenue was EUR 5 million"), ("rail in 2020.", "EUR 6 million"), (SAYS, "eur")]
    one, three = (judge_of(folder, batch_size=n).probabilities(pairs) for n in (1, 3))
    assert [len(row) for row in one] == [3, 3, 3]
    for single, batched in zip(one, three, strict=True):
        assert sum(single) == pytest.approx(1.0, abs=1e-5)
        assert batched == pytest.approx(single, abs=1e-5)


def test_a_long_passage_is_cut_and_still_judged(folder: Path) -> None:
    judge = judge_of(folder, evidence="passages", max_length=32)
    assert judge.check(QUESTION, ANSWER, documents("harbor rail " * 200)).value in (True, False)


def test_what_is_frozen_names_the_bytes_and_labels_of_the_model(folder: Path) -> None:
    frozen = judge_of(folder).describe()
    assert frozen["model"]["labels"] == list(LABELS)
    assert len(frozen["model"]["sha256"]) == 64
    assert set(frozen["libraries"]) == {"tokenizers", "torch", "transformers"}


def test_the_setting_names_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_NLI_MODEL", str(folder))
    assert build_support_judge("nli", {}, generator=None).describe()["parameters"]["path"] == ""


def test_without_a_folder_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTACT_NLI_MODEL", raising=False)
    with pytest.raises(PartError, match="give it as path, or set INTACT_NLI_MODEL"):
        build_support_judge("nli", {}, generator=None)


@pytest.mark.parametrize(
    "labels", [{}, {"0": "LABEL_0", "1": "LABEL_1"}, {"0": "not_entailment", "1": "other"}]
)
def test_a_model_without_a_label_for_entailment_is_refused(
    tmp_path: Path, labels: dict[str, str]
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"id2label": labels}), encoding="utf-8")
    with pytest.raises(PartError, match="exactly one must be called entailment"):
        judge_of(tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PartError, match="There is no model in"):
        judge_of(tmp_path)


def test_a_model_of_two_labels_knows_no_contradiction(tmp_path: Path) -> None:
    config = {"id2label": {"0": "Entailment", "1": "not_entailment"}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    labels = judge_of(tmp_path).labels
    assert (labels.entailment, labels.contradiction) == (0, None)


def test_a_fragment_is_joined_with_its_question_and_a_sentence_is_not() -> None:
    assert claims_of("Who owns\nit?", "Lark Bakery. It is owned by Lark Bakery of Norrby.") == [
        ("Lark Bakery.", "Who owns it? Lark Bakery."),
        ("It is owned by Lark Bakery of Norrby.", "It is owned by Lark Bakery of Norrby."),
    ]


@pytest.mark.parametrize(
    ("sentence", "fragment"),
    [("Yes.", True), ("EUR 5 million", True), ("It was.", True), ("Costs didn’t rise.", False)],
)
def test_what_is_a_fragment(sentence: str, fragment: bool) -> None:
    assert is_fragment(sentence) is fragment
