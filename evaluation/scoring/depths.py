"""How much of the required evidence came, and how early: completeness, and recall by depth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from evaluation.scoring.evidence import evidence_recall
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.statistics import Estimate, wilson

DEPTHS = (1, 2, 5, 10, 20, 50, 100)
NOT_APPLICABLE = "No assessed, resolved request records required evidence."


@dataclass(frozen=True, slots=True)
class EvidenceDepths:
    """`complete` is the share of requests of whose required items every one was retrieved.
    `within` has the mean recall among the first 1, 2, 5 … documents, `complete_within` the share
    of requests that were complete by then; both end before the whole list, which the evidence
    recall and `complete` count. `longest` is how many documents the longest list has. Requests
    without required evidence are in none of them.
    """

    complete: Estimate
    within: Mapping[int, Estimate]
    complete_within: Mapping[int, Estimate]
    longest: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "complete": self.complete.to_json(),
            "within": _by_depth(self.within),
            "complete_within": _by_depth(self.complete_within),
            "longest": self.longest,
        }


def evidence_depths(
    rows: Iterable[CaseOutcome], depths: Sequence[int], *, level: float = 0.95
) -> EvidenceDepths:
    """Return the figures of one arm's assessed, resolved cases at `depths` (each at least 1).

    A list that is shorter than a depth counts as far as it goes, as in trec_eval. The means have
    no interval; the recall of the whole list has.
    """
    counted = [o for o in rows if o.evidence_required]
    if not counted:
        none = Estimate.undefined(NOT_APPLICABLE)
        return EvidenceDepths(none, {}, {})
    whole = sum(o.evidence_hit == o.evidence_required for o in counted)
    within, complete_within = {}, {}
    for depth in depths:
        shares = [_share(o, depth) for o in counted]
        mean = fsum(shares) / len(shares)
        within[depth] = Estimate(mean, "", len(shares), method=f"mean of evidence_recall@{depth}")
        complete_within[depth] = wilson(sum(s == 1.0 for s in shares), len(shares), level=level)
    complete = wilson(whole, len(counted), level=level)
    longest = max(len(o.ranked_ids) for o in counted)
    return EvidenceDepths(complete, within, complete_within, longest)


def depths_of(outcomes: Iterable[CaseOutcome]) -> tuple[int, ...]:
    """Return the depths short of the longest list of all arms, so that every arm has the same."""
    longest = max((len(o.ranked_ids) for o in outcomes), default=0)
    return tuple(depth for depth in DEPTHS if depth < longest)


def _share(outcome: CaseOutcome, depth: int) -> float:
    recall = evidence_recall(outcome.own_evidence, outcome.ranked_ids[:depth]).recall.value
    return 0.0 if recall is None else recall


def _by_depth(figures: Mapping[int, Estimate]) -> dict[str, Any]:
    return {str(depth): estimate.to_json() for depth, estimate in figures.items()}
