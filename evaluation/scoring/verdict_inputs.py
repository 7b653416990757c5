"""The rows behind one class's verdict: both arms complete, sorted, and hashed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from annotation.canonical import content_hash
from evaluation.scoring.audit import JudgeAudit
from evaluation.scoring.outcomes import CaseOutcome, index_by_request
from evaluation.scoring.pairs import PairResult
from evaluation.scoring.protocol import ClassRule, Protocol
from evaluation.scoring.verdict_rules import unjudged_answers


@dataclass(frozen=True, slots=True)
class ClassInputs:
    """The rows of one class, both arms complete and sorted by request, pairs sorted by id.

    `judge` is what the judge decided itself and how often it was wrong; None where the protocol
    sets no limit to that, so that it can decide nothing.
    """

    protocol: Protocol
    rule: ClassRule | None
    original: tuple[CaseOutcome, ...]
    candidate: tuple[CaseOutcome, ...]
    pairs: tuple[PairResult, ...]
    judge: JudgeAudit | None = None

    @property
    def resolved(self) -> int:
        return sum(not outcome.unresolved for outcome in self.candidate)

    @property
    def unresolved(self) -> int:
        return len(self.candidate) - self.resolved

    @property
    def only_unresolved(self) -> bool:
        return bool(self.candidate) and not self.resolved

    def family(self, name: str) -> list[PairResult]:
        return [pair for pair in self.pairs if pair.family == name]

    @property
    def open_counts(self) -> tuple[int, int, int]:
        """Return open critical judgements, unjudged answers, and open twin pairs of the class."""
        judgements = sum(o.open_critical for o in self.candidate if o.assessed and not o.unresolved)
        open_pairs = sum(pair.assessed and pair.passed is None for pair in self.pairs)
        return judgements, len(unjudged_answers(self.original, self.candidate)), open_pairs

    @property
    def sha256(self) -> str:
        """The hash over the inputs. Times and costs are measured, but no part of the decision."""
        return content_hash(
            {
                "original": _rows(self.original),
                "candidate": _rows(self.candidate),
                "pairs": [pair.to_json() for pair in self.pairs],
                **({"judge": self.judge.to_json()} if self.judge else {}),
            }
        )


def gather(
    protocol: Protocol,
    request_class: str,
    arm: str,
    original: Iterable[CaseOutcome],
    candidate: Iterable[CaseOutcome],
    pairs: Iterable[PairResult],
    judge: JudgeAudit | None = None,
) -> ClassInputs:
    """Return the rows of one class and arm; a request that an arm lacks is "not_run" there.

    Raises ValueError for a request that occurs twice in an arm or is unresolved in one arm only,
    and without `judge` where the protocol limits the judge's error.
    """
    if protocol.max_judge_error is None:
        judge = None
    elif judge is None:
        raise ValueError("The protocol limits the judge's error: give what its audit found.")
    before = index_by_request(o for o in original if o.request_class == request_class)
    after = index_by_request(
        o for o in candidate if (o.request_class, o.arm) == (request_class, arm)
    )
    for request in before.keys() & after.keys():
        if before[request].unresolved != after[request].unresolved:
            raise ValueError(
                f"Request {request!r} is unresolved in one arm only: both arms share one contract."
            )
    requests = sorted(before.keys() | after.keys())
    mine = [p for p in pairs if (p.request_class, p.arm) == (request_class, arm)]
    return ClassInputs(
        protocol,
        protocol.rule_for(request_class),
        tuple(before.get(r) or _not_run(after[r], "original") for r in requests),
        tuple(after.get(r) or _not_run(before[r], arm) for r in requests),
        tuple(sorted(mine, key=lambda pair: pair.id)),
        judge,
    )


def _not_run(other: CaseOutcome, arm: str) -> CaseOutcome:
    return CaseOutcome(
        other.request, other.request_class, arm, unresolved=other.unresolved, status="not_run"
    )


def _rows(outcomes: Sequence[CaseOutcome]) -> list[str]:
    """The hash of each row: the rows of a large class would not fit into memory side by side."""
    return [
        content_hash(replace(o, latency_ms=None, calls=None, cost=None).to_json()) for o in outcomes
    ]
