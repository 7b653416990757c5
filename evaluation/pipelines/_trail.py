"""What a pipeline does for one entry, step by step, and what that takes: searches, readings,
rewrites and its own prompts.
"""

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from evaluation.pipelines._mixing import likeliest
from evaluation.pipelines.base import Kit, Outcome, PipelineError, TokenModel
from evaluation.readers.base import Passage, ReaderError
from evaluation.records import Answer, RequestText, Rewrite
from evaluation.rewriters.base import RewriteError

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient, Completion

Build = Callable[[Sequence[Passage]], Sequence[Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class Said:
    """A reply, whether it was cut at its limit, and the passages that its prompt had room for."""

    text: str
    truncated: bool
    shown: Sequence[Passage]


class Trail:
    """The steps that one entry takes through a pipeline, in their order, and their costs."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self.searches: list[str] = []
        self.retrievals = 0
        self.generations = 0
        self._latency_ms: float | None = None
        self._tokens: dict[str, int] | None = None
        self._cost_usd: float | None = None
        self._unknown: set[str] = set()

    def search(self, *queries: str) -> list[Passage]:
        """Return the passages of one search, best first."""
        self.searches += queries
        self.retrievals += 1
        return self.kit.search(queries, self.kit.k)

    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        """Return what the kit's reader answers. It is not asked from no passages."""
        if not passages:
            return Answer(text=None)
        self.generations += 1
        try:
            answer = self.kit.reader.answer(question, passages)
        except ReaderError as fault:
            self._took(fault, remote=self.kit.reader.remote)
            fault.latency_ms, fault.tokens = self._latency_ms, self.tokens
            fault.cost_usd = self.cost_usd
            raise
        self._took(answer, remote=self.kit.reader.remote)
        return answer

    def rewrite(self, name: str, parameters: Mapping[str, Any], request: RequestText) -> Rewrite:
        """Return the rewrite of a request. Every call of the rewriter's model is a generation."""
        rewriter = copy.copy(self.kit.rewriter(name, parameters))
        if rewriter.generator is not None:
            rewriter.generator = cast("ChatClient", _Counted(rewriter.generator, self))
        before = self.generations
        try:
            rewrite = rewriter.rewrite(request)
        except RewriteError as fault:
            self._took(fault, remote=rewriter.remote)
            fault.latency_ms, fault.tokens = self._latency_ms, self.tokens
            fault.cost_usd = self.cost_usd
            raise
        self._took(rewrite, remote=rewriter.remote)
        if rewrite.tokens is not None and self.generations == before:
            self.generations += 1  # it wrote with a model of its own
        return rewrite

    def ask(self, build: Build, passages: Sequence[Passage], *, max_tokens: int) -> Said:
        """Return the reply to the prompt that `build` makes of the passages; the likeliest token
        each time.

        The last passages are left out where the token model has no room for them all.
        """
        if self.kit.asks_tokens:
            return self._ask_tokens(build, passages, max_tokens)
        if self.kit.generator is None:
            raise self.failed("there is no language model to ask")
        self.generations += 1
        completion = self.kit.generator.complete(build(passages), max_tokens=max_tokens)
        self._took(completion, remote=True)
        return Said(completion.text, completion.truncated, passages)

    def failed(self, reason: str, raw: str | None = None) -> PipelineError:
        """Return the error to raise, with what all calls so far have taken."""
        return PipelineError(
            reason,
            raw=raw,
            latency_ms=self._latency_ms,
            tokens=self.tokens,
            cost_usd=self.cost_usd,
        )

    def outcome(self, answer: Answer, passages: Sequence[Passage], **notes: Any) -> Outcome:
        """Return the outcome: this answer from these passages, with the costs of all steps."""
        return Outcome(
            answer=replace(
                answer,
                latency_ms=self._latency_ms,
                tokens=self.tokens,
                cost_usd=self.cost_usd,
            ),
            hits=tuple(hit for hit, _document in passages),
            searches=tuple(self.searches),
            retrievals=self.retrievals,
            generations=self.generations,
            notes=notes,
        )

    @property
    def tokens(self) -> dict[str, int] | None:
        """Return {"in", "out"} over all calls, or None when a call did not report its own."""
        return None if "tokens" in self._unknown else self._tokens

    @property
    def cost_usd(self) -> float | None:
        """Return the cost of all calls, or None when that of a call is not known."""
        return None if "cost" in self._unknown else self._cost_usd

    def took(self, latency_ms: float, read: int, written: int) -> None:
        """Count a text that the token model wrote here."""
        answer = Answer(None, latency_ms=latency_ms, tokens={"in": read, "out": written})
        self._took(answer, remote=False)

    def waited(self, latency_ms: float) -> None:
        """Count time that the token model took without writing."""
        self._latency_ms = (self._latency_ms or 0.0) + latency_ms

    def _took(self, part: Any, *, remote: bool) -> None:
        """Count what a step says that it took. What is not remote costs nothing, and no tokens
        where it tells of none.
        """
        if part.latency_ms is not None:
            self._latency_ms = (self._latency_ms or 0.0) + part.latency_ms
        if part.tokens is not None:
            known = self._tokens or {"in": 0, "out": 0}
            self._tokens = {side: known[side] + part.tokens[side] for side in ("in", "out")}
        elif remote:
            self._unknown.add("tokens")
        if part.cost_usd is not None:
            self._cost_usd = (self._cost_usd or 0.0) + part.cost_usd
        elif remote:
            self._unknown.add("cost")

    def _ask_tokens(self, build: Build, passages: Sequence[Passage], max_tokens: int) -> Said:
        model = self.kit.tokens
        if model is None:
            raise self.failed("there is no language model to ask")
        shown, prompt = self._fitting(model, build, passages, max_tokens)
        self.generations += 1
        began = time.monotonic()
        written, truncated = greedy(model, prompt, max_tokens)
        took = (time.monotonic() - began) * 1000
        self.took(took, len(prompt), len(written))
        return Said(model.text(written), truncated, shown)

    def _fitting(
        self, model: TokenModel, build: Build, passages: Sequence[Passage], max_tokens: int
    ) -> tuple[Sequence[Passage], list[int]]:
        room = model.context - max_tokens
        prompt: list[int] = []
        for count in range(len(passages), min(len(passages), 1) - 1, -1):
            prompt = model.encode(build(passages[:count]))
            if len(prompt) <= room:
                return passages[:count], prompt
        raise self.failed(
            f"the shortest prompt takes {len(prompt)} tokens; beside a reply of "
            f"{max_tokens} the model reads {max(room, 0)}"
        )


class _Counted:
    """A client whose calls are counted as generations of the trail."""

    def __init__(self, client: "ChatClient", trail: Trail) -> None:
        self._client = client
        self._trail = trail

    def complete(self, *asked: Any, **options: Any) -> "Completion":
        self._trail.generations += 1
        return self._client.complete(*asked, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def greedy(model: TokenModel, prompt: Sequence[int], max_tokens: int) -> tuple[list[int], bool]:
    """Return the tokens that follow the prompt, the likeliest each time, without the one that ends
    them, and whether they were cut at `max_tokens`.
    """
    ends = set(model.ends())
    written: list[int] = []
    while len(written) < max_tokens:
        best = likeliest(model.next_log_probs([*prompt, *written]))
        if best in ends:
            return written, False
        written.append(best)
    return written, True
