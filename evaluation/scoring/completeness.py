"""Constraint preservation and critical-constraint completeness (protocol rules R24 to R26)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from evaluation.scoring.bounded import Bounded
from evaluation.scoring.outcomes import CaseOutcome, Judged, scored
from evaluation.statistics import Estimate, bootstrap_interval, wilson

NO_CONSTRAINT = "No resolved request has an annotated constraint."
NO_CRITICAL = "No resolved request has a critical constraint."


@dataclass(frozen=True, slots=True)
class Preservation:
    """Preserved / annotated constraints, pooled and as a mean per request, and what was added.

    `pooled.n` counts constraints, although its interval resamples requests; `per_request.n`
    requests. `additions` is the mean number of invented restrictions per request, its numerator
    their sum.
    """

    pooled: Bounded
    per_request: Bounded
    additions: Estimate

    def to_json(self) -> dict[str, Any]:
        return {
            "pooled": self.pooled.to_json(),
            "per_request": self.per_request.to_json(),
            "additions": self.additions.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Completeness:
    """The share of requests with every critical constraint kept.

    `overall` counts the `vacuous` requests, which have no critical constraint, as complete;
    `with_critical` leaves them out. `broken_by_addition` counts requests that only an addition
    breaks.
    """

    overall: Bounded
    with_critical: Bounded
    vacuous: int
    broken_by_addition: int

    def to_json(self) -> dict[str, Any]:
        return {
            "overall": self.overall.to_json(),
            "with_critical": self.with_critical.to_json(),
            "vacuous": self.vacuous,
            "broken_by_addition": self.broken_by_addition,
        }


def preservation(
    outcomes: Iterable[CaseOutcome],
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Preservation:
    """Return constraint preservation over one arm's assessed, resolved requests.

    Intervals resample requests, so the constraints of one request never count as independent.
    """
    rows = scored(outcomes)
    judged = [outcome for outcome in rows if outcome.judgements]
    still_open = sum(j.open for outcome in judged for j in outcome.judgements)

    def pooled(open_as_kept: bool) -> Estimate:
        if not judged:
            return Estimate.undefined(NO_CONSTRAINT)
        values = [_kept(j, open_as_kept) for outcome in judged for j in outcome.judgements]
        clusters = [outcome.request for outcome in judged for _ in outcome.judgements]
        interval = bootstrap_interval(
            values, clusters=clusters, level=level, resamples=resamples, seed=seed
        )
        return replace(interval, n=len(values), numerator=int(sum(values)))

    def per_request(open_as_kept: bool) -> Estimate:
        if not judged:
            return Estimate.undefined(NO_CONSTRAINT)
        shares = [preserved_share(outcome, open_as_kept) for outcome in judged]
        return bootstrap_interval(shares, level=level, resamples=resamples, seed=seed)

    additions = bootstrap_interval(
        [float(outcome.added) for outcome in rows], level=level, resamples=resamples, seed=seed
    )
    return Preservation(
        Bounded(pooled(False), pooled(True), still_open),
        Bounded(per_request(False), per_request(True), still_open),
        replace(additions, numerator=sum(outcome.added for outcome in rows)),
    )


def critical_completeness(outcomes: Iterable[CaseOutcome], *, level: float = 0.95) -> Completeness:
    """Return critical-constraint completeness over one arm's assessed, resolved requests
    (Wilson)."""
    rows = scored(outcomes)
    with_critical = [outcome for outcome in rows if outcome.has_critical]
    still_open = sum(outcome.open_critical for outcome in rows)
    broken = sum(
        bool(outcome.breaking_additions)
        and all(judged.kept for judged in outcome.judgements if judged.critical)
        for outcome in rows
    )
    return Completeness(
        _complete(rows, level, still_open, "No resolved request was assessed."),
        _complete(with_critical, level, still_open, NO_CRITICAL),
        len(rows) - len(with_critical),
        broken,
    )


def preserved_share(outcome: CaseOutcome, open_as_kept: bool) -> float:
    """Return the share of this request's constraints that are preserved; it must have one."""
    kept = sum(_kept(judged, open_as_kept) for judged in outcome.judgements)
    return kept / len(outcome.judgements)


def count_faults(
    *,
    constraints: int,
    preserved: int,
    requests: int,
    complete: int,
    breaking_additions: int = 0,
    critical_constraints: int | None = None,
    vacuous: int = 0,
) -> tuple[str, ...]:
    """Return a sentence for every way in which published totals contradict each other.

    Every incomplete request needs a lost critical constraint or a breaking addition, and only as
    many requests can have a critical constraint as there are critical constraints.
    """
    faults = []
    if not 0 <= preserved <= constraints:
        faults.append(f"{preserved} of {constraints} constraints preserved is impossible.")
    if not 0 <= complete <= requests:
        faults.append(f"{complete} of {requests} requests complete is impossible.")
    lost, incomplete = constraints - preserved, requests - complete
    if lost + breaking_additions < incomplete:
        faults.append(
            f"{incomplete} requests are incomplete, but only {lost} constraints are lost and"
            f" {breaking_additions} additions break one: at least {incomplete} are needed."
        )
    if critical_constraints is not None and requests - vacuous > critical_constraints:
        faults.append(
            f"{critical_constraints} critical constraints cover at most that many requests, so at"
            f" least {requests - critical_constraints} of {requests} are vacuously complete;"
            f" {vacuous} are counted."
        )
    return tuple(faults)


def _kept(judged: Judged, open_as_kept: bool) -> float:
    return float(judged.kept or (judged.open and open_as_kept))


def _complete(rows: list[CaseOutcome], level: float, still_open: int, reason: str) -> Bounded:
    def rate(open_as_kept: bool) -> Estimate:
        if not rows:
            return Estimate.undefined(reason)
        complete = sum(outcome.complete(open_as_kept=open_as_kept) for outcome in rows)
        return wilson(complete, len(rows), level=level)

    return Bounded(rate(False), rate(True), still_open)
