"""What a campaign found: rows of a table, and whatever did not hold with how to see it again."""

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Found:
    """One campaign: `held` of `of` checks held."""

    name: str
    what: str
    seed: int
    held: int = 0
    of: int = 0
    figures: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    seconds: float = 0.0

    def check(self, holds: bool, otherwise: str) -> bool:
        self.of += 1
        self.held += holds
        if not holds:
            self.broken.append(otherwise)
            sys.stderr.write(f"  NOT: {otherwise}\n")
        return holds

    @property
    def share(self) -> str:
        return f"{self.held} of {self.of}"


def span(seconds: Sequence[float]) -> str:
    """The middle and the largest of some times."""
    if not seconds:
        return "none measured"
    return f"median {statistics.median(seconds):.1f} s, most {max(seconds):.1f} s"
