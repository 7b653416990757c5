"""Concluding a run: when no case is open any more, scores, statistics and verdicts are computed
from the rows.
"""

import json
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Prefetch, QuerySet
from django.utils import timezone

from annotation.canonical import content_hash
from annotation.models import RequestClass
from annotation.services import ledger
from evaluation.models import AnswerJudgement, Arm, Case, Judgement, Run, Verdict
from evaluation.runs.auditing import items_of, keep_audit, sample_of
from evaluation.runs.code import code_sha256
from evaluation.runs.inputs import RunInputs, read_controls, read_inputs, twins_of
from evaluation.runs.outcomes import ScoredCase, score_case
from evaluation.runs.words_known import WordsKnown, newest_words, results_are_of, words_known
from evaluation.scoring.audit import Tally
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.pairs import PairResult, judge_pairs
from evaluation.scoring.protocol import parse_protocol
from evaluation.scoring.result import SCHEMA, judging_of, result_of, unmeasured, verdicts_of
from evaluation.scoring.verdict import ClassVerdict

_BATCH = 200
# After so long without a word, results are computed again although some checks are left.
_QUIET = timedelta(minutes=10)
# Words that were given or taken back while results were computed: then once more, so that what
# was read before them is not what stays.
_TIMES = 3
# What rows that are not as they should be make of a computation.
_FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

log = logging.getLogger(__name__)


def conclude(run_id: int) -> None:
    """Close the run if all its cases are closed. Computed twice from the same rows, it gives the
    same bytes. What stops the computation fails the run with a sentence; its cases are kept. A run
    that is finished stays so, with the results that it has, and says so in its notice.
    """
    try:
        for _time in range(_TIMES):
            if not _conclude(run_id):
                return
    except _FAULTS as fault:
        log.exception("run %s cannot be concluded", run_id)
        _not_computed(run_id, type(fault).__name__)


def _not_computed(run_id: int, fault: str) -> None:
    """Say that the results could not be computed; what an earlier computation gave stands."""
    has_results = Run.objects.filter(pk=run_id, state=Run.State.FINISHED)
    finished_at = has_results.values_list("finished_at", flat=True).first()
    if finished_at is not None:
        has_results.update(
            notice=f"The results could not be computed again ({fault}); these are of "
            f"{finished_at:%Y-%m-%d %H:%M} UTC. The log says more."
        )
        return
    _concludable(run_id).exclude(state=Run.State.FINISHED).update(
        state=Run.State.FAILED,
        error=f"The results could not be computed ({fault}); the log says more.",
        finished_at=timezone.now(),
    )


def judged_since() -> list[Run]:
    """The finished runs whose results do not know what people decided, though nothing waits in
    them or nobody has judged for a while; and those that count a word that was taken back.
    """
    since = Judgement.objects.filter(
        case__run__state=Run.State.FINISHED, created_at__gt=F("case__run__finished_at")
    )
    taken_back = set(since.filter(takes_back__isnull=False).values_list("case__run", flat=True))
    words = since.by_people().values_list("case__run").annotate(Max("created_at")).order_by()
    newest = dict(words)
    runs = Run.objects.filter(pk__in={*newest, *taken_back}).select_related("protocol")
    return [
        run
        for run in runs
        if run.pk in taken_back
        or not Judgement.objects.waiting(run).exists()
        and (
            timezone.now() - newest[run.pk] > _QUIET
            or not Judgement.objects.audited(run).undecided().exists()
        )
    ]


def _conclude(run_id: int) -> bool:
    """Compute and keep the results; say whether people said more meanwhile."""
    run = Run.objects.select_related("project", "protocol", "conditions__corpus").get(pk=run_id)
    if not _concludable(run_id).exists() or run.cases.open().exists():
        return False
    failed = run.cases.lost().order_by("pk").first()
    if failed is not None and not run.without_failed:
        count = run.cases.lost().count()
        total = run.cases.count()
        why = failed.error.rstrip(".")
        _fail(run, f"{why}. ({count} of {total} cases failed; the others are kept.)")
        return False
    known = words_known(run)
    inputs = read_inputs(run)
    scored = score_run(run, inputs)
    outcomes = scored.outcomes
    pairs = pair_results(inputs, scored)
    protocol = parse_protocol(run.protocol.content) if run.protocol else None
    computed = result_of(
        outcomes, pairs, read_controls(run), clusters=inputs.clusters, protocol=protocol
    )
    result: dict[str, Any] = {"schema": SCHEMA, "code": code_sha256(), **computed}
    result["judging"] = judging_of(scored.judging, protocol)
    verdicts = []
    if protocol:
        names = {arm.name for arm in run.arms.all() if arm.is_candidate}
        verdicts = verdicts_of(outcomes, pairs, scored.judging, protocol=protocol, candidates=names)
    for start in range(0, len(scored.changed), _BATCH):
        Case.objects.bulk_update(scored.changed[start : start + _BATCH], ["outcome"])
    _keep(run, result, verdicts, scored.sample, known)
    return newest_words(run) != known.newest


def _concludable(run_id: int) -> QuerySet[Run]:
    """The run, unless somebody paused or cancelled it meanwhile."""
    stopped = (Run.State.PAUSED, Run.State.CANCELLED)
    return Run.objects.filter(pk=run_id).exclude(state__in=stopped)


def _is_closed(run: Run) -> bool:
    """Whether all cases are closed still: somebody may have put some back while the results were
    computed. Locks project and run, in the order of everybody who decides about runs.
    """
    run.project.lock()
    Run.objects.select_for_update().get(pk=run.pk)
    return not run.cases.open().exists()


@transaction.atomic
def _fail(run: Run, reason: str) -> None:
    if _is_closed(run):
        _concludable(run.pk).exclude(state=Run.State.FINISHED).update(
            state=Run.State.FAILED, error=reason, notice="", finished_at=timezone.now()
        )


@dataclass
class Scored:
    """What the scores of a run are made from: every case's outcome, in the order of the cases, and
    what was judged of the twins' constraints, by arm and request of a pair; who judged, and which
    judgements are in the audit of the judge.
    """

    outcomes: list[CaseOutcome] = field(default_factory=list)
    foreign: dict[str, dict[str, Mapping[str, str]]] = field(default_factory=dict)
    judging: Tally = field(default_factory=Tally)
    sample: frozenset[int] = frozenset()
    # Of a finished run the cases whose records changed, to be written once all is computed.
    changed: list[Case] = field(default_factory=list)


def score_run(run: Run, inputs: RunInputs) -> Scored:
    """Score every case of the run and write its record down, batch by batch; not those of a
    finished run, which stay as they are if something fails: those that changed are returned.
    """
    finished = run.state == Run.State.FINISHED
    judging = run.judging
    sides = inputs.sides
    found = Scored(sample=frozenset(sample_of(run)))
    for batch in scored_batches(run, inputs):
        for case, scored in batch:
            in_pair = case.request.key in sides
            found.outcomes.append(scored.outcome if in_pair else scored.outcome.for_rates())
            if scored.foreign:
                found.foreign.setdefault(case.arm.name, {})[case.request.key] = scored.foreign
            for item in items_of(case, judging=judging, sample=found.sample):
                found.judging.add(item)
            told = scored.to_json()
            if finished and case.outcome != json.loads(json.dumps(told)):
                found.changed.append(Case(pk=case.pk, outcome=told))
            case.outcome = told
        if not finished:
            Case.objects.bulk_update([case for case, _scored in batch], ["outcome"])
    return found


def scored_batches(
    run: Run, inputs: RunInputs, *, until: datetime | None = None
) -> Iterator[list[tuple[Case, ScoredCase]]]:
    """Score every case of the run from its rows, in the order of the cases, and write nothing.
    What was judged after `until` is left out.
    """
    judging = run.judging
    said = AnswerJudgement.objects.said(run)
    last = 0
    while cases := _batch(run, after=last, until=until):
        last = cases[-1].pk
        texts = _texts(run, cases)
        yield [
            (
                case,
                score_case(
                    case,
                    {row.stage: row.content for row in case.stages.all()},
                    list(case.judgements.all()),
                    texts,
                    inputs.near_misses.get(case.request_id, {}),
                    judging,
                    said,
                ),
            )
            for case in cases
        ]


def _batch(run: Run, *, after: int, until: datetime | None) -> list[Case]:
    judgements = Judgement.objects.select_related("constraint")
    if until:
        judgements = judgements.filter(created_at__lte=until)
    rows = run.cases.select_related("arm", "request__request_class", "contract")
    rows = rows.prefetch_related("stages", Prefetch("judgements", queryset=judgements))
    return list(rows.filter(pk__gt=after).order_by("pk")[:_BATCH])


def _texts(run: Run, cases: Iterable[Case]) -> dict[str, str]:
    """The texts in which support has to be looked for: where no judge wrote it down."""
    wanted = set()
    for case in cases:
        stages = {row.stage: row.content for row in case.stages.all()}
        if "support" not in stages.get("judge", {}):
            wanted |= {hit["id"] for hit in stages.get("retrieve", {}).get("hits", ())}
    if not wanted:
        return {}
    rows = run.conditions.corpus.documents.filter(key__in=wanted)
    return dict(rows.values_list("key", "text"))


def pair_results(inputs: RunInputs, scored: Scored) -> list[PairResult]:
    """Judge every twin pair under every arm."""
    return judge_pairs([twins_of(pair) for pair in inputs.pairs], scored.outcomes, scored.foreign)


@transaction.atomic
def _keep(
    run: Run,
    result: dict[str, Any],
    verdicts: list[ClassVerdict],
    sample: Collection[int],
    known: WordsKnown,
) -> None:
    sha256 = content_hash(unmeasured(result))
    # Two workers may see the last case closed: the second waits here, then finds the verdicts.
    if not _is_closed(run):
        return
    concluded = _concludable(run.pk).update(
        state=Run.State.FINISHED,
        error="",
        notice="",
        result=result,
        result_sha256=sha256,
        finished_at=results_are_of(run, known),
    )
    if not concluded:
        return
    keep_audit(run=run, sample=sample)
    changed = [_keep_verdict(run, verdict) for verdict in verdicts]
    if any(changed) or not verdicts:
        ledger.record(
            project=run.project,
            kind="run.concluded",
            subject=f"run {run.number}",
            content={
                "conditions": run.conditions.sha256,
                "arms": content_hash(run.arm_content),
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
