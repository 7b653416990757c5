"""What one request did under one arm: the only input of the scorecard, the comparison and the
verdict."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from contracts.terms import KINDS
from evaluation.records import JUDGEMENTS, KEPT, LOST

# Abstaining is what the system did: its rewrite and search are scored, its answer is not correct.
ASSESSED = ("ok", "abstained")
FAILED = (
    "judge_error",
    "provider_error",
    "rate_limited",
    "timed_out",
    "truncated",
    "not_run",
)
STATUSES = ASSESSED + FAILED


class Judged(NamedTuple):
    """One constraint of the contract and what the rewrite did to it (one of
    `records.JUDGEMENTS`)."""

    constraint: str
    kind: str
    critical: bool
    judgement: str

    @property
    def kept(self) -> bool:
        return self.judgement in KEPT

    @property
    def lost(self) -> bool:
        return self.judgement in LOST

    @property
    def open(self) -> bool:
        return self.judgement == "unsure"


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """One case: a request under an arm, with everything that the five scores need.

    `judgements` has one entry a constraint, in the contract's order; `added_kinds` the kind of
    every restriction that the rewrite invented. `evidence_hit` of `evidence_required` items were
    retrieved and `near_misses` of the others were missed by their qualifier only; 0 required means
    that none is recorded. `answer_correct` is None without a gold answer, `supported` None when
    nothing could be checked. A wrongly asked or missing answer to a request with a gold is False,
    not None. `own_evidence` holds the required items (each a tuple of ids) for twin pairs.
    `tie_groups` has a number for each of `ranked_ids`: documents with the same number tie, so that
    neither is ranked above the other; empty when the ranking is known to have no ties.
    `latency_ms`, `calls` and `cost` (USD) are None if not measured.
    """

    request: str
    request_class: str
    arm: str
    unresolved: bool = False
    judgements: tuple[Judged, ...] = ()
    added_kinds: tuple[str, ...] = ()
    asked: bool = False
    evidence_hit: int = 0
    evidence_required: int = 0
    near_misses: int = 0
    answer_correct: bool | None = None
    supported: bool | None = None
    status: str = "ok"
    query_texts: tuple[str, ...] = ()
    filters: Mapping[str, Any] = field(default_factory=dict)
    ranked_ids: tuple[str, ...] = ()
    tie_groups: tuple[int, ...] = ()
    own_evidence: tuple[tuple[str, ...], ...] = ()
    answer_text: str | None = None
    latency_ms: float | None = None
    calls: int | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        fault = _fault(self)
        if fault:
            raise ValueError(f"Case {self.request!r} under {self.arm!r}: {fault}")

    @property
    def assessed(self) -> bool:
        return self.status in ASSESSED

    @property
    def added(self) -> int:
        """The number of restrictions that the request does not have."""
        return len(self.added_kinds)

    @property
    def breaking_additions(self) -> int:
        """Additions of a kind in which the contract has a critical constraint (protocol rule R25).

        Such an addition narrows or changes a critical dimension, so the request is not complete.
        """
        critical = {judged.kind for judged in self.judgements if judged.critical}
        return sum(kind in critical for kind in self.added_kinds)

    @property
    def open_critical(self) -> int:
        return sum(judged.critical and judged.open for judged in self.judgements)

    @property
    def has_critical(self) -> bool:
        return any(judged.critical for judged in self.judgements)

    def complete(self, *, open_as_kept: bool) -> bool:
        """Return whether every critical constraint is kept and no addition breaks one (R26)."""
        if self.breaking_additions:
            return False
        return all(
            judged.kept or (judged.open and open_as_kept)
            for judged in self.judgements
            if judged.critical
        )

    @property
    def supported_correct(self) -> bool | None:
        """Correct under the contract and supported by the retrieved text (R28); None if
        undecidable."""
        if self.answer_correct is None:
            return None
        if not self.answer_correct or self.status == "abstained":
            return False
        return self.supported

    def to_json(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "judgements": [judged._asdict() for judged in self.judgements],
            "filters": dict(self.filters),
        }


def index_by_request(outcomes: Iterable[CaseOutcome]) -> dict[str, CaseOutcome]:
    """Return the outcomes of one arm by request, sorted; raises ValueError if a request occurs
    twice."""
    rows = sorted(outcomes, key=lambda outcome: outcome.request)
    for first, second in zip(rows, rows[1:], strict=False):
        if first.request == second.request:
            raise ValueError(
                f"Request {first.request!r} occurs twice under {first.arm!r}: give it one case."
            )
    return {outcome.request: outcome for outcome in rows}


def scored(outcomes: Iterable[CaseOutcome]) -> list[CaseOutcome]:
    """Return the assessed cases of resolved requests: the only ones with preservation and
    answers."""
    return [outcome for outcome in outcomes if outcome.assessed and not outcome.unresolved]


def count_statuses(statuses: Sequence[str]) -> dict[str, int]:
    """Return how many cases have each status, sorted by status."""
    return dict(sorted(Counter(statuses).items()))


def _fault(outcome: CaseOutcome) -> str | None:
    if outcome.status not in STATUSES:
        return f"status {outcome.status!r} is unknown: use one of {', '.join(STATUSES)}."
    if not 0 <= outcome.evidence_hit <= outcome.evidence_required:
        return (
            f"{outcome.evidence_hit} of {outcome.evidence_required} required items is impossible:"
            " count each required item once."
        )
    if not 0 <= outcome.near_misses <= outcome.evidence_required - outcome.evidence_hit:
        return f"{outcome.near_misses} near misses exceed the items that were not retrieved."
    if outcome.tie_groups and len(outcome.tie_groups) != len(outcome.ranked_ids):
        return "tie_groups must have one number for each ranked document."
    for kind in outcome.added_kinds:
        if kind not in KINDS:
            return f"an addition has kind {kind!r}: use one of {', '.join(KINDS)}."
    return _judgement_fault(outcome.judgements)


def _judgement_fault(judgements: tuple[Judged, ...]) -> str | None:
    seen: set[str] = set()
    for judged in judgements:
        if judged.judgement not in JUDGEMENTS:
            return (
                f"constraint {judged.constraint!r} has judgement {judged.judgement!r}:"
                f" use one of {', '.join(JUDGEMENTS)}."
            )
        if judged.constraint in seen:
            return f"constraint {judged.constraint!r} is judged twice: give one judgement each."
        seen.add(judged.constraint)
    return None
