"""What the makers of indirect questions share: rules first, a language model where it is allowed.

Source: Jang et al. 2026 (arXiv 2604.10745) had a language model write both kinds; its prompts are
not printed. The rules and the prompts here are our own.
"""

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from evaluation.registry import PartError
from evaluation.variations import english
from evaluation.variations.asking import Asking, ask, model_of, readable
from evaluation.variations.base import CannotVary, Check, Maker, Proposal, Source
from evaluation.variations.checks import adds_nothing, shared_checks
from evaluation.variations.english import check_english
from evaluation.variations.questions import Indirect, indirect

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient

ASKED = "Question: {text}\nRewritten:"


@dataclass(frozen=True, slots=True)
class PhrasedParameters(Asking):
    """How the text comes about.

    `model`: whether the language model is asked where no rule applies surely; without it such a
    request has no variation of this kind, with the reason.
    `similarity`: whether the cosine with the request is recorded; it decides nothing.
    """

    model: bool = False
    similarity: bool = False


class PhrasedMaker(Maker):
    """Turns a question around by rules, or asks a model where it may."""

    Parameters = PhrasedParameters
    parameters: PhrasedParameters
    instruction: ClassVar[str]

    def __init__(self, parameters: Any, generator: "ChatClient | None") -> None:
        super().__init__(parameters, generator)
        if parameters.model and generator is None:
            raise PartError(
                f'The variation "{self.name}" is to ask a language model and none is set. Set '
                "INTACT_LLM_BASE_URL and INTACT_LLM_MODEL, or leave its parameter model off."
            )

    @property
    def generator_name(self) -> str:
        return f"{self.name}+model" if self.parameters.model else self.name

    def prompts(self) -> Mapping[str, str]:
        if not self.parameters.model:
            return {}
        return {"instruction": self.instruction, "asked": ASKED}

    def model(self) -> Mapping[str, Any] | None:
        return model_of(self.generator, self.parameters.model)

    def libraries(self) -> Mapping[str, str]:
        return english.libraries()

    @classmethod
    def unavailable(cls) -> str:
        return english.unavailable()

    @classmethod
    def asks(cls, parameters: Any) -> bool:
        return bool(parameters.model)

    def propose(self, source: Source, draws: random.Random) -> Proposal:
        line = check_english(source.text)
        try:
            found = indirect(line)
            said = self.say(found, draws)
        except CannotVary:
            if self.parameters.model and self.generator is not None:
                return self._asked(line, draws)
            raise
        made = Proposal(said, notes={"how": "rule", "rule": found.rule})
        asks = self.parameters.model and self.generator is not None
        if asks and not all(c.passed for c in self.checks(source, made) if c.decides):
            return self._asked(line, draws)
        return made

    def checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        if not (understood := readable(made)).passed:
            return [understood]
        return [
            understood,
            *shared_checks(source, made.text, similarity=self.parameters.similarity),
            adds_nothing(source, made.text),
            self.form(made.text),
        ]

    @abstractmethod
    def say(self, found: Indirect, draws: random.Random) -> str:
        """Return a whole sentence around an indirect question."""

    @abstractmethod
    def form(self, text: str) -> Check:
        """Return whether the text has the form of this kind."""

    def _asked(self, line: str, draws: random.Random) -> Proposal:
        assert self.generator is not None  # noqa: S101 both callers have looked
        return ask(
            self.generator,
            self.parameters,
            draws,
            instruction=self.instruction,
            asked=ASKED.format(text=line),
        )
