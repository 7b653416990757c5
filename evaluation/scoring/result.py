"""The result of a run: every score, difference, ranking and count, from the rows alone. The run and
whoever checks it call the same function.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evaluation.scoring.audit import Tally
from evaluation.scoring.controls import ControlResult, false_rejection_rate
from evaluation.scoring.families import family_results, paired_accuracy
from evaluation.scoring.kinds import count_kinds
from evaluation.scoring.localisation import count_codes, count_stages
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.pair_rates import pair_rates
from evaluation.scoring.pairs import PairResult
from evaluation.scoring.protocol import JUDGES, Protocol
from evaluation.scoring.scorecard import ORIGINAL, scorecard
from evaluation.scoring.verdict import ClassVerdict, decide

SCHEMA = "result/1"
LEVEL = 0.95  # of every bound in a run without a Protocol


def result_of(
    outcomes: Sequence[CaseOutcome],
    pairs: Sequence[PairResult],
    controls: Sequence[ControlResult],
    *,
    clusters: Mapping[str, str],
    protocol: Protocol | None,
) -> dict[str, Any]:
    """The result as JSON; who calls adds "code" (what computed it) and "judging" (who judged).

    `clusters` maps the key of a request to what it counts with: its twins and repeats.
    """
    settings: dict[str, Any] = {"clusters": clusters}
    drawing: dict[str, Any] = {}
    if protocol:
        drawing = {
            "level": protocol.level,
            "resamples": protocol.resamples,
            "seed": protocol.seed,
        }
        settings |= {"test": protocol.test, "correction": protocol.correction, **drawing}
    level = {"level": protocol.level} if protocol else {}
    arms = sorted({outcome.arm for outcome in outcomes})
    return {
        "schema": SCHEMA,
        "scorecard": scorecard(outcomes, **settings).to_json(),
        "stages": {arm: count_stages(rows_of(outcomes, arm)) for arm in arms},
        "kinds": count_kinds(outcomes),
        "codes": {arm: count_codes(rows_of(outcomes, arm)) for arm in arms},
        "families": {
            arm: [family.to_json() for family in family_results(rows_of(pairs, arm), **drawing)]
            for arm in arms
        },
        "rankings": {
            arm: paired_accuracy(rows_of(pairs, arm), **drawing).to_json() for arm in arms
        },
        "pair_rates": pair_rates(pairs, **drawing),
        "controls": {
            "false_rejections": false_rejection_rate(controls, **level).to_json(),
            "judged": [control.to_json() for control in controls],
        },
        "pairs": [pair.to_json() for pair in sorted(pairs, key=lambda p: (p.arm, p.id))],
    }


def judging_of(judging: Tally, protocol: Protocol | None) -> dict[str, Any]:
    """The result's key "judging": who judged, and what the audit of the judge found."""
    level, judges = (protocol.level, protocol.judges) if protocol else (LEVEL, JUDGES)
    return judging.to_json(level, judges=judges)


def verdicts_of(
    outcomes: Sequence[CaseOutcome],
    pairs: Sequence[PairResult],
    judging: Tally,
    *,
    protocol: Protocol,
    candidates: Iterable[str],
) -> list[ClassVerdict]:
    """The verdict on every candidate in every class, by candidate, then class."""
    classes = sorted({outcome.request_class for outcome in outcomes})
    original = rows_of(outcomes, ORIGINAL)
    return [
        decide(
            protocol,
            name,
            arm,
            original,
            rows_of(outcomes, arm),
            rows_of(pairs, arm),
            judging.judge_audit(arm, name, protocol.level),
        )
        for arm in sorted(candidates)
        for name in classes
    ]


def unmeasured(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result without latency and cost, which differ between two runs that are equal
    otherwise: what its hash is over.
    """
    card = {
        name: [_without_measured(row) for row in rows] for name, rows in result["scorecard"].items()
    }
    return {**result, "scorecard": card}


def _without_measured(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "measured"}


def rows_of(rows: Iterable[Any], arm: str) -> list[Any]:
    """The rows of one arm, in their order."""
    return [row for row in rows if row.arm == arm]
