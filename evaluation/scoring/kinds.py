"""What each arm kept, lost and left open, by kind of constraint (referent, time, quantity …)."""

from collections.abc import Iterable
from typing import Any

from contracts.terms import KINDS
from evaluation.scoring.outcomes import CaseOutcome, Judged, scored
from evaluation.scoring.scorecard import ALL_CLASSES

_WORDS = ("kept", "lost", "open", "n")


def count_kinds(outcomes: Iterable[CaseOutcome]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return arm -> scope -> kind -> {"kept", "lost", "open", "n", "critical"}, all of them counts.

    Counted are the constraints of assessed, resolved requests, as constraint preservation (R24)
    does: over the kinds of a scope, kept and n add up to its numerator and denominator. "critical"
    holds the same four counts of the critical ones alone. A scope is "all" or a request class; a
    kind of which a scope has no constraint is not in it.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for outcome in scored(outcomes):
        for scope in (ALL_CLASSES, outcome.request_class):
            kinds = found.setdefault(outcome.arm, {}).setdefault(scope, {})
            for judged in outcome.judgements:
                _count(kinds.setdefault(judged.kind, _nothing(critical=_nothing())), judged)
    return {
        arm: {
            scope: {kind: scopes[scope][kind] for kind in KINDS if kind in scopes[scope]}
            for scope in sorted(scopes, key=lambda name: (name != ALL_CLASSES, name))
        }
        for arm, scopes in sorted(found.items())
    }


def _nothing(**more: Any) -> dict[str, Any]:
    return {**dict.fromkeys(_WORDS, 0), **more}


def _count(counts: dict[str, Any], judged: Judged) -> None:
    word = "kept" if judged.kept else "lost" if judged.lost else "open"
    for each in (counts, counts["critical"]) if judged.critical else (counts,):
        each[word] += 1
        each["n"] += 1
