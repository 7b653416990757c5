"""Concluding a run: when no case is open any more, scores, statistics and verdicts are computed
from the rows.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from annotation.canonical import content_hash
from annotation.models import RequestClass
from annotation.services import ledger
from evaluation.models import Arm, Case, Judgement, Run, Verdict
from evaluation.runs.code import code_sha256
from evaluation.runs.inputs import RunInputs, read_controls, read_inputs, twins_of
from evaluation.runs.outcomes import ScoredCase, score_case
from evaluation.scoring.controls import ControlResult, false_rejection_rate
from evaluation.scoring.families import family_results, paired_accuracy
from evaluation.scoring.localisation import count_codes, count_stages
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.pairs import PairResult, judge_pair
from evaluation.scoring.protocol import Protocol, parse_protocol
from evaluation.scoring.scorecard import scorecard
from evaluation.scoring.verdict import ClassVerdict, decide

SCHEMA = "result/1"


log = logging.getLogger(__name__)


def conclude(run_id: int) -> None:
    """Close the run if all its cases are closed. Computed twice from the same rows, it gives the
    same bytes. What stops the computation fails the run with a sentence; its cases are kept.
    """
    try:
        _conclude(run_id)
    except (ArithmeticError, LookupError, TypeError, ValueError) as fault:
        log.exception("run %s cannot be concluded", run_id)
        Run.objects.filter(pk=run_id).update(
            state=Run.State.FAILED,
            error=f"The results could not be computed ({type(fault).__name__}); the log says more.",
            finished_at=timezone.now(),
        )


def _conclude(run_id: int) -> None:
    run = Run.objects.select_related("project", "protocol", "conditions__corpus").get(pk=run_id)
    if run.cases.open().exists():
        return
    failed = run.cases.filter(state=Case.State.FAILED).order_by("pk").first()
    if failed is not None:
        count = run.cases.filter(state=Case.State.FAILED).count()
        total = run.cases.count()
        Run.objects.filter(pk=run.pk).update(
            state=Run.State.FAILED,
            error=f"{failed.error} ({count} of {total} cases failed; the others are kept.)",
            finished_at=timezone.now(),
        )
        return
    inputs = read_inputs(run)
    scored = score_run(run, inputs)
    pairs = pair_results(inputs, scored)
    outcomes = [case.outcome for case in scored.values()]
    protocol = parse_protocol(run.protocol.content) if run.protocol else None
    result = _result(outcomes, pairs, read_controls(run), inputs, protocol)
    verdicts = _verdicts(run, protocol, outcomes, pairs) if protocol else []
    _keep(run, scored, result, verdicts)


def score_run(run: Run, inputs: RunInputs) -> dict[int, ScoredCase]:
    """Score every case of the run, by the case's id."""
    judgements = Judgement.objects.select_related("constraint")
    judging = run.protocol.content["judging"] if run.protocol else "automatic"
    cases = (
        run.cases.select_related("arm", "request__request_class", "contract")
        .prefetch_related("stages", Prefetch("judgements", queryset=judgements))
        .order_by("pk")
    )
    texts: dict[str, str] = {}
    found: dict[int, ScoredCase] = {}
    for case in cases.iterator(chunk_size=500):
        stages = {row.stage: row.content for row in case.stages.all()}
        keys = [hit["id"] for hit in stages.get("retrieve", {}).get("hits", [])]
        missing = [key for key in keys if key not in texts]
        if missing:
            texts.update(
                run.conditions.corpus.documents.filter(key__in=missing).values_list("key", "text")
            )
        found[case.pk] = score_case(
            case,
            stages,
            list(case.judgements.all()),
            texts,
            inputs.near_misses.get(case.request_id, {}),
            judging,
        )
    return found


def pair_results(inputs: RunInputs, scored: Mapping[int, ScoredCase]) -> list[PairResult]:
    """Judge every twin pair under every arm."""
    by_arm: dict[str, dict[str, ScoredCase]] = defaultdict(dict)
    for case in scored.values():
        by_arm[case.outcome.arm][case.outcome.request] = case
    results = []
    for _arm, cases in sorted(by_arm.items()):
        foreign = {key: case.foreign for key, case in cases.items()}
        for pair in inputs.pairs:
            base, twin = cases.get(pair.base.key), cases.get(pair.twin.key)
            if base and twin:
                results.append(judge_pair(twins_of(pair, foreign), base.outcome, twin.outcome))
    return results


def _result(
    outcomes: list[CaseOutcome],
    pairs: list[PairResult],
    controls: list[ControlResult],
    inputs: RunInputs,
    protocol: Protocol | None,
) -> dict[str, Any]:
    settings: dict[str, Any] = {"clusters": inputs.clusters}
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
        "code": code_sha256(),
        "scorecard": scorecard(outcomes, **settings).to_json(),
        "stages": {arm: count_stages(_of(outcomes, arm)) for arm in arms},
        "codes": {arm: count_codes(_of(outcomes, arm)) for arm in arms},
        "families": {
            arm: [family.to_json() for family in family_results(_of(pairs, arm), **drawing)]
            for arm in arms
        },
        "rankings": {arm: paired_accuracy(_of(pairs, arm), **drawing).to_json() for arm in arms},
        "controls": {
            "false_rejections": false_rejection_rate(controls, **level).to_json(),
            "judged": [control.to_json() for control in controls],
        },
        "pairs": [pair.to_json() for pair in sorted(pairs, key=lambda p: (p.arm, p.id))],
    }


def _of(rows: Iterable[Any], arm: str) -> list[Any]:
    return [row for row in rows if row.arm == arm]


def _verdicts(
    run: Run, protocol: Protocol, outcomes: list[CaseOutcome], pairs: list[PairResult]
) -> list[ClassVerdict]:
    names = {arm.name for arm in run.arms.all() if arm.is_candidate}
    classes = sorted({outcome.request_class for outcome in outcomes})
    original = _of(outcomes, "original")
    return [
        decide(protocol, name, arm, original, _of(outcomes, arm), _of(pairs, arm))
        for arm in sorted(names)
        for name in classes
    ]


@transaction.atomic
def _keep(
    run: Run,
    scored: Mapping[int, ScoredCase],
    result: dict[str, Any],
    verdicts: list[ClassVerdict],
) -> None:
    sha256 = content_hash(unmeasured(result))
    # Two workers may see the last case closed: the second waits here, then finds the verdicts.
    Run.objects.select_for_update().get(pk=run.pk)
    for case_id, case in scored.items():
        Case.objects.filter(pk=case_id).update(outcome=case.to_json())
    Run.objects.filter(pk=run.pk).update(
        state=Run.State.FINISHED,
        error="",
        result=result,
        result_sha256=sha256,
        finished_at=timezone.now(),
    )
    changed = [_keep_verdict(run, verdict) for verdict in verdicts]
    if any(changed) or not verdicts:
        ledger.record(
            project=run.project,
            kind="run.concluded",
            subject=f"run {run.number}",
            content={
                "conditions": run.conditions.sha256,
                "result": sha256,
                "verdicts": {
                    f"{v.arm}/{v.request_class}": v.outcome
                    for v in sorted(verdicts, key=lambda v: (v.arm, v.request_class))
                },
            },
            actor=None,
        )


def _keep_verdict(run: Run, verdict: ClassVerdict) -> bool:
    """Write the verdict as a new version unless it is the one that stands; say whether it was
    written.
    """
    content = verdict.to_json()
    sha256 = content_hash(content)
    arm = Arm.objects.get(project=run.project, name=verdict.arm)
    request_class = RequestClass.objects.get(project=run.project, name=verdict.request_class)
    standing = (
        Verdict.objects.filter(run=run, arm=arm, request_class=request_class)
        .order_by("-version")
        .first()
    )
    if standing and standing.sha256 == sha256:
        return False
    Verdict.objects.create(
        run=run,
        arm=arm,
        request_class=request_class,
        version=standing.version + 1 if standing else 1,
        outcome=verdict.outcome,
        content=content,
        sha256=sha256,
    )
    return True


def unmeasured(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result without latency and cost, which differ between two runs that are equal
    otherwise.
    """
    arms = [
        {key: value for key, value in row.items() if key != "measured"}
        for row in result["scorecard"]["arms"]
    ]
    return {**result, "scorecard": {**result["scorecard"], "arms": arms}}
