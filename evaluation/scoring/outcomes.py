"""What one request did under one arm: the only input of the scorecard, the comparison and the
verdict."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from sys import intern
from typing import Any, NamedTuple

from contracts.terms import KINDS
from evaluation.records import JUDGEMENTS, KEPT, LOST

# What came of a case. A stage of a logged run that has nothing to score ("not_applicable") is no
# status of the case: the rest of it is scored, and its answer is undefined.
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


_NOTHING: Mapping[str, Any] = {}


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
    `answer_rules` has what each published rule and the typed one say of the answer, None where a
    rule is not applied to golds of this `gold_type`. `correct_by` and `support_by` say who decided
    `answer_correct` and `supported`: "rule", "person", for support also "model" or "error" (a judge
    failed, so it is undecided), or "" where there was nothing to decide. `uncheckable`: no
    answer like it could be called supported, right or wrong, since what was retrieved is not on
    record, or since it has no word to look for ("Yes.").
    `rewrite_kind` is one of `records.REWRITE_KINDS`, or "" where nobody logged it. `fell_back`: the
    rewriter failed and the original was searched, so that the case counts as no rewrite.
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
    answer_rules: Mapping[str, float | None] = field(default_factory=dict)
    gold_type: str = ""
    correct_by: str = ""
    support_by: str = ""
    uncheckable: bool = False
    rewrite_kind: str = ""
    fell_back: bool = False
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

    @property
    def supported_in_rates(self) -> bool | None:
        """The same for whatever counts over cases: None also for a wrong answer that is
        `uncheckable`. A right one like it has no value either, so that the wrong ones would be
        counted alone and every such arm would come to 0.
        """
        return None if self.uncheckable else self.supported_correct

    def for_rates(self) -> "CaseOutcome":
        """Return the outcome without what only twin pairs are told apart by: its texts and ties.

        A run of many thousand cases is scored in memory. Equal words are one object in it.
        """
        return replace(
            self,
            query_texts=("",) * len(self.query_texts),
            filters=_NOTHING,
            answer_text=None,
            tie_groups=(),
            ranked_ids=tuple(map(intern, self.ranked_ids)),
            own_evidence=tuple(tuple(map(intern, item)) for item in self.own_evidence),
            judgements=tuple(
                Judged(intern(j.constraint), intern(j.kind), j.critical, intern(j.judgement))
                for j in self.judgements
            ),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in _NAMES},
            "judgements": [judged._asdict() for judged in self.judgements],
            "filters": dict(self.filters),
            "answer_rules": dict(self.answer_rules),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "CaseOutcome":
        """Return the outcome that `to_json` wrote; a field that an earlier version did not write
        has its default. Raises ValueError, KeyError or TypeError for anything else.
        """
        unknown = data.keys() - set(_NAMES)
        if unknown:
            raise ValueError(f"{', '.join(sorted(unknown))}: no field of a case's outcome.")
        found = dict(data)
        for name in _TUPLES & found.keys():
            found[name] = tuple(found[name])
        found["judgements"] = tuple(Judged(**judged) for judged in data.get("judgements", ()))
        found["own_evidence"] = tuple(tuple(item) for item in data.get("own_evidence", ()))
        return cls(**found)


# Copying each value deeply, as `asdict` does, would cost more than scoring the case.
_NAMES = tuple(each.name for each in fields(CaseOutcome))
_TUPLES = {"added_kinds", "query_texts", "ranked_ids", "tie_groups"}


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


def taken(outcome: CaseOutcome, name: str) -> float | None:
    """What the request took (`latency_ms`, `calls` or `cost`), None where it is not known. Without
    a call it cost nothing, and that is known.
    """
    if name == "cost" and outcome.cost is None and outcome.calls == 0:
        return 0.0
    value = getattr(outcome, name)
    return None if value is None else float(value)
