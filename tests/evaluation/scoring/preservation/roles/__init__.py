"""The checks of the word lists, one module for each field of words."""

from tests.evaluation.scoring.preservation.roles import (  # noqa: F401 (they fill ROLES)
    comparing,
    denials,
    names,
    numbers,
    times,
    words,
)
from tests.evaluation.scoring.preservation.roles.registry import ROLES, entries

__all__ = ["ROLES", "entries"]
