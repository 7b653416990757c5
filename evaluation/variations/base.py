"""What makes a variation of a request (the same intent in other words), and how one is checked.

A maker proposes a text; its checks say whether it may stand. A text that fails is kept as rejected
and the next attempt is made with a seed of its own; when the attempts are spent there is no
variant, with the reason. Nothing that was not checked passes.
"""

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from evaluation.generation.part import ModelPart, build_with_model
from evaluation.registry import Registry
from evaluation.variations.damage import damage

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Source:
    """What a variation is made from. `answers` are there for the checks only: no maker reads them.

    `key` is the request's id; the seed of every draw comes from it.
    """

    key: str
    text: str
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """What one validator said of one text: whether it may stand, why not, and what it measured.

    `decides` is false for a second opinion that is recorded and rejects nothing.
    """

    validator: str
    version: str
    passed: bool
    why: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    decides: bool = True

    def to_json(self) -> dict[str, Any]:
        return {
            "validator": self.validator,
            "version": self.version,
            "passed": self.passed,
            "why": self.why,
            "values": dict(self.values),
            **({} if self.decides else {"decides": False}),
        }


@dataclass(frozen=True, slots=True)
class Proposal:
    """A text that a maker proposes. `edited` are indexes of the tokens that it changed, in its own
    tokens; `notes` is what else it knows of how the text came about.
    """

    text: str
    edited: tuple[int, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A text that was made and may not stand, with what spoke against it."""

    text: str
    why: str

    def to_json(self) -> dict[str, str]:
        return {"text": self.text, "why": self.why}


@dataclass(frozen=True, slots=True)
class Variant:
    """What came of making one variation. `text` is None when none could stand; `why` says so."""

    kind: str
    text: str | None
    generator: str
    version: str
    seed: int
    attempts: int
    checks: tuple[Check, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    edited: tuple[int, ...] = ()
    flags: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "text": self.text,
            "generator": self.generator,
            "version": self.version,
            "seed": self.seed,
            "attempts": self.attempts,
            "checks": [check.to_json() for check in self.checks],
            "rejected": [one.to_json() for one in self.rejected],
            "edited": list(self.edited),
            "flags": dict(self.flags),
            "notes": dict(self.notes),
            "why": self.why,
        }


class CannotVary(ValueError):
    """No text can be made from this source, whatever the seed. The text is a sentence that says
    why.
    """


class Maker(ModelPart, ABC):
    """Makes variations of one kind. Safe to use from several threads."""

    # The question that people answer with yes where the category is right, marked by
    # `in_catalogue`: "Does it have typing errors?", for example.
    category: ClassVar[str] = ""

    @classmethod
    def unavailable(cls) -> str:
        """Return why this installation cannot make it, as a clause; "" when it can."""
        return ""

    @classmethod
    def asks(cls, parameters: Any) -> bool:
        """Whether it asks a language model when it is set so, and has to be built with one."""
        return cls.needs_generator

    def vary(self, source: Source, *, seed: int, attempts: int = ATTEMPTS) -> Variant:
        """Return the variation of `source`: the same for the same source, maker and seed, in every
        process. `seed` is the set's; each attempt draws from one of its own.
        """
        rejected: list[Rejected] = []
        for attempt in range(1, attempts + 1):
            try:
                made = self.propose(source, self.draws(source, seed, attempt))
            except CannotVary as fault:
                return self._none(seed, attempt, rejected, str(fault))
            checks = tuple(self.checks(source, made))
            if failed := [c for c in checks if c.decides and not c.passed]:
                rejected.append(Rejected(made.text, " ".join(c.why for c in failed)))
                continue
            return Variant(
                kind=self.name,
                text=made.text,
                generator=self.generator_name,
                version=self.version,
                seed=seed,
                attempts=attempt,
                checks=checks,
                rejected=tuple(rejected),
                edited=made.edited,
                flags=self.flags(source, made),
                notes=made.notes,
            )
        last = rejected[-1].why if rejected else "No attempt was allowed."
        return self._none(seed, attempts, rejected, last)

    def draws(self, source: Source, seed: int, attempt: int) -> random.Random:
        """Return the source of random numbers of one attempt, from the item, the kind, the version
        and the seed: nothing else of the process counts.
        """
        told = "\0".join((source.key, self.name, self.version, str(seed), str(attempt)))
        return random.Random(int.from_bytes(hashlib.sha256(told.encode()).digest()[:8]))  # noqa: S311

    @property
    def generator_name(self) -> str:
        """What made it, beside its version: the kind, and a mode that changes what it makes."""
        return self.name

    @abstractmethod
    def propose(self, source: Source, draws: random.Random) -> Proposal:
        """Return a text; raise CannotVary when none can be made from this source."""

    @abstractmethod
    def checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        """Return what every validator of this kind says of the text."""

    def flags(self, source: Source, made: Proposal) -> Mapping[str, Any]:
        """Return what the text damaged of the source, for those who count."""
        return damage(source.text, made.text, source.answers).to_json()

    def _none(self, seed: int, attempts: int, rejected: Sequence[Rejected], why: str) -> Variant:
        return Variant(
            kind=self.name,
            text=None,
            generator=self.generator_name,
            version=self.version,
            seed=seed,
            attempts=attempts,
            rejected=tuple(rejected),
            why=why,
        )


def in_catalogue(words: str) -> str:
    """Mark words for the catalogues; whoever shows them translates them."""
    return words


VARIATIONS: Registry[Maker] = Registry("evaluation.variations", "variation")
register = VARIATIONS.register


def variation_names() -> tuple[str, ...]:
    """Return the names that `build_maker` knows."""
    return VARIATIONS.names()


def build_maker(
    name: str, parameters: Mapping[str, Any], *, generator: "ChatClient | None" = None
) -> Maker:
    """Return the maker `name`; raise PartError on an unknown name or parameter, or no generator."""
    return build_with_model(VARIATIONS, name, parameters, generator)
