"""Training a causal language model to correct queries with retrieved documents (RA-QCG).

The input is an instruction, the documents that were retrieved with the possibly corrupted query,
and that query; the target is the clean query. The loss is the cross-entropy of the target's tokens
alone. LoRA, Adam, a cosine decay without warm-up, gradients cut at length 1.

Source: QE-RAG (Zhang et al. 2025, arXiv 2504.04062), retrieval-augmented query correction.
"""

import inspect
import math
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from annotation.canonical import content_hash
from evaluation.readers.torch import ONE_AT_A_TIME, Writer, folder_of, identity_of, libraries
from evaluation.training.adapter import add_adapter, save_adapter
from evaluation.training.artefact import Artefact, check_free, write_artefact
from evaluation.training.correction import Pair, one_line, prompt_of, prompts_sha256
from evaluation.training.pairs import TrainingError

KIND = "corrector"
_IGNORED = -100  # what torch's cross-entropy leaves out
# Told after each step: epoch, step, steps in all (each from 1), mean loss of a target token.
Progress = Callable[[int, int, int, float], None]


@dataclass(frozen=True, slots=True)
class CorrectorSettings:
    """How a corrector is trained. `lr`, `batch` and `epochs` are the source's; it states neither
    `rank` nor `alpha`.

    `rank`, `alpha`, `dropout`: of the adapter; its product is scaled by alpha / rank.
    `lr`: the learning rate at the beginning; it falls to 0 along half a cosine.
    `batch`: examples of a step. `at_once`: how many of them are computed together; the sum of
    their gradients is the same but for rounding. `epochs`: passes over the data.
    `max_length`: tokens of prompt and target; documents that do not fit are left out, last first.
    `k`: documents of a query, in training and in use. `passage_words`: how many words of each.
    `threads`: threads of the processor; another number may round differently.
    """

    rank: int = 8
    alpha: int = 16
    dropout: float = 0.0
    lr: float = 5e-5
    batch: int = 16
    at_once: int = 4
    epochs: int = 3
    max_length: int = 1024
    k: int = 3
    passage_words: int = 100
    threads: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        least = {"k": 0, "passage_words": 1, "max_length": 16, "seed": 0}
        for name in ("rank", "alpha", "batch", "at_once", "epochs", "threads", *least):
            if getattr(self, name) < least.get(name, 1):
                found = getattr(self, name)
                raise ValueError(f"{name} must be at least {least.get(name, 1)}, not {found}.")
        if not 0 < self.lr <= 0.1:
            raise ValueError(f"lr must lie above 0 and be at most 0.1, not {self.lr}.")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must lie from 0 to below 1, not {self.dropout}.")


@dataclass(frozen=True, slots=True)
class _Tokens:
    """One example as the model reads it: the prompt's tokens and those of the target."""

    prompt: tuple[int, ...]
    target: tuple[int, ...]


def train_corrector(
    folder: Path,
    pairs: Sequence[Pair],
    settings: CorrectorSettings,
    *,
    base: Path,
    told: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Artefact:
    """Train on `pairs` and write the artefact (adapter and record) into the new `folder`.

    `base` is the folder of a causal language model, which the artefact names by its hashes and does
    not hold. `told` is what is known of the data beside the pairs. The same data, settings,
    libraries and threads give the same artefact on the same processor. Raises PartError (a
    sentence) when the folder is taken, the base cannot be had, there is nothing to learn, or the
    training diverges.
    """
    check_free(folder)
    base = folder_of(str(base), "training of a corrector")
    if not pairs:
        raise TrainingError("There is no pair of queries, so that nothing can be learnt.")
    record: dict[str, Any] = {
        "base": identity_of(base),
        "data": {**data_of(pairs), **(told or {})},
        "settings": asdict(settings),
        "prompts_sha256": prompts_sha256(),
        "libraries": {**libraries(), "peft": version("peft")},
    }
    with ONE_AT_A_TIME:
        writer = Writer(base)
        examples = [_tokens(writer, pair, settings) for pair in pairs]
        torch = writer.torch
        with _repeatable(torch, settings):
            model = add_adapter(
                writer.model, rank=settings.rank, alpha=settings.alpha, dropout=settings.dropout
            )
            trained = [weights for weights in model.parameters() if weights.requires_grad]
            record["trained_weights"] = sum(weights.numel() for weights in trained)
            record["losses"] = list(_epochs(torch, model, trained, examples, settings, progress))
        model.eval()
        return write_artefact(folder, KIND, lambda new: save_adapter(model, new), record)


def data_of(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return what an artefact says of its pairs: how many, how many of them clean, their hash."""
    rows = [[p.entered, p.clean, [[d.id, d.title, d.text] for d in p.documents]] for p in pairs]
    identity = sum(pair.is_identity for pair in pairs)
    return {"sha256": content_hash(rows), "pairs": len(pairs), "identity": identity}


def _tokens(writer: Writer, pair: Pair, settings: CorrectorSettings) -> _Tokens:
    """Return the example's tokens; its target ends as the model ends a reply."""
    blank = "" if writer.tokenizer.chat_template else " "  # a plain prompt ends with a colon
    clean = blank + one_line(pair.clean)
    target = list(writer.tokenizer(clean, add_special_tokens=False)["input_ids"])
    target += writer.ends[:1]
    longest = min(settings.max_length, writer.context)
    try:
        prompt = prompt_of(
            writer.encode,
            pair.entered,
            pair.documents,
            words=settings.passage_words,
            room=longest - len(target),
        )
    except ValueError as fault:
        raise TrainingError(
            f"“{pair.entered[:60]}” cannot be learnt from: {fault}. Train with a higher max_length."
        ) from fault
    return _Tokens(tuple(prompt), tuple(target))


def _epochs(
    torch: Any,
    model: Any,
    trained: Sequence[Any],
    examples: Sequence[_Tokens],
    settings: CorrectorSettings,
    progress: Progress | None,
) -> Iterator[float]:
    """Yield the mean loss of the target tokens of each epoch."""
    per_epoch = math.ceil(len(examples) / settings.batch)
    steps = per_epoch * settings.epochs
    optimizer = torch.optim.AdamW(trained, lr=settings.lr, weight_decay=0.0)  # so it is Adam
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: 0.5 * (1 + math.cos(math.pi * min(step, steps) / steps))
    )
    model.train()
    step = 0
    for epoch in range(1, settings.epochs + 1):
        order = list(range(len(examples)))
        random.Random(f"corrector\0{settings.seed}\0{epoch}").shuffle(order)  # noqa: S311
        total, seen = 0.0, 0
        for at in range(0, len(order), settings.batch):
            batch = [examples[one] for one in order[at : at + settings.batch]]
            count = sum(len(example.target) for example in batch)
            optimizer.zero_grad()
            loss = sum(
                _backward(torch, model, batch[n : n + settings.at_once], count)
                for n in range(0, len(batch), settings.at_once)
            )
            if not math.isfinite(loss):
                raise TrainingError(
                    f"The loss is no number at step {step + 1} of {steps}. Train with a lower lr."
                )
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            schedule.step()
            step, total, seen = step + 1, total + loss * count, seen + count
            if progress:
                progress(epoch, step, steps, loss)
        yield total / seen


def _backward(torch: Any, model: Any, examples: Sequence[_Tokens], count: int) -> float:
    """Add the gradients of some examples of a batch with `count` target tokens; return their part
    of its mean loss.
    """
    tokens, seen, labels = (torch.tensor(rows) for rows in padded(examples))
    places = (seen.cumsum(1) - 1).clamp(min=0)
    # The targets stand at the end of every row: no more is asked of the model's largest matrix.
    last = max(len(one.target) for one in examples)
    known = inspect.signature(model.get_base_model().forward).parameters
    more = {"logits_to_keep": last + 1} if "logits_to_keep" in known else {}
    logits = model(input_ids=tokens, attention_mask=seen, position_ids=places, **more).logits
    summed = torch.nn.functional.cross_entropy(
        logits[:, -last - 1 : -1].flatten(0, 1).float(),
        labels[:, -last:].flatten(),
        ignore_index=_IGNORED,
        reduction="sum",
    )
    loss = summed / count
    loss.backward()
    return float(loss.detach())


def padded(examples: Sequence[_Tokens]) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Return (tokens, which of them are seen, labels), each of shape (examples, longest).

    Short ones are filled on the left. The labels are the target's tokens; everything else, the
    prompt included, is left out of the loss.
    """
    longest = max(len(one.prompt) + len(one.target) for one in examples)
    tokens, seen, labels = [], [], []
    for one in examples:
        whole = [*one.prompt, *one.target]
        fill = longest - len(whole)
        tokens.append([0] * fill + whole)
        seen.append([0] * fill + [1] * len(whole))
        labels.append([_IGNORED] * (longest - len(one.target)) + list(one.target))
    return tokens, seen, labels


@contextmanager
def _repeatable(torch: Any, settings: CorrectorSettings) -> Iterator[None]:
    """Seed torch and have it compute alike each time; afterwards it is as it was."""
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    with torch.random.fork_rng(devices=[]):
        try:
            torch.set_num_threads(min(settings.threads, os.cpu_count() or 1))
            torch.use_deterministic_algorithms(True)
            torch.manual_seed(settings.seed)
            yield
        finally:
            torch.use_deterministic_algorithms(strict)
            torch.set_num_threads(threads)
