"""A score while some judgements are open: what it is if all of them turn out lost, or all kept."""

from dataclasses import dataclass
from typing import Any

from evaluation.statistics import Estimate


@dataclass(frozen=True, slots=True)
class Bounded:
    """`worst` counts the `open` judgements (unsure) as lost, `best` as kept; equal when none is
    open."""

    worst: Estimate
    best: Estimate
    open: int = 0

    @property
    def settled(self) -> bool:
        return self.open == 0

    def to_json(self) -> dict[str, Any]:
        return {"worst": self.worst.to_json(), "best": self.best.to_json(), "open": self.open}
