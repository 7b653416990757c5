"""How a command takes parameters of parts: as one JSON object, an arm as NAME=REWRITER:JSON."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from django.core.management.base import CommandError


@dataclass(frozen=True, slots=True)
class ArmWanted:
    """An arm as `--arm` names it."""

    name: str
    rewriter: str
    parameters: dict[str, Any]


def read_arm(text: str) -> ArmWanted:
    """Return the arm in `hyde4=hyde:{"n": 4}`; without a colon all parameters have their defaults.

    Raises CommandError, a sentence with the position of what cannot be read.
    """
    name, equals, rest = text.partition("=")
    rewriter, colon, parameters = rest.partition(":")
    if not equals or not name.strip() or not rewriter.strip():
        raise CommandError(
            f"“{text}” names no arm: write --arm NAME=REWRITER, or with parameters "
            """--arm 'NAME=REWRITER:{"n": 4}'."""
        )
    given = read_parameters(parameters, f"The parameters of --arm {name}") if colon else {}
    return ArmWanted(name.strip(), rewriter.strip(), given)


def read_parameters(text: str, what: str) -> dict[str, Any]:
    """Return the JSON object in `text`; `what` begins the sentence about what is wrong with it."""
    try:
        found = json.loads(text, parse_constant=_no_number, object_pairs_hook=_once)
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}"
        raise CommandError(f"{what} are no JSON: {fault.msg} at {where}.") from fault
    except (ValueError, RecursionError) as fault:
        raise CommandError(f"{what} cannot be read: {fault}.") from fault
    if not isinstance(found, dict):
        raise CommandError(f'{what} must be a JSON object, such as {{"n": 4}}.')
    return found


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f'"{name}" is given twice')
        found[name] = value
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number in JSON")
