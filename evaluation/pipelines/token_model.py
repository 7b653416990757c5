"""The model of the reader "local" as one that tells its probabilities.

Reader and token model of a folder share one loading, and its lock. torch comes with that.
"""

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

from evaluation.pipelines.base import PipelineError, TokenModel
from evaluation.readers.torch import (
    FOLDER,
    ONE_AT_A_TIME,
    Writer,
    folder_of,
    identity_of,
    libraries,
    loaded,
)
from evaluation.registry import PartError

# What is remembered of texts that are being written, in tokens over all of them: beyond it the
# oldest is read again. A token takes some 45 kB with a model of 135 million weights.
_REMEMBERED = 8192


class TorchTokenModel:
    """A TokenModel (see evaluation/pipelines/base.py) on torch, on the processor, in 32 bits.

    A text that goes on by one token from one that was asked about just before is not read again
    from its beginning. Safe to use from several threads: they take turns.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # From the tokens of a text to the model's state after them.
        self._states: OrderedDict[tuple[int, ...], Any] = OrderedDict()

    @cached_property
    def _writer(self) -> Writer:
        return loaded(self.folder)

    @property
    def context(self) -> int:
        with ONE_AT_A_TIME:
            return self._writer.context

    def identity(self) -> Mapping[str, Any]:
        """What the files of the folder are, and the libraries; the model is not loaded for it."""
        return {**identity_of(self.folder), "libraries": libraries()}

    def encode(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        with ONE_AT_A_TIME:
            return self._writer.encode(messages)

    def tokens(self, text: str) -> list[int]:
        with ONE_AT_A_TIME:
            read = self._writer.tokenizer(text, add_special_tokens=False, verbose=False)
            return list(read["input_ids"])

    def text(self, tokens: Sequence[int]) -> str:
        with ONE_AT_A_TIME:
            return str(self._writer.tokenizer.decode(list(tokens), skip_special_tokens=True))

    def ends(self) -> Sequence[int]:
        with ONE_AT_A_TIME:
            return tuple(self._writer.ends)

    def next_log_probs(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the log-probabilities after `tokens`; shape (vocabulary,).

        Raises PipelineError when there is no token, or more than the model reads.
        """
        whole = tuple(tokens)
        with ONE_AT_A_TIME:
            self._check(len(whole))
            state = self._states.pop(whole[:-1], None)
            given = whole if state is None else whole[-1:]
            logits, state = self._forward(given, keep=1, state=state)
            self._remember(whole, state)
            found: list[float] = logits[-1].log_softmax(-1).tolist()
            return found

    def losses(self, before: Sequence[int], tokens: Sequence[int]) -> list[float]:
        """Return -log p of each of `tokens` after `before`, from one pass; shape (len(tokens),).

        The model's token that begins a text stands before everything, or the one that ends it where
        it has no other. Raises PipelineError when they are more than the model reads.
        """
        if not tokens:
            return []
        with ONE_AT_A_TIME:
            whole = [*self._beginning(before), *before, *tokens]
            self._check(len(whole))
            logits, _state = self._forward(whole[:-1], keep=len(tokens), state=None)
            torch = self._writer.torch
            wanted = torch.tensor(list(tokens))
            lost = torch.nn.functional.cross_entropy(logits, wanted, reduction="none")
            found: list[float] = lost.tolist()
            return found

    def _beginning(self, before: Sequence[int]) -> list[int]:
        begin = self._writer.tokenizer.bos_token_id
        if begin is None:
            begin = next(iter(self._writer.ends), None)
        if begin is None:
            if before:
                return []
            raise PipelineError("the model has no token that begins or ends a text")
        return [] if before and before[0] == begin else [int(begin)]

    def _check(self, count: int) -> None:
        if not 1 <= count <= self._writer.context:
            raise PipelineError(
                f"the model is to read {count} tokens; it reads from 1 to {self._writer.context}"
            )

    def _forward(self, given: Sequence[int], *, keep: int, state: Any) -> tuple[Any, Any]:
        """Return the logits after each of the last `keep` tokens, and the state after all."""
        writer = self._writer
        more = {"logits_to_keep": keep} if "logits_to_keep" in self._takes else {}
        # transformers 5.24 gave the state another name.
        name = "cache" if "cache" in self._takes else "past_key_values"
        with writer.torch.inference_mode():
            said = writer.model(
                input_ids=writer.torch.tensor([list(given)]),
                use_cache=True,
                **{name: state},
                **more,
            )
        return said.logits[0, -keep:], getattr(said, name)

    @cached_property
    def _takes(self) -> frozenset[str]:
        return frozenset(signature(self._writer.model.forward).parameters)

    def _remember(self, tokens: tuple[int, ...], state: Any) -> None:
        self._states[tokens] = state
        while len(self._states) > 1 and sum(map(len, self._states)) > _REMEMBERED:
            self._states.popitem(last=False)


def token_model(path: str = "") -> TorchTokenModel | None:
    """Return the token model of the folder at `path`, or in INTACT_READER_MODEL; None where neither
    is set. Nothing is loaded before it is asked.

    Raises PartError when there is no model in the folder.
    """
    if not path.strip() and not os.environ.get(FOLDER, "").strip():
        return None
    return TorchTokenModel(folder_of(path, "token model"))


def tokens_here() -> TokenModel | None:
    """Return the token model of this machine, not loaded; None where there is none, or the folder
    that is set has no model in it: who needs it is told so.
    """
    try:
        return token_model()
    except PartError:
        return None
