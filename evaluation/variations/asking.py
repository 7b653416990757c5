"""How makers ask a language model for a variation, and what becomes of a reply that is none.

A reply that cannot be read is a text that may not stand, kept with the reason; what an endpoint
fails at goes through as it is.
"""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from evaluation.rewriters.prompt import parse_query
from evaluation.variations.base import Check, Proposal

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient

_UNREADABLE = "unreadable"
_SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class Asking:
    """How the model is asked. Where sampling starts comes from the set's seed, anew each attempt.

    `max_tokens`: the longest reply, in tokens.
    `max_words`: a longer reply is no variation.
    `temperature`: 0 takes the likeliest token each time; at most 2. With 0 every attempt may give
    the same text.
    `instruction_in`: whose message holds the instruction; small models follow the user's better.
    """

    max_tokens: int = 160
    max_words: int = 120
    temperature: float = 0.7
    instruction_in: Literal["user", "system"] = "user"

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.max_words < 1:
            raise ValueError("max_tokens and max_words must be at least 1.")
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature must lie between 0 and 2, not {self.temperature}.")


def ask(
    generator: "ChatClient",
    parameters: Asking,
    draws: random.Random,
    *,
    instruction: str,
    asked: str,
) -> Proposal:
    """Return the model's text as a proposal. A reply that cannot be read keeps all that the model
    wrote, and `readable` rejects it. Raises an EndpointError when the endpoint gave none.
    """
    from evaluation.generation.errors import EmptyCompletion

    seed = draws.randrange(_SEEDS)
    if parameters.instruction_in == "system":
        messages = [
            {"role": "system", "content": instruction},
            {"role": "user", "content": asked},
        ]
    else:
        messages = [{"role": "user", "content": f"{instruction}\n\n{asked}"}]
    prompt = hashlib.sha256(f"{instruction}\n\n{asked}".encode()).hexdigest()
    notes: dict[str, Any] = {"how": "model", "prompt_sha256": prompt, "model_seed": seed}
    try:
        completion = generator.complete(
            messages,
            max_tokens=parameters.max_tokens,
            temperature=parameters.temperature,
            seed=seed,
        )
    except EmptyCompletion:
        return Proposal("", notes={**notes, _UNREADABLE: "the model wrote nothing"})
    notes["model"] = completion.model
    try:
        if completion.truncated:
            raise ValueError(f"the reply was cut at {parameters.max_tokens} tokens")
        text = parse_query(completion.text, max_words=parameters.max_words)
    except ValueError as fault:
        completion.refuse()
        return Proposal(completion.text, notes={**notes, _UNREADABLE: str(fault)})
    return Proposal(text, notes=notes)


def readable(made: Proposal) -> Check:
    """The model's reply is one line of text and nothing else."""
    fault = made.notes.get(_UNREADABLE)
    why = f"The model's reply cannot be used: {fault}." if fault else ""
    return Check("readable", "1", not fault, why)


def model_of(generator: "ChatClient | None", asks: bool) -> Mapping[str, Any] | None:
    """Return what names the model of a maker that asks one only when it is told to."""
    return generator.identity() if asks and generator is not None else None
