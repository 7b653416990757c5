"""The parts of a kind that this installation offers, each with why it cannot be had, if so."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from evaluation.documenting import first_sentence
from evaluation.pipelines.token_model import tokens_here
from evaluation.registry import Part, Registry
from evaluation.runs.generation import described_generator


@dataclass(frozen=True, slots=True)
class Offer:
    """One part: what it is in a sentence, and why it cannot be had here ("" when it can)."""

    part: type[Part]
    blocked: str

    @property
    def name(self) -> str:
        return self.part.name

    @property
    def version(self) -> str:
        return self.part.version

    @property
    def what(self) -> str:
        return first_sentence(self.part)

    @property
    def remote(self) -> bool:
        return self.part.remote or bool(getattr(self.part, "needs_generator", False))


def offers(registry: Registry[Any]) -> list[Offer]:
    """Return every part of the registry in alphabetical order. Nothing is started or asked."""
    without_model = described_generator() is None
    parts = [registry.find(name) for name in registry.names()]
    return [Offer(part, _blocked(part, without_model)) for part in parts]


def offer_of(registry: Registry[Any], name: str) -> Offer | None:
    """Return one part of the registry, or None when it has no such part."""
    return next((offer for offer in offers(registry) if offer.name == name), None)


def why_not(part: type[Part]) -> str:
    """Return why this installation cannot have the part, as a clause that begins with its verb or
    says what is missing; "" when it can.
    """
    return _blocked(part, described_generator() is None)


def _blocked(part: type[Part], without_model: bool) -> str:
    if getattr(part, "needs_tokens", False) and tokens_here() is None:
        return _(
            "needs the probabilities of tokens: set INTACT_READER_MODEL to the folder of a model "
            "on this machine"
        )
    if getattr(part, "needs_generator", False) and without_model:
        return _("needs a language model, and none is set")
    if getattr(part, "needs_model", False) and without_model and tokens_here() is None:
        return _("needs a language model, and none is set")
    unavailable = getattr(part, "unavailable", None)
    return str(unavailable()) if unavailable else ""
