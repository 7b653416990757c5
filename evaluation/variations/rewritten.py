"""What the makers share that a language model writes for."""

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from evaluation.registry import PartError
from evaluation.variations.asking import Asking, ask, readable
from evaluation.variations.base import Check, Maker, Proposal, Source
from evaluation.variations.checks import shared_checks
from evaluation.variations.english import check_english

ASKED = "Question: {text}\nRewritten:"


@dataclass(frozen=True, slots=True)
class RewrittenParameters(Asking):
    """How the model is asked, and what is recorded of its text.

    `similarity`: whether the cosine of the embeddings of request and text is recorded, where an
    embedding model is installed; it decides nothing.
    """

    similarity: bool = True


class RewrittenMaker(Maker):
    """Asks a language model, then checks what it wrote. A reply that cannot be read is a text that
    may not stand; an EndpointError goes through.
    """

    Parameters = RewrittenParameters
    parameters: RewrittenParameters
    needs_generator = True
    instruction: ClassVar[str]

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": self.instruction, "asked": ASKED}

    def propose(self, source: Source, draws: random.Random) -> Proposal:
        if self.generator is None:
            raise PartError(f'The variation "{self.name}" was built without a language model.')
        asked = ASKED.format(text=check_english(source.text))
        told = self.told(draws)
        return ask(self.generator, self.parameters, draws, instruction=told, asked=asked)

    def checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        if not (understood := readable(made)).passed:
            return [understood]
        shared = shared_checks(source, made.text, similarity=self.parameters.similarity)
        return [understood, *shared, *self.own_checks(source, made)]

    @abstractmethod
    def told(self, draws: random.Random) -> str:
        """Return the instruction for one attempt."""

    @abstractmethod
    def own_checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        """Return what the validators of this kind alone say of a text that could be read."""
