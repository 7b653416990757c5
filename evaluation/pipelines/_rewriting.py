"""What the pipelines that rewrite share: the rewrite of what is searched and of what is shown."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry
from evaluation.records import Rewrite


def told(rewrite: Rewrite) -> dict[str, Any]:
    """Return what a rewrite says of how it came about, if it does."""
    return {
        **({"fell_back": True} if rewrite.fell_back else {}),
        **({"notes": dict(rewrite.notes)} if rewrite.notes else {}),
    }


class Rewrites:
    """The rewrites of one entry's texts; one that is both searched and shown is rewritten once."""

    def __init__(
        self, trail: Trail, entry: Entry, name: str, parameters: Mapping[str, Any]
    ) -> None:
        self._trail = trail
        self._entry = entry
        self._name = name
        self._parameters = parameters
        self._made: dict[str, Rewrite] = {}

    def of(self, text: str) -> Rewrite:
        """Return the rewrite of the request with `text` as its current text."""
        if text not in self._made:
            request = replace(self._entry.request, text=text)
            self._made[text] = self._trail.rewrite(self._name, self._parameters, request)
        return self._made[text]

    def notes(self) -> dict[str, Any]:
        """Return what was made of each text, for the outcome's notes."""
        return {
            "rewrites": [
                {"of": text, "kind": made.kind, "queries": list(made.queries), **told(made)}
                for text, made in self._made.items()
            ]
        }
