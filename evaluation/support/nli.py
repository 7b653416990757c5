"""A model of natural language inference (a cross-encoder) from a folder on this machine."""

import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from evaluation.generation.part import ModelPart
from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.retrieval.embedding import folder_sha256
from evaluation.scoring.answer_text import sentences
from evaluation.scoring.support import ClaimSupport, Support
from evaluation.support.base import SupportJudge, register
from evaluation.support.claims import claims_of

SETTING = "INTACT_NLI_MODEL"
ENTAILS = ("entailment", "entails", "entail")
CONTRADICTS = ("contradiction", "contradicts", "contradict")
_TORCH = threading.Lock()  # one forward pass at a time: it uses every core already


@dataclass(frozen=True, slots=True)
class NliParameters:
    """Which model judges, and when it has decided.

    `path`: the folder of a saved sequence classifier; empty is the folder that INTACT_NLI_MODEL
    names.
    `threshold`: the least probability of entailment that supports a claim, and of contradiction
    that contradicts it.
    `contradiction`: whether any retrieved text that contradicts a claim denies it, or none does:
    passages about other years and names may seem to contradict.
    `evidence`: what a claim is compared with, each sentence of a passage or each passage whole.
    `batch_size`: pairs that the model sees at once.
    `max_length`: tokens of a pair; the rest of a longer passage is cut.
    """

    path: str = ""
    threshold: float = 0.5
    contradiction: Literal["any", "ignored"] = "any"
    evidence: Literal["sentences", "passages"] = "sentences"
    batch_size: int = 16
    max_length: int = 512

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise ValueError(f"threshold must be above 0 and at most 1, not {self.threshold}.")
        if self.batch_size < 1 or self.max_length < 8:
            raise ValueError("batch_size must be at least 1 and max_length at least 8.")


@dataclass(frozen=True, slots=True)
class Labels:
    """Which outputs of a model mean entailment and contradiction; some models have no
    contradiction.
    """

    names: tuple[str, ...]
    entailment: int
    contradiction: int | None


@register("nli", version="1")
class NliJudge(SupportJudge):
    """Asks a model of natural language inference whether a retrieved sentence entails each claim.

    A claim is a sentence of the answer, joined with the question where it is a fragment. It is
    supported when the highest probability of entailment over the evidence reaches `threshold` and,
    unless contradiction is ignored, no probability of contradiction does. The model runs on this
    machine, on the processor, in float32.

    Source: SummaC (Laban et al. 2022), which compares sentence by sentence and takes the highest.
    """

    Parameters = NliParameters
    parameters: NliParameters

    def __init__(self, parameters: Any, generator: Any = None) -> None:
        ModelPart.__init__(self, parameters, generator)
        self.folder = _folder(self.parameters.path)
        self.labels = read_labels(self.folder)

    def model(self) -> Mapping[str, Any]:
        """Return what names the model: the hash of its bytes, and its labels."""
        return {
            "name": self.folder.name,
            "sha256": folder_sha256(self.folder),
            "labels": list(self.labels.names),
        }

    def libraries(self) -> Mapping[str, str]:
        return {name: version(name) for name in ("tokenizers", "torch", "transformers")}

    def judge(self, question: str, answer: str, passages: Sequence[Document]) -> Support:
        evidence = [
            (document.id, text) for document in passages for text in self._pieces(document.text)
        ]
        claims = claims_of(question, answer)
        pairs = [(text, claim) for _sentence, claim in claims for _id, text in evidence]
        found = self.probabilities(pairs)
        size = len(evidence)
        return self.together(
            [
                self._judged(sentence, evidence, found[n * size : (n + 1) * size])
                for n, (sentence, _claim) in enumerate(claims)
            ]
        )

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Return the probability of each label for each (evidence, claim)."""
        import torch  # on use: it takes seconds and hundreds of megabytes

        p = self.parameters
        found: list[list[float]] = []
        with _TORCH, torch.inference_mode():
            tokenizer, model = _loaded(self.folder)
            for start in range(0, len(pairs), p.batch_size):
                batch = pairs[start : start + p.batch_size]
                tokens = tokenizer(
                    [evidence for evidence, _claim in batch],
                    [claim for _evidence, claim in batch],
                    truncation="longest_first",
                    max_length=p.max_length,
                    padding=True,
                    return_tensors="pt",
                )
                found += torch.softmax(model(**tokens).logits.float(), dim=-1).tolist()
        return found

    def _pieces(self, text: str) -> tuple[str, ...]:
        whole = (text,) if text.strip() else ()
        return whole if self.parameters.evidence == "passages" else sentences(text)

    def _judged(
        self, text: str, evidence: Sequence[tuple[str, str]], found: Sequence[Sequence[float]]
    ) -> ClaimSupport:
        entailing, best = _highest(found, self.labels.entailment)
        label = self.labels.contradiction if self.parameters.contradiction == "any" else None
        against, worst = _highest(found, label)
        passage, quote = evidence[entailing]
        if worst >= self.parameters.threshold:
            passage, quote = evidence[against]
            why = f"A retrieved text contradicts {text!r} (probability {worst:.2f})."
            return ClaimSupport(text, False, passage, quote, why)
        if best >= self.parameters.threshold:
            why = f"A retrieved text entails it (probability {best:.2f})."
            return ClaimSupport(text, True, passage, quote, why)
        why = f"No retrieved text entails {text!r} (the highest probability is {best:.2f})."
        return ClaimSupport(text, False, why=why)


def read_labels(folder: Path) -> Labels:
    """Return the labels of the model in `folder`, from its config.json.

    Raises PartError when there is no model there, or none of its labels means entailment.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        given = {int(number): str(name) for number, name in config.get("id2label", {}).items()}
    except (OSError, ValueError, AttributeError) as fault:
        raise PartError(
            f"There is no model in {folder} (its config.json cannot be read). "
            "Give the folder of a saved sequence classifier as path."
        ) from fault
    names = tuple(given[number] for number in sorted(given))
    folded = [name.strip().casefold() for name in names]
    entails = [n for n, name in enumerate(folded) if name in ENTAILS]
    if len(entails) != 1:
        raise PartError(
            f"The model in {folder} has the labels {', '.join(names) or 'none'}; exactly one must "
            "be called entailment. Give a model of natural language inference, or name its labels "
            "in the id2label of its config.json."
        )
    denies = [n for n, name in enumerate(folded) if name in CONTRADICTS]
    return Labels(names, entails[0], denies[0] if denies else None)


def _highest(found: Sequence[Sequence[float]], label: int | None) -> tuple[int, float]:
    """Return (which evidence, its probability) of the highest for a label; (0, -1) without it."""
    if label is None:
        return 0, -1.0
    best = max(range(len(found)), key=lambda n: found[n][label])
    return best, found[best][label]


def _folder(path: str) -> Path:
    given = path or os.environ.get(SETTING, "")
    if not given:
        raise PartError(
            'The support judge "nli" needs the folder of a model: give it as path, or set '
            f"{SETTING}."
        )
    return Path(given)


@lru_cache(maxsize=2)
def _loaded(folder: Path) -> tuple[Any, Any]:
    """Return the tokenizer and the model of a folder, one for all that ask in this process. Never
    asks a hub.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        model = AutoModelForSequenceClassification.from_pretrained(
            str(folder), local_files_only=True, dtype=torch.float32
        )
    except (OSError, ValueError) as fault:
        raise PartError(f"The model in {folder} cannot be loaded: {fault}") from fault
    return tokenizer, model.eval()
