"""The page that says what every rewriter, retriever, reader, pipeline, variation, support judge and
constraint judge is, from their own docstrings.

A part's docstring has a first sentence, then paragraphs, then one that begins with "Source:". A
Parameters' docstring has a sentence, then a "`name`: meaning" for each parameter; what a base says
of a parameter holds until a class says otherwise.
"""

import dataclasses
import re
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.constraint_judges.base import CONSTRAINT_JUDGES
from evaluation.pipelines.base import PIPELINES
from evaluation.readers.base import READERS
from evaluation.registry import NoParameters, Part, Registry
from evaluation.retrieval.base import RETRIEVERS
from evaluation.rewriters.base import REWRITERS
from evaluation.support.base import SUPPORT_JUDGES
from evaluation.variations.base import VARIATIONS

PAGE = Path("docs/parts.md")
INTRODUCTION = """# Parts: rewriters, retrievers, readers, pipelines, variations and judges

Written by `python manage.py document_parts` from the docstrings of the code; a test says when
it is out of date. Change the docstring, not this page.

A part is one file and is known by its name. Its version, its parameters, its prompts (text and
hash), its model and its libraries are frozen with the Conditions of a run, a rewriter's with the
arms of the run, a pipeline's with the suite, a variation's with its set; with another version or
another prompt it is another part."""

_ROOMS: tuple[Registry[Any], ...] = (
    REWRITERS,
    RETRIEVERS,
    READERS,
    PIPELINES,
    VARIATIONS,
    SUPPORT_JUDGES,
    CONSTRAINT_JUDGES,
)
_ITEM = re.compile(r"`(\w+)`:\s")
_SIMPLE = {int: "whole number", float: "number", str: "text", bool: "true or false"}


def parts_page() -> str:
    """Return the whole page in Markdown. Building it starts nothing and asks nobody."""
    blocks = [INTRODUCTION]
    for registry in _ROOMS:
        parts = [registry.find(name) for name in registry.names()]
        blocks += [f"## {registry.noun.capitalize()}s", _overview(registry.slug, parts)]
        blocks += [block for part in parts for block in _about(registry.noun, part)]
    return "\n\n".join(blocks) + "\n"


def meanings(parameters: type) -> dict[str, str]:
    """Return what the docstrings of a Parameters class and of its bases say of each parameter."""
    found: dict[str, str] = {}
    for base in reversed(parameters.__mro__):
        found.update(_items(base)[1])
    return {field.name: found.get(field.name, "") for field in dataclasses.fields(parameters)}


def _overview(slug: str, parts: list[type[Part]]) -> str:
    rows = ["| name | what | asks the configured language model |", "| --- | --- | --- |"]
    for part in parts:
        asks = "yes" if _asks(part) else "no"
        what = _cell(first_sentence(part))
        rows.append(f"| [`{part.name}`](#{slug}-{part.name}) | {what} | {asks} |")
    return "\n".join(rows)


def _asks(part: type[Part]) -> bool:
    return any(getattr(part, need, False) for need in ("needs_generator", "needs_model"))


@dataclasses.dataclass(frozen=True, slots=True)
class PartText:
    """What a part's docstrings say: its paragraphs, what stands before its parameters, where it
    comes from, and its file. The first paragraph is the sentence for a list.
    """

    told: tuple[str, ...]
    before_parameters: str
    source: tuple[str, ...]
    file: str


def rooms() -> tuple[Registry[Any], ...]:
    """Return the registries of all kinds of parts, in the order of the page."""
    return _ROOMS


def text_of(part: type[Part]) -> PartText:
    """Return what a part's docstrings say of it."""
    told = _paragraphs(part)
    source = [paragraph for paragraph in told if paragraph.startswith("Source:")]
    told = [paragraph for paragraph in told if not paragraph.startswith("Source:")]
    if len(told) < 2:  # then its file says the rest
        told += _paragraphs(sys.modules[part.__module__])
    before = "" if part.Parameters is NoParameters else _items(part.Parameters)[0]
    file = f"{part.__module__.replace('.', '/')}.py"
    return PartText(tuple(told), before, tuple(source), file)


def first_sentence(part: type[Part]) -> str:
    """Return the sentence that says what a part is; "" when it has no docstring."""
    return next(iter(_paragraphs(part)), "")


def _about(noun: str, part: type[Part]) -> Iterator[str]:
    said = text_of(part)
    yield f"### {noun.capitalize()} {part.name}"
    yield from said.told
    yield from _settings(part.Parameters)
    yield from said.source
    yield f"Version {part.version}, in [`{said.file}`](../{said.file})."


def _settings(parameters: type) -> Iterator[str]:
    if parameters is NoParameters:
        yield "It has no parameters."
        return
    before, _described = _items(parameters)
    if before:
        yield before
    hints, known = typing.get_type_hints(parameters), meanings(parameters)
    rows = ["| parameter | type | default | meaning |", "| --- | --- | --- | --- |"]
    for field in dataclasses.fields(parameters):
        default = _default(field)
        meaning = known[field.name] or "See above."
        rows.append(
            f"| `{field.name}` | {_type(hints[field.name])} | {default} | {_cell(meaning)} |"
        )
    yield "\n".join(rows)


def _items(parameters: type) -> tuple[str, dict[str, str]]:
    """Return (what a class's own docstring says first, what it says of each parameter)."""
    before, *rest = _ITEM.split(" ".join(_paragraphs(parameters)))
    return before.strip(), {
        name: text.strip() for name, text in zip(rest[::2], rest[1::2], strict=True)
    }


def _paragraphs(thing: Any) -> list[str]:
    """Return the paragraphs of its own docstring, each on one line."""
    text = thing.__dict__.get("__doc__") or ""
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


def _default(field: "dataclasses.Field[Any]") -> str:
    if field.default is dataclasses.MISSING:
        return "none: must be given"
    if field.default is None:
        return "none"
    if isinstance(field.default, bool):
        return "true" if field.default else "false"
    return f"`{field.default}`" if field.default != "" else "empty"


def _type(hint: Any) -> str:
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return " or ".join(f"`{choice}`" for choice in typing.get_args(hint))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_type(choice) for choice in typing.get_args(hint))
    return _SIMPLE.get(hint, "none" if hint is type(None) else str(hint))


def _cell(text: str) -> str:
    return (text[:1].upper() + text[1:]).replace("|", "\\|")
