"""What became of one request between two arms: what was lost, what was gained, and how grave it
is.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from evaluation.scoring.differences import PRESERVATION, Pair, paired_values
from evaluation.scoring.localisation import first_stage_lost
from evaluation.scoring.outcomes import CaseOutcome

# How grave a change is, the gravest first.
CRITICAL, ANSWER, CLARIFICATION, EVIDENCE, MINOR = range(5)
_GRAVITY = {
    "critical_completeness": CRITICAL,
    "supported_correct": ANSWER,
    "asked_when_unresolved": CLARIFICATION,
    "silent_when_resolved": CLARIFICATION,
    "evidence_recall": EVIDENCE,
    PRESERVATION: MINOR,
}


class ConstraintChange(NamedTuple):
    """A constraint that one arm kept and the other lost, with both judgements."""

    constraint: str
    kind: str
    critical: bool
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RequestChange:
    """One request under both arms. `worse` and `better` name the scores in which something that one
    arm had right is wrong under the other: a request can have both, and a difference that crosses
    nothing (another wrong answer, a later rank) is neither.

    `before` and `after` say what each arm did: status, answer (supported-correct, None if not
    judged), evidence (hit, required), asked, restrictions that it added to a critical dimension,
    the code of the first stage lost and why. `compared` is False where a case failed.
    """

    request: str
    request_class: str
    base: str
    unresolved: bool
    worse: tuple[str, ...]
    better: tuple[str, ...]
    lost: tuple[ConstraintChange, ...]
    gained: tuple[ConstraintChange, ...]
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    compared: bool

    @property
    def gravity(self) -> int | None:
        """How grave the worst loss is (`CRITICAL` first), None without one."""
        return _gravity(self.worse, self.lost)

    @property
    def relief(self) -> int | None:
        """The same of what was gained."""
        return _gravity(self.better, self.gained)

    def to_json(self) -> dict[str, Any]:
        return {
            "request": self.request,
            "class": self.request_class,
            "base": self.base,
            "unresolved": self.unresolved,
            "compared": self.compared,
            "worse": list(self.worse),
            "better": list(self.better),
            "gravity": self.gravity,
            "relief": self.relief,
            "lost": [change._asdict() for change in self.lost],
            "gained": [change._asdict() for change in self.gained],
            "a": dict(self.before),
            "b": dict(self.after),
        }


def request_changes(
    pairs: Iterable[Pair], clusters: Mapping[str, str] | None = None
) -> list[RequestChange]:
    """Return the requests in which something changed or that could not be compared, in the order of
    the pairs.
    """
    rows = list(pairs)
    worse, better = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for name, values in paired_values(rows).items():
        for request, value in values:
            if value:
                (worse if value < 0 else better)[request].add(name)
    return [
        _change(pair, worse[request], better[request], clusters or {})
        for pair in rows
        if (request := pair[0].request) in worse or request in better or not _compared(pair)
    ]


def as_lost(before: CaseOutcome, after: CaseOutcome) -> CaseOutcome:
    """Return `after` with whatever failed, is open or could not be judged under it counted as lost:
    the worst that it can be. Nothing is lost that `before` did not have to lose.
    """
    judged = before.supported_in_rates is not None
    if not after.assessed:
        return replace(
            before,
            arm=after.arm,
            judgements=tuple(j._replace(judgement="dropped") for j in before.judgements),
            added_kinds=(),
            asked=not before.unresolved,
            evidence_hit=0,
            near_misses=0,
            answer_correct=False if judged else None,
            uncheckable=False,
        )
    changed: dict[str, Any] = {}
    if any(j.open for j in after.judgements):
        changed["judgements"] = tuple(
            j._replace(judgement="dropped") if j.open else j for j in after.judgements
        )
    if judged and after.supported_in_rates is None:
        changed |= {"answer_correct": False, "uncheckable": False}
    if before.evidence_required and not after.evidence_required:
        changed |= {"evidence_required": before.evidence_required}
    return replace(after, **changed) if changed else after


def _change(
    pair: Pair, worse: set[str], better: set[str], clusters: Mapping[str, str]
) -> RequestChange:
    before, after = pair
    return RequestChange(
        request=before.request,
        request_class=before.request_class,
        base=clusters.get(before.request, before.request),
        unresolved=before.unresolved,
        worse=tuple(name for name in _GRAVITY if name in worse),
        better=tuple(name for name in _GRAVITY if name in better),
        lost=_moved(before, after, lost=True),
        gained=_moved(before, after, lost=False),
        before=_did(before),
        after=_did(after),
        compared=_compared(pair),
    )


def _compared(pair: Pair) -> bool:
    return pair[0].assessed and pair[1].assessed


def _moved(before: CaseOutcome, after: CaseOutcome, *, lost: bool) -> tuple[ConstraintChange, ...]:
    """The constraints that `before` kept and `after` lost, or the other way round; the critical
    ones first.
    """
    if before.unresolved or not (before.assessed and after.assessed):
        return ()
    known = {j.constraint: j for j in before.judgements if not j.open}
    found = [
        ConstraintChange(j.constraint, j.kind, j.critical, old.judgement, j.judgement)
        for j in after.judgements
        if not j.open
        and (old := known.get(j.constraint))
        and (old.kept, j.kept) == (lost, not lost)
    ]
    return tuple(sorted(found, key=lambda change: not change.critical))


def _did(outcome: CaseOutcome) -> dict[str, Any]:
    lost = first_stage_lost(outcome)
    return {
        "status": outcome.status,
        "answer": outcome.supported_in_rates,
        "evidence": [outcome.evidence_hit, outcome.evidence_required],
        "asked": outcome.asked,
        "breaking": outcome.breaking_additions,
        "stage": lost.code,
        "why": lost.why,
    }


def _gravity(scores: tuple[str, ...], moved: tuple[ConstraintChange, ...]) -> int | None:
    found = [_GRAVITY[name] for name in scores]
    if any(change.critical for change in moved):
        found.append(CRITICAL)
    return min(found, default=None)
