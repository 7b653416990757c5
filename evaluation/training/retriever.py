"""Training an embedding model on questions and their gold passages. The only module of this package
that computes with torch; it is imported on use.

The base is a sentence-transformers model: the bundled MiniLM, or a folder. AdamW with a linear
warm-up and a linear decay; queries and passages by the same model, vectors of length 1. The same
data, settings, libraries and threads give the same weights on the same processor.
"""

import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evaluation.retrieval.embedding import EmbeddingParameters, Encoder, load_model
from evaluation.retrieval.trained import KIND
from evaluation.training.artefact import Artefact, check_free, write_artefact
from evaluation.training.contrastive import losses, negatives_of
from evaluation.training.pairs import Example, TrainingError, TrainingSet

LIBRARIES = ("sentence-transformers", "torch", "transformers")
# Told after each step: epoch, step, steps in all (each from 1), mean loss of the batch.
Progress = Callable[[int, int, int, float], None]


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """How a retriever is trained. The defaults are the source's; it does not say `tau`, for which
    public training code of its base model has .02.

    `epochs`: passes over the data. `batch`: queries that are seen at once; each is the others'
    negative. `tau`: temperature of the loss. `lr`: the highest learning rate.
    `warmup`: share of the steps until it is reached. `weight_decay`: AdamW's.
    `max_tokens`: word pieces of a text that are seen in training; a search uses the model's own
    length. `others_extras`: the random passages of other queries are negatives too.
    `query_prefix`: stands before every query, in training and in search.
    `threads`: threads of the processor; another number may round differently.
    """

    epochs: int = 1
    batch: int = 64
    tau: float = 0.02
    lr: float = 2e-5
    warmup: float = 0.1
    weight_decay: float = 0.01
    max_tokens: int = 256
    others_extras: bool = False
    query_prefix: str = ""
    threads: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("batch", 2), ("max_tokens", 8), ("threads", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, not {getattr(self, name)}.")
        if not 0.001 <= self.tau <= 1:
            raise ValueError(f"tau must lie between 0.001 and 1, not {self.tau}.")
        if not 0 < self.lr <= 0.1:
            raise ValueError(f"lr must lie above 0 and be at most 0.1, not {self.lr}.")
        if not 0 <= self.warmup < 1 or not 0 <= self.weight_decay < 1:
            raise ValueError("warmup and weight_decay must lie from 0 to below 1.")


def train_retriever(
    folder: Path,
    data: TrainingSet,
    passages: Mapping[str, str],
    settings: RetrieverSettings,
    *,
    base: str | None = None,
    progress: Progress | None = None,
) -> Artefact:
    """Train on `data` and write the artefact into the new `folder`.

    `passages` are the texts by id, as they are searched. `base` is the folder of a
    sentence-transformers model; None is the bundled MiniLM. Raises PartError (a sentence) when the
    folder is taken, the base cannot be had, or the training diverges.
    """
    check_free(folder)
    if len(data.epochs) != settings.epochs:
        raise TrainingError(
            f"There are data for {len(data.epochs)} epochs, but {settings.epochs} are wanted."
        )
    encoder = Encoder(EmbeddingParameters(model_path=base))
    told: dict[str, Any] = {
        "base": encoder.model(),
        "data": dict(data.told),
        "settings": asdict(settings),
        "libraries": {name: version(name) for name in LIBRARIES},
        "query_prefix": settings.query_prefix,
    }
    torch: Any = importlib.import_module("torch")
    with _repeatable(torch, settings):
        model = load_model(encoder.folder)
        own_length = model.max_seq_length
        model.max_seq_length = min(settings.max_tokens, own_length or settings.max_tokens)
        told["losses"] = list(_epochs(torch, model, data.epochs, passages, settings, progress))
        model.max_seq_length = own_length
    model.eval()
    return write_artefact(
        folder, KIND, lambda new: model.save(str(new), create_model_card=False), told
    )


def _epochs(
    torch: Any,
    model: Any,
    epochs: Sequence[Sequence[Example]],
    passages: Mapping[str, str],
    settings: RetrieverSettings,
    progress: Progress | None,
) -> Iterator[float]:
    """Yield the mean loss of the queries of each epoch."""
    batches = [list(_batches(epoch, settings.batch)) for epoch in epochs]
    steps = sum(map(len, batches))
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=settings.lr, weight_decay=settings.weight_decay
    )
    rise = max(1, round(settings.warmup * steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / rise, (steps - step) / max(1, steps - rise + 1))
    )
    model.train()
    step = 0
    for number, of_epoch in enumerate(batches, start=1):
        total, seen = 0.0, 0
        for batch in of_epoch:
            each = _batch_losses(torch, model, batch, passages, settings)
            mean = each.mean()
            if not bool(torch.isfinite(mean)):
                raise TrainingError(
                    f"The loss is no number at step {step + 1} of epoch {number}. Train with a "
                    "lower lr or a higher tau."
                )
            optimizer.zero_grad()
            mean.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            step, total, seen = step + 1, total + float(each.detach().sum()), seen + len(batch)
            if progress:
                progress(number, step, steps, float(mean.detach()))
        yield total / seen


def _batch_losses(
    torch: Any,
    model: Any,
    batch: Sequence[Example],
    passages: Mapping[str, str],
    settings: RetrieverSettings,
) -> Any:
    """Return the loss of each query of the batch; shape (batch,)."""
    positives, extras = [e.positive for e in batch], [e.extra for e in batch]
    queries = _vectors(torch, model, [settings.query_prefix + e.text for e in batch])
    columns = _vectors(torch, model, [passages[key] for key in (*positives, *extras)])
    negatives = negatives_of(
        [e.golds for e in batch], positives, extras, others_extras=settings.others_extras
    )
    return losses(queries @ columns.T, torch.from_numpy(negatives), tau=settings.tau)


def _vectors(torch: Any, model: Any, texts: list[str]) -> Any:
    """Return vectors of length 1 that know their gradient; shape (texts, dimensions)."""
    found = model(model.preprocess(texts))["sentence_embedding"]
    return torch.nn.functional.normalize(found, dim=1)


def _batches(examples: Sequence[Example], size: int) -> Iterator[Sequence[Example]]:
    """Yield the batches of an epoch; a last one of a single query has no negatives but one, and
    joins the one before it.
    """
    ends = list(range(size, len(examples), size))
    if ends and len(examples) - ends[-1] == 1:
        ends.pop()
    for start, end in zip([0, *ends], [*ends, len(examples)], strict=True):
        yield examples[start:end]


@contextmanager
def _repeatable(torch: Any, settings: RetrieverSettings) -> Iterator[None]:
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
