"""What a rewriter is, and how one is built by name."""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from evaluation.generation.part import ModelPart, build_with_model
from evaluation.records import Document, RequestText, Rewrite
from evaluation.registry import PartError, Registry

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient


class RewriteError(Exception):
    """A rewriter ran but gave nothing usable; the caller records a rewrite of kind "error".

    `reason` is a sentence, `raw` what the model wrote (None without a model), `latency_ms` the
    time its calls took, `tokens` and `cost_usd` what it cost. The original request is never put in
    its place.
    """

    def __init__(
        self,
        reason: str,
        *,
        raw: str | None = None,
        tokens: Mapping[str, int] | None = None,
        cost_usd: float | None = None,
        latency_ms: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.raw = raw
        self.tokens = tokens
        self.cost_usd = cost_usd
        self.latency_ms = latency_ms

    def as_rewrite(self) -> Rewrite:
        """Return the outcome to record beside the reason."""
        return Rewrite(
            kind="error",
            latency_ms=self.latency_ms,
            tokens=self.tokens,
            cost_usd=self.cost_usd,
        )


class CorpusView(Protocol):
    """What a rewriter may know of the corpus that its rewrites are to search. Safe to use from
    several threads; asks no database.
    """

    def search(self, query: str, k: int) -> list[Document]:
        """Return up to `k` documents that the retriever finds for `query`, best first."""

    def words(self) -> Mapping[str, int]:
        """Return how often each word stands in titles and texts; words as `tokenize` cuts them."""


class Rewriter(ModelPart, ABC):
    """Turns what a user asked into what a retriever gets."""

    # Whether it looks into the corpus: then it is described without one, and rewrites only with.
    needs_corpus: ClassVar[bool] = False
    corpus: CorpusView | None = None

    @property
    def view(self) -> CorpusView:
        """Return the corpus of a rewriter that needs one; raise PartError when it was not given."""
        if self.corpus is None:
            raise PartError(
                f'The rewriter "{self.name}" looks into the corpus that is searched, and none was '
                "given. Use it as an arm of a run or in a suite."
            )
        return self.corpus

    def rewrite(self, request: RequestText) -> Rewrite:
        """Return the rewrite of `request` with its latency: that of its calls, without the wait for
        their turn, or else the time that was measured here.

        Raises RewriteError when the outcome is no usable rewrite, and lets an EndpointError
        through: then the endpoint failed, not the rewriter, and the case can be tried again.
        """
        began = time.monotonic()
        try:
            rewrite = self.write(request)
        except RewriteError as error:
            if error.latency_ms is None:
                error.latency_ms = (time.monotonic() - began) * 1000
            raise
        if rewrite.latency_ms is not None:
            return rewrite
        return replace(rewrite, latency_ms=(time.monotonic() - began) * 1000)

    @abstractmethod
    def write(self, request: RequestText) -> Rewrite:
        """Return the rewrite; `rewrite` adds the latency."""


REWRITERS: Registry[Rewriter] = Registry("evaluation.rewriters", "rewriter")
register = REWRITERS.register


def rewriter_names() -> tuple[str, ...]:
    """Return the names that `build_rewriter` knows."""
    return REWRITERS.names()


def build_rewriter(
    name: str,
    parameters: Mapping[str, Any],
    *,
    generator: "ChatClient | None",
    corpus: CorpusView | None = None,
) -> Rewriter:
    """Return the rewriter `name`; raise PartError on an unknown name or parameter, or no generator.

    `generator` is ignored by rewriters that work without a model, `corpus` by those that do not
    look into it. One that needs the corpus can be described without.
    """
    rewriter = build_with_model(REWRITERS, name, parameters, generator)
    if rewriter.needs_corpus:
        rewriter.corpus = corpus
    return rewriter
