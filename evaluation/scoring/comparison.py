"""Candidate against original, request by request: regressions, gains, discordant counts (R35,
R36)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.scoring.outcomes import CaseOutcome, index_by_request
from evaluation.statistics import (
    Estimate,
    bootstrap_interval,
    mcnemar_exact,
    mcnemar_midp,
    wilson,
)

TESTS = {"mcnemar_exact": mcnemar_exact, "mcnemar_midp": mcnemar_midp}
ORIGINAL_NONE = "Undefined: the original answered none correctly."
ORIGINAL_ALL = "Undefined: the original answered all correctly."
NO_ANSWER = "No request has an answer that could be judged under both arms."


@dataclass(frozen=True, slots=True)
class Comparison:
    """Supported-correct answers of the candidate against the original, over requests judged in
    both.

    `lost` and `gained` are the discordant counts. `regression` = lost / correct at the original,
    `gain` = gained / not correct there. `difference` is candidate - original with a request
    bootstrap interval. `dropped` counts requests left out by reason; `worst_regression` counts a
    candidate's unjudged answer to a request that the original answered correctly as lost, so that a
    failure cannot hide a regression.
    """

    n: int
    both: int
    lost: int
    gained: int
    neither: int
    regression: Estimate
    gain: Estimate
    worst_regression: Estimate
    test: Estimate
    difference: Estimate
    dropped: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        counts = {k: getattr(self, k) for k in ("n", "both", "lost", "gained", "neither")}
        names = ("regression", "gain", "worst_regression", "test", "difference")
        estimates = {name: getattr(self, name).to_json() for name in names}
        return {**counts, **estimates, "dropped": dict(self.dropped)}


def compare(
    original: Iterable[CaseOutcome],
    candidate: Iterable[CaseOutcome],
    *,
    test: str = "mcnemar_exact",
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    difference: Estimate | None = None,
) -> Comparison:
    """Return the paired comparison of two arms over the same requests.

    `clusters` names each request's base case, so that twins are resampled together; a request
    without an entry is its own. `difference` is that of the supported-correct answers, if who calls
    has it already. Unresolved requests are left out (R29 scores them). Raises
    ValueError when the arms do not hold the same requests (give a row with its status for a case
    that failed) or the test is unknown.
    """
    if test not in TESTS:
        raise ValueError(f"test is {test!r}: choose one of {', '.join(TESTS)}.")
    pairs = pair_up(original, candidate)
    judged, dropped, hidden = [], Counter[str](), 0
    for before, after in pairs:
        a, c = _answer(before), _answer(after)
        if a is not None and c is not None:
            judged.append((before.request, a, c))
            continue
        dropped[why_dropped(before, after)] += 1
        hidden += bool(a)
    cells = Counter((a, c) for _, a, c in judged)
    lost, gained = cells[True, False], cells[False, True]
    right, wrong = cells[True, True] + lost, cells[False, False] + gained
    nothing = "" if judged else NO_ANSWER
    return Comparison(
        n=len(judged),
        both=cells[True, True],
        lost=lost,
        gained=gained,
        neither=cells[False, False],
        regression=_rate(lost, right, level, nothing or ORIGINAL_NONE),
        gain=_rate(gained, wrong, level, nothing or ORIGINAL_ALL),
        worst_regression=_rate(lost + hidden, right + hidden, level, nothing or ORIGINAL_NONE),
        test=TESTS[test](lost, gained) if judged else Estimate.undefined(NO_ANSWER),
        difference=difference
        or paired_difference(
            {request: float(c) - float(a) for request, a, c in judged},
            reason=NO_ANSWER,
            clusters=clusters,
            level=level,
            resamples=resamples,
            seed=seed,
        ),
        dropped=dict(sorted(dropped.items())),
    )


def pair_up(
    original: Iterable[CaseOutcome], candidate: Iterable[CaseOutcome]
) -> list[tuple[CaseOutcome, CaseOutcome]]:
    """Return both arms' cases by request, sorted; raises ValueError unless the requests are the
    same."""
    before, after = index_by_request(original), index_by_request(candidate)
    for these, others, arm in ((before, after, "candidate"), (after, before, "original")):
        missing = sorted(these.keys() - others.keys())
        if missing:
            raise ValueError(
                f"The {arm} arm has no case for {len(missing)} requests, the first {missing[0]!r}:"
                " give every arm a case a request, failed ones with their status."
            )
    for request, outcome in before.items():
        if outcome.unresolved != after[request].unresolved:
            raise ValueError(
                f"Request {request!r} is unresolved in one arm only: both arms share one contract."
            )
    return [(before[request], after[request]) for request in before]


def paired_difference(
    differences: Mapping[str, float],
    *,
    reason: str,
    clusters: Mapping[str, str] | None,
    level: float,
    resamples: int,
    seed: int,
) -> Estimate:
    """Return the mean of per-request differences with an interval over base cases, or `reason`."""
    if not differences:
        return Estimate.undefined(reason)
    labels = [(clusters or {}).get(request, request) for request in differences]
    return bootstrap_interval(
        list(differences.values()), clusters=labels, level=level, resamples=resamples, seed=seed
    )


def _answer(outcome: CaseOutcome) -> bool | None:
    return outcome.supported_in_rates if outcome.assessed and not outcome.unresolved else None


def why_dropped(before: CaseOutcome, after: CaseOutcome) -> str:
    """Say why the two answers to a request are not compared."""
    if before.unresolved:
        return "unresolved request"
    for arm, outcome in (("original", before), ("candidate", after)):
        if not outcome.assessed:
            return f"{arm} {outcome.status}"
    if before.answer_correct is None and after.answer_correct is None:
        return "no gold answer"
    return "original unjudged" if _answer(before) is None else "candidate unjudged"


def _rate(k: int, n: int, level: float, reason: str) -> Estimate:
    return wilson(k, n, level=level) if n else Estimate.undefined(reason)
