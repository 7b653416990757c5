"""A language model behind an OpenAI-compatible endpoint as the reader."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluation.readers.base import Passage, ReaderError, register
from evaluation.readers.prompted import PromptedReader, Prompting
from evaluation.records import Answer


@dataclass(frozen=True, slots=True)
class EndpointParameters(Prompting):
    """How the model is asked, and what it gets to read.

    `temperature`: 0 takes the likeliest token each time; at most 2.
    `seed`: where sampling starts.
    """

    temperature: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        Prompting.__post_init__(self)
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature must lie between 0 and 2, not {self.temperature}.")


@register("endpoint", version="1")
class EndpointReader(PromptedReader):
    """Asks the model; abstains without asking when there is no passage.

    Numbered passages go in, best first; a short answer with the number of its passage comes back.
    The numbers become the citations; a number of no passage is left out. The prompt's text and hash
    are part of the Conditions of a run.
    """

    Parameters = EndpointParameters
    parameters: EndpointParameters
    needs_generator = True
    remote = True

    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        if not passages:
            return Answer(text=None)
        if self.generator is None:
            raise ReaderError("the endpoint reader was built without a language model")
        p = self.parameters
        completion = self.generator.complete(
            self.messages(question, passages),
            max_tokens=p.max_tokens,
            temperature=p.temperature,
            seed=p.seed,
        )
        try:
            answer = self.understood(
                completion.text,
                passages,
                tokens=completion.tokens,
                truncated=completion.truncated,
            )
        except ReaderError as fault:
            completion.refuse()
            fault.cost_usd, fault.latency_ms = completion.cost_usd, completion.latency_ms
            raise
        return replace(answer, cost_usd=completion.cost_usd, latency_ms=completion.latency_ms)
