"""What a row may say of its own cost: time, tokens, money, calls. No Django here."""

from typing import Any

from annotation.importing.fields import Fields


def measures(fields: Fields) -> dict[str, Any]:
    """Return `latency_ms`, `tokens` (counts by name) and `cost_usd`, each None when not given."""
    return {
        "latency_ms": fields.number("latency_ms", least=0),
        "tokens": _tokens(fields),
        "cost_usd": fields.number("cost_usd", least=0),
    }


def calls(fields: Fields) -> int | None:
    """Return how many calls the request took, or None."""
    given = fields.number("calls", least=0)
    if given is not None and not isinstance(given, int):
        fields.fault("calls", "bad_number", "the number of calls must be a whole number from 0.")
        return None
    return given


def _tokens(fields: Fields) -> dict[str, Any] | None:
    tokens = fields.object("tokens")
    if not all(isinstance(n, int) and n is not True and n >= 0 for n in tokens.values()):
        fields.fault("tokens", "bad_number", "every count of tokens must be a whole number from 0.")
    return tokens or None
