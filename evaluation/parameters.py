"""The parameters of a part, read from its dataclass: what each is, and what differs from it.

Pure: the pages make forms and sentences of it, the services keep the differences.
"""

import dataclasses
import types
import typing
from collections.abc import Iterable
from typing import Any

from evaluation.documenting import meanings

Kind = typing.Literal["choice", "yes_no", "whole", "number", "text", "texts", "other"]
_SIMPLE: dict[Any, Kind] = {bool: "yes_no", int: "whole", float: "number", str: "text"}


@dataclasses.dataclass(frozen=True, slots=True)
class Setting:
    """One parameter: its name, type, default and the sentence that its docstring has for it.

    `hint` is the type without None; `optional` says that None may stand in its place. `default` is
    `dataclasses.MISSING` where a value must be given.
    """

    name: str
    hint: Any
    optional: bool
    default: Any
    meaning: str

    @property
    def kind(self) -> Kind:
        if typing.get_origin(self.hint) is typing.Literal:
            return "choice"
        if typing.get_origin(self.hint) is tuple:
            return "texts" if typing.get_args(self.hint) == (str, ...) else "other"
        return _SIMPLE.get(self.hint, "other")

    @property
    def choices(self) -> tuple[Any, ...]:
        return typing.get_args(self.hint) if self.kind == "choice" else ()

    @property
    def must_be_given(self) -> bool:
        return self.default is dataclasses.MISSING


def settings_of(parameters: type) -> tuple[Setting, ...]:
    """Return every parameter of a Parameters class, in the order in which it declares them."""
    hints, said = typing.get_type_hints(parameters), meanings(parameters)
    return tuple(
        Setting(field.name, *_without_none(hints[field.name]), default_of(field), said[field.name])
        for field in dataclasses.fields(parameters)
    )


def default_of(field: "dataclasses.Field[Any]") -> Any:
    """Return the default of a field; MISSING when a value must be given."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def differences(parameters: Any) -> dict[str, Any]:
    """Return what was set otherwise than by default, by name, JSON-able."""
    found = {}
    for field in dataclasses.fields(parameters):
        value = getattr(parameters, field.name)
        if value != default_of(field):
            found[field.name] = list(value) if isinstance(value, tuple) else value
    return found


def named_in(sentence: str, names: Iterable[str]) -> list[str]:
    """Return the parameters that a refusal is about: those named before its "must", or anywhere."""
    subject, must, _rest = sentence.partition(" must ")
    known = list(names)
    for part in (subject, sentence) if must else (sentence,):
        words = {word.strip("\"'`“”.,:;()[]{}") for word in part.split()}
        if found := [name for name in known if name in words]:
            return found
    return []


def _without_none(hint: Any) -> tuple[Any, bool]:
    """Return (the type without None, whether None may stand in its place)."""
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return hint, False
    others = [choice for choice in typing.get_args(hint) if choice is not type(None)]
    optional = len(others) < len(typing.get_args(hint))
    return (others[0] if len(others) == 1 else hint), optional
