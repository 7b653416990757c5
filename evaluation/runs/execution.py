"""Running the cases of a run: claimed one by one, each stage kept as soon as it is done.

Any number of workers may call `work` on the same run; a row decides who has which case. Everything
slow
happens outside a transaction.
"""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from contracts.models import Constraint
from evaluation.generation.errors import (
    EndpointError,
    EndpointRateLimited,
    EndpointTimeout,
    InvalidCompletion,
    TruncatedCompletion,
)
from evaluation.generation.local import LocalServerError
from evaluation.models import Arm, Case, Judgement, Run, StageResult
from evaluation.readers.base import Reader
from evaluation.records import Document, Hit, Rewrite
from evaluation.retrieval import PartError, Retriever
from evaluation.rewriters import Rewriter, build_rewriter
from evaluation.runs import stages
from evaluation.runs.code import code_sha256
from evaluation.runs.conclusion import conclude
from evaluation.runs.inputs import RunInputs, read_inputs, request_text
from evaluation.runs.parts import (
    ConditionsChanged,
    check_unchanged,
    reader_for,
    retriever_for,
    rewriter_for,
)

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
Stage = StageResult.Stage

# What went wrong with an endpoint, as the status of a case; the first that fits.
_STATUSES: tuple[tuple[type[EndpointError], str], ...] = (
    (EndpointRateLimited, "rate_limited"),
    (EndpointTimeout, "timed_out"),
    (TruncatedCompletion, "truncated"),
    (InvalidCompletion, "provider_error"),
    (EndpointError, "provider_error"),
)


def work(
    run_id: int, *, worker: str, seconds: float, report: Callable[[], None] | None = None
) -> bool:
    """Work on the run's cases for at most about `seconds`; return True if cases are left.

    Doing nothing is right when the run is over: then another worker finished it.
    """
    run = Run.objects.select_related("project", "conditions__corpus", "protocol").get(pk=run_id)
    if run.is_over:
        log.info("run %s is over: nothing to do", run_id)
        return False
    Run.objects.filter(pk=run.pk, state=Run.State.QUEUED).update(state=Run.State.RUNNING)
    runner = Runner(run)
    if run.conditions.content["code"]["sha256"] != code_sha256():
        _fail(run, "The code of this worker is not the code of these Conditions: freeze new ones.")
        return False
    until = time.monotonic() + seconds
    try:
        while time.monotonic() < until:
            case = claim(run, worker)
            if case is None:
                break
            _run_claimed(runner, case, worker)
            if report:
                report()
    except (PartError, ConditionsChanged, LocalServerError) as fault:
        _fail(run, str(fault))
        return False
    if run.cases.open().exists():
        return True
    conclude(run.pk)
    return False


def claim(run: Run, worker: str) -> Case | None:
    """Take the first free case for this worker, or return None when none is free."""
    while True:
        now = timezone.now()
        free = run.cases.claimable(now).order_by("pk").first()
        if free is None:
            return None
        if free.attempts >= Case.MAX_ATTEMPTS:
            why = free.error or "its workers ended before it did."
            Case.objects.filter(pk=free.pk, attempts=free.attempts).update(
                state=Case.State.FAILED,
                status="not_run",
                error=f"given up after {free.attempts} attempts: {why}",
                leased_until=None,
            )
            continue
        taken = (
            Case.objects.filter(pk=free.pk, attempts=free.attempts)
            .claimable(now)
            .update(
                state=Case.State.RUNNING,
                attempts=F("attempts") + 1,
                lease_owner=worker,
                leased_until=now + LEASE,
            )
        )
        if taken:
            return (
                Case.objects.select_related("arm", "request", "contract")
                .prefetch_related("request__turns")
                .get(pk=free.pk)
            )


class Runner:
    """The parts of one run, built when first needed, and the way of one case through its stages."""

    def __init__(self, run: Run) -> None:
        self.run_row = run
        self.content: dict[str, Any] = run.conditions.content
        self._rewriters: dict[int, Rewriter] = {}

    @cached_property
    def inputs(self) -> RunInputs:
        return read_inputs(self.run_row)

    @cached_property
    def retriever(self) -> Retriever:
        frozen = self.content["retriever"]
        part = retriever_for(self.run_row.conditions.corpus, frozen["name"], frozen["parameters"])
        check_unchanged(part, frozen)
        return part

    @cached_property
    def reader(self) -> Reader:
        frozen = self.content["reader"]
        part = reader_for(frozen["name"], frozen["parameters"], only_described=False)
        check_unchanged(part, frozen)
        return part

    @cached_property
    def _original(self) -> Rewriter:
        """What the original arm sends, which retrievers that fuse search for as well."""
        name = "unchanged" if self.content["original"] == "last" else "joined"
        return build_rewriter(name, {}, generator=None)

    def run(self, case: Case, worker: str) -> None:
        """Do what the case still lacks; an endpoint's failure is kept on the case, never scored."""
        try:
            self._stages(case)
        except EndpointError as fault:
            status = next(name for kind, name in _STATUSES if isinstance(fault, kind))
            _finish(case, worker, state=Case.State.FAILED, status=status, error=str(fault))
            return
        except PartError:
            raise  # the run's parts cannot be built: no case can be run
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
            # One odd case must not stop the others; it is counted by its status, never scored.
            log.exception("case %s cannot be run", case.pk)
            error = f"this case could not be computed ({type(fault).__name__}): the log says more."
            _finish(case, worker, state=Case.State.FAILED, status="judge_error", error=error)
            return
        rows = {row.stage: row.content for row in case.stages.all()}
        missing = rows[Stage.REWRITE].get("missing")
        status = "not_run" if missing else rows[Stage.ANSWER]["status"]
        error = rows[Stage.REWRITE]["error"] if missing else ""
        _finish(case, worker, state=Case.State.DONE, status=status, error=error)

    def _stages(self, case: Case) -> None:
        done = {row.stage: row.content for row in case.stages.all()}
        given = stages.CaseInput(
            request=request_text(case.request, self.content),
            contract=case.contract.terms if case.contract else None,
            foreign=self.inputs.foreign.get(case.request_id, ()),
        )
        uploaded = self._uploaded_run(case)
        if Stage.REWRITE not in done:
            done[Stage.REWRITE] = _keep(case, Stage.REWRITE, self._rewrite(case, given, uploaded))
        rewrite = Rewrite.from_json(done[Stage.REWRITE])
        original = self._original.rewrite(given.request).queries[0]
        if Stage.RETRIEVE not in done:
            found = (
                {"hits": uploaded["hits"], "note": "uploaded"}
                if uploaded
                else stages.retrieve(
                    self.retriever, rewrite, k=self.content["k"], original=original
                )
            )
            done[Stage.RETRIEVE] = _keep(case, Stage.RETRIEVE, found)
        if Stage.ANSWER not in done:
            answered = self._answer(rewrite, done[Stage.RETRIEVE], uploaded, original)
            done[Stage.ANSWER] = _keep(case, Stage.ANSWER, answered)
        if Stage.JUDGE not in done:
            _keep_judgements(case, _judge(done[Stage.REWRITE], given, rewrite))

    def _rewrite(
        self, case: Case, given: stages.CaseInput, uploaded: dict[str, Any] | None
    ) -> dict[str, Any]:
        arm = case.arm
        if arm.source == Arm.Source.HUMAN:
            return _human(case)
        if arm.source == Arm.Source.UPLOADED:
            return _uploaded_rewrite(case, uploaded)
        return stages.rewrite_by(self._rewriter(arm), given)

    def _rewriter(self, arm: Arm) -> Rewriter:
        if arm.pk not in self._rewriters:
            if arm.source == Arm.Source.ORIGINAL:
                self._rewriters[arm.pk] = self._original
            else:
                part = rewriter_for(arm.rewriter, arm.parameters, only_described=False)
                check_unchanged(part, self.run_row.arm_content[arm.name]["rewriter"])
                self._rewriters[arm.pk] = part
        return self._rewriters[arm.pk]

    def _answer(
        self,
        rewrite: Rewrite,
        found: dict[str, Any],
        uploaded: dict[str, Any] | None,
        original: str,
    ) -> dict[str, Any]:
        if uploaded:
            status = "ok" if uploaded["answer"] is not None else "abstained"
            return {
                "answer": uploaded["answer"],
                "citations": uploaded["citations"],
                "latency_ms": uploaded["latency_ms"],
                "tokens": None,
                "status": status,
                "error": "",
            }
        hits = [Hit.from_json(hit) for hit in found["hits"]]
        return stages.answer(
            self.reader,
            rewrite,
            hits,
            self._documents([hit.id for hit in hits]),
            token_budget=self.content["token_budget"],
            original=original,
        )

    def _documents(self, keys: list[str]) -> dict[str, Document]:
        rows = self.run_row.conditions.corpus.documents.filter(key__in=keys)
        return {d.key: Document(d.key, d.title, d.text, d.metadata) for d in rows}

    def _uploaded_run(self, case: Case) -> dict[str, Any] | None:
        if case.arm.source != Arm.Source.UPLOADED:
            return None
        row = case.arm.uploaded_runs.filter(request=case.request).first()
        return row.content if row else None


def _run_claimed(runner: Runner, case: Case, worker: str) -> None:
    """Run the case; whatever stops it, also an interrupt, gives the case back at once."""
    try:
        runner.run(case, worker)
    except BaseException as fault:
        Case.objects.filter(pk=case.pk, state=Case.State.RUNNING, lease_owner=worker).update(
            state=Case.State.PENDING,
            error=f"{type(fault).__name__}: {fault}",
            lease_owner="",
            leased_until=None,
        )
        raise


def _human(case: Case) -> dict[str, Any]:
    reference = (
        case.request.human_rewrites.standing().filter(kind="standalone").order_by("pk").first()
    )
    if reference is None:
        return _missing("Nobody has written the standalone reference of this request.")
    if reference.clarification:
        return stages.rewrite_given(Rewrite("clarification", clarification=reference.text))
    return stages.rewrite_given(Rewrite("standalone", queries=(reference.text,)))


def _uploaded_rewrite(case: Case, uploaded: dict[str, Any] | None) -> dict[str, Any]:
    row = case.arm.uploaded_rewrites.filter(request=case.request).first()
    if row is not None:
        return stages.rewrite_given(Rewrite.from_json(row.content))
    if uploaded is not None:
        logged = Rewrite("error", clarification=uploaded.get("clarification"))
        return {
            **logged.to_json(),
            "error": "The logged run does not say what was searched.",
            "unlogged": True,
        }
    return _missing("The uploaded file has no rewrite for this request.")


def _missing(why: str) -> dict[str, Any]:
    """There is nothing to run: the case is counted as not run, never as a loss."""
    return {**Rewrite(kind="error").to_json(), "error": why, "missing": True}


def _judge(kept: dict[str, Any], given: stages.CaseInput, rewrite: Rewrite) -> dict[str, Any]:
    if kept.get("missing"):
        return stages.nothing_judged()
    return stages.leave_open(given) if kept.get("unlogged") else stages.judge(given, rewrite)


def _keep(case: Case, stage: str, content: dict[str, Any]) -> dict[str, Any]:
    """Append the stage's row; if another worker was first, what it kept holds."""
    try:
        with transaction.atomic():
            StageResult.objects.create(case=case, stage=stage, content=content)
    except IntegrityError:
        return dict(StageResult.objects.get(case=case, stage=stage).content)
    return content


@transaction.atomic
def _keep_judgements(case: Case, judged: dict[str, Any]) -> None:
    """Append the judge's row together with one judgement a constraint."""
    _row, created = StageResult.objects.get_or_create(
        case=case,
        stage=Stage.JUDGE,
        defaults={"content": {"added": judged["added"], "foreign": judged["foreign"]}},
    )
    if not created or case.contract_id is None:
        return
    constraints = {c.key: c for c in Constraint.objects.filter(contract_id=case.contract_id)}
    Judgement.objects.bulk_create(
        Judgement(
            case=case,
            constraint=constraints[row["constraint"]],
            judgement=row["judgement"],
            by=row["by"],
            quote=row["quote"],
            why=row["why"],
        )
        for row in judged["judgements"]
    )


def _finish(case: Case, worker: str, *, state: str, status: str, error: str) -> None:
    """Close the case if this worker still has it; a late worker changes nothing."""
    Case.objects.filter(pk=case.pk, state=Case.State.RUNNING, lease_owner=worker).update(
        state=state, status=status, error=error, leased_until=None
    )


def _fail(run: Run, reason: str) -> None:
    Run.objects.filter(pk=run.pk).exclude(state=Run.State.FINISHED).update(
        state=Run.State.FAILED, error=reason, finished_at=timezone.now()
    )
