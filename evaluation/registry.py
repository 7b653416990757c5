"""How parts (retrievers, rewriters, readers) are found by name and get their parameters.

A part is one file in its package with one class under `@register(...)`. Nothing else lists it: the
package's modules are imported at the first lookup. Parameters are a frozen dataclass of the part;
what a person wrote for them is checked here, so that every part refuses a wrong one alike.
"""

import dataclasses
import hashlib
import importlib
import math
import pkgutil
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar


class PartError(ValueError):
    """A part cannot be built as asked. The text says what is wrong and what is known."""


@dataclasses.dataclass(frozen=True, slots=True)
class NoParameters:
    """For a part that has nothing to set."""


class Part:
    """What every retriever, rewriter and reader offers for the Conditions of a run."""

    name: ClassVar[str]
    version: ClassVar[str]
    Parameters: ClassVar[type] = NoParameters
    # Whether it asks something outside this process, which takes time and may cost money.
    remote: ClassVar[bool] = False

    parameters: Any

    def prompts(self) -> Mapping[str, str]:
        """Return the prompt texts that this part sends, by name."""
        return {}

    def model(self) -> Mapping[str, Any] | None:
        """Return what identifies the model that this part uses, or None when it uses none."""
        return None

    def libraries(self) -> Mapping[str, str]:
        """Return the versions of the outside libraries that can change this part's output."""
        return {}

    def describe(self) -> dict[str, Any]:
        """Return everything to be frozen: JSON-able, and the same for the same part each time."""
        model = self.model()
        return {
            "name": self.name,
            "version": self.version,
            "parameters": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in dataclasses.asdict(self.parameters).items()
            },
            "prompts": {
                name: {"text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()}
                for name, text in sorted(self.prompts().items())
            },
            "model": dict(model) if model is not None else None,
            "libraries": dict(sorted(self.libraries().items())),
        }


P = TypeVar("P", bound=Part)
T = TypeVar("T")


class Registry(Generic[P]):
    """The parts of one package by name. `noun` is the word for one of them in error sentences."""

    def __init__(self, package: str, noun: str) -> None:
        self.package = package
        self.noun = noun
        self._parts: dict[str, type[P]] = {}

    @property
    def slug(self) -> str:
        """Return the noun as the beginning of a part's anchor on a page."""
        return self.noun.replace(" ", "-")

    def register(self, name: str, *, version: str) -> Callable[[type[P]], type[P]]:
        """Return a class decorator that offers the class under `name`."""

        def add(part: type[P]) -> type[P]:
            known = self._parts.get(name)
            if known is not None and known.__module__ != part.__module__:
                raise PartError(f'Two {self.noun}s are called "{name}". Rename one of them.')
            part.name = name
            part.version = version
            self._parts[name] = part
            return part

        return add

    def names(self) -> tuple[str, ...]:
        """Return every known name in alphabetical order."""
        package = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{self.package}.{module.name}")
        return tuple(sorted(self._parts))

    def find(self, name: str) -> type[P]:
        """Return the class called `name`; raise PartError that lists the known names."""
        names = self.names()
        if name not in self._parts:
            raise PartError(
                f'There is no {self.noun} called "{name}". Known {self.noun}s: {", ".join(names)}.'
            )
        return self._parts[name]

    def parameters(self, name: str, given: Mapping[str, Any]) -> Any:
        """Return the checked parameters of the part `name`, its defaults for those not given."""
        return parse_parameters(self.find(name).Parameters, given, f'{self.noun} "{name}"')


def parse_parameters(parameters: type[T], given: Mapping[str, Any], where: str) -> T:
    """Return `parameters(**given)` after checking names and types.

    Raises PartError on an unknown name, a value of the wrong type, or what the dataclass refuses.
    """
    hints = typing.get_type_hints(parameters)
    for name, value in given.items():
        if name not in hints:
            known = ", ".join(sorted(hints)) or "none"
            raise PartError(f'The {where} has no parameter "{name}". Known parameters: {known}.')
        if not _fits(value, hints[name]):
            raise PartError(
                f'The parameter "{name}" of the {where} is {value!r}; '
                f"it must be {_describe(hints[name])}."
            )
    missing = [
        field.name
        for field in dataclasses.fields(parameters)  # type: ignore[arg-type]
        if field.name not in given
        and field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise PartError(f'The {where} needs a value for "{missing[0]}", which has no default.')
    try:
        return parameters(**{name: _as(value, hints[name]) for name, value in given.items()})
    except ValueError as error:
        raise PartError(f"The {where} cannot be set so: {error}") from error


def _fits(value: object, hint: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return value in typing.get_args(hint)
    if _is_union(hint):
        return any(_fits(value, choice) for choice in typing.get_args(hint))
    if origin is tuple:
        inner = typing.get_args(hint)[0]
        return isinstance(value, list | tuple) and all(_fits(one, inner) for one in value)
    if isinstance(value, bool):
        return hint is bool
    if hint is float:
        return isinstance(value, int | float) and _is_finite(value)
    return isinstance(value, hint)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the largest float
        return False


def _as(value: Any, hint: Any) -> Any:
    """Return a value that fits in the one form in which it is frozen: 1 as 1.0, a list as tuple."""
    choices = typing.get_args(hint) if _is_union(hint) else (hint,)
    if float in choices and int not in choices and isinstance(value, int):
        return float(value) if not isinstance(value, bool) else value
    return tuple(value) if isinstance(value, list) else value


def _is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def _describe(hint: Any) -> str:
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return "one of " + ", ".join(repr(choice) for choice in typing.get_args(hint))
    if _is_union(hint):
        return " or ".join(_describe(choice) for choice in typing.get_args(hint))
    if origin is tuple:
        return "a list of texts"
    words = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    return words.get(hint, "empty" if hint is type(None) else str(hint))
