"""What a reader is (it answers from passages), and how one is built by name."""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from evaluation.generation.part import ModelPart, build_with_model
from evaluation.records import Answer, Document, Hit
from evaluation.registry import Registry

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient

Passage = tuple[Hit, Document]


class ReaderError(Exception):
    """A reader ran but gave nothing usable; the caller records an error, never an abstention.

    `reason` is a sentence, `raw` what the model wrote, `cut` whether it was not let to its end,
    `latency_ms` the time it took, `tokens` and `cost_usd` what it cost.
    """

    def __init__(
        self,
        reason: str,
        *,
        raw: str | None = None,
        tokens: Mapping[str, int] | None = None,
        cut: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.cut = cut
        self.raw = raw
        self.tokens = tokens
        self.cost_usd: float | None = None
        self.latency_ms: float | None = None

    def as_answer(self) -> Answer:
        """Return the outcome to record beside the reason: no answer, and what it took."""
        return Answer(
            text=None, latency_ms=self.latency_ms, tokens=self.tokens, cost_usd=self.cost_usd
        )


class Reader(ModelPart, ABC):
    """Answers a question from retrieved passages, or abstains."""

    def answer(self, question: str, passages: Sequence[Passage]) -> Answer:
        """Return the answer with its latency; its text is None when the reader abstains.

        `passages` are in the order of their ranks. Raises ReaderError when the outcome is no
        usable answer, and lets an EndpointError through: then the case can be tried again.
        """
        began = time.monotonic()
        try:
            answer = self.read(question, passages)
        except ReaderError as error:
            if error.latency_ms is None:
                error.latency_ms = (time.monotonic() - began) * 1000
            raise
        if answer.latency_ms is not None:
            return answer
        return replace(answer, latency_ms=(time.monotonic() - began) * 1000)

    @abstractmethod
    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        """Return the answer; `answer` adds the latency unless the call's own is known, which leaves
        out the wait for its turn.
        """


READERS: Registry[Reader] = Registry("evaluation.readers", "reader")
register = READERS.register


def reader_names() -> tuple[str, ...]:
    """Return the names that `build_reader` knows."""
    return READERS.names()


def build_reader(
    name: str, parameters: Mapping[str, Any], *, generator: "ChatClient | None"
) -> Reader:
    """Return the reader `name`; raise PartError on an unknown name or parameter, or no generator.

    `generator` is ignored by readers that work without a model.
    """
    return build_with_model(READERS, name, parameters, generator)
