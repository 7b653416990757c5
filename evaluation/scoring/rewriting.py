"""What became of the rewriting itself: how often an arm's rewriter wrote what was searched."""

from collections import Counter
from collections.abc import Iterable

from evaluation.scoring.outcomes import CaseOutcome

REWRITTEN, UNCHANGED, FELL_BACK = "rewritten", "unchanged", "fell_back"
ASKED, FAILED, UNKNOWN = "asked", "failed", "unknown"
WAYS = (REWRITTEN, UNCHANGED, FELL_BACK, ASKED, FAILED, UNKNOWN)


def count_rewriting(outcomes: Iterable[CaseOutcome]) -> dict[str, int]:
    """Return how many assessed cases of one arm went each of `WAYS`; together they are all of them.

    `rewritten`: the rewriter wrote what was searched. `unchanged`: it left the request as it was.
    `fell_back`: it failed and the original was searched in its place; such a case is scored as the
    search that it was, and never counts as rewritten. `asked`: it asked back and had no query.
    `failed`: it gave nothing. `unknown`: an uploaded run does not say.
    """
    counts = Counter(_way(outcome) for outcome in outcomes if outcome.assessed)
    return {way: counts[way] for way in WAYS}


def _way(outcome: CaseOutcome) -> str:
    kind = outcome.rewrite_kind
    if outcome.fell_back:
        return FELL_BACK
    if not kind:
        return UNKNOWN
    if kind == "error":
        return FAILED
    if kind == "clarification" or (outcome.asked and not outcome.query_texts):
        return ASKED
    return UNCHANGED if kind == "unchanged" else REWRITTEN
