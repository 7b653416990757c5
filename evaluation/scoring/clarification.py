"""Clarification: asking when the request is unresolved, and being silent when it is not (R29)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evaluation.scoring.outcomes import CaseOutcome
from evaluation.statistics import Estimate, wilson


@dataclass(frozen=True, slots=True)
class Clarification:
    """Two rates of requests. A system that always asks shows 1 and 0, one that never asks 0 and
    1."""

    asked_when_unresolved: Estimate
    silent_when_resolved: Estimate

    def to_json(self) -> dict[str, Any]:
        return {
            "asked_when_unresolved": self.asked_when_unresolved.to_json(),
            "silent_when_resolved": self.silent_when_resolved.to_json(),
        }


def clarification(outcomes: Iterable[CaseOutcome], *, level: float = 0.95) -> Clarification:
    """Return both rates over one arm's assessed requests, each with Wilson's interval."""
    rows = [outcome for outcome in outcomes if outcome.assessed]
    unresolved = [outcome.asked for outcome in rows if outcome.unresolved]
    resolved = [not outcome.asked for outcome in rows if not outcome.unresolved]
    return Clarification(
        _rate(unresolved, level, "No assessed request is marked unresolved."),
        _rate(resolved, level, "No assessed request is resolved."),
    )


def _rate(right: list[bool], level: float, reason: str) -> Estimate:
    return wilson(sum(right), len(right), level=level) if right else Estimate.undefined(reason)
