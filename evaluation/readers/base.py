"""What a reader is (it answers from passages), and how one is built by name."""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from evaluation.records import Answer, Document, Hit
from evaluation.registry import Part, PartError, Registry

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient

Passage = tuple[Hit, Document]


class ReaderError(Exception):
    """A reader ran but gave nothing usable; the caller records an error, never an abstention.

    `reason` is a sentence, `raw` what the model wrote, `latency_ms` the time it took.
    """

    def __init__(
        self, reason: str, *, raw: str | None = None, tokens: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.raw = raw
        self.tokens = tokens
        self.latency_ms: float | None = None


class Reader(Part, ABC):
    """Answers a question from retrieved passages, or abstains."""

    needs_generator: ClassVar[bool] = False

    def __init__(self, parameters: Any, generator: "ChatClient | None") -> None:
        self.parameters = parameters
        self.generator = generator

    def answer(self, question: str, passages: Sequence[Passage]) -> Answer:
        """Return the answer with its latency; its text is None when the reader abstains.

        `passages` are in the order of their ranks. Raises ReaderError when the outcome is no
        usable answer, and lets an EndpointError through: then the case can be tried again.
        """
        began = time.monotonic()
        try:
            answer = self.read(question, passages)
        except ReaderError as error:
            error.latency_ms = (time.monotonic() - began) * 1000
            raise
        return replace(answer, latency_ms=(time.monotonic() - began) * 1000)

    @abstractmethod
    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        """Return the answer; `answer` adds the latency."""

    def model(self) -> Mapping[str, Any] | None:
        if not self.needs_generator or self.generator is None:
            return None
        return self.generator.identity()


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
    checked = READERS.parameters(name, parameters)
    reader = READERS.find(name)
    if reader.needs_generator and generator is None:
        raise PartError(
            f'The reader "{name}" needs a language model and none is set. '
            "Set INTACT_LLM_BASE_URL and INTACT_LLM_MODEL, or install the bundled model."
        )
    return reader(checked, generator)
