"""From all rows of a suite run to its result."""

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from annotation.canonical import content_hash
from annotation.services import ledger
from evaluation.models import SuiteRun
from evaluation.robustness.variations import figures
from evaluation.runs.claiming import lease
from evaluation.suites.leases import hold
from evaluation.suites.reading import read_study


def conclude(run: SuiteRun, worker: str) -> bool:
    """Compute the figures and finish the run, if this worker still has it; whether it did.

    Equal rows give an equal result: who computed them, when and how fast is not in it.
    """
    result = _computed(run, worker)
    if result is None:
        return False
    sha256 = content_hash(result)
    with transaction.atomic():
        mine = SuiteRun.objects.filter(pk=run.pk, state=SuiteRun.State.RUNNING, worker=worker)
        done = mine.update(
            state=SuiteRun.State.FINISHED,
            result=result,
            result_sha256=sha256,
            notice="",
            error="",
            worker="",
            leased_until=None,
            finished_at=Now(),
        )
        if done:
            ledger.record(
                project=run.project,
                kind="suite.finished",
                subject=f"suite run {run.number}",
                content={"run": run.sha256, "result": sha256, **_counted(result)},
                actor=None,
            )
    return done == 1


def _computed(run: SuiteRun, worker: str) -> dict[str, Any] | None:
    """The figures, computed beside this thread, which holds the run meanwhile; None where it was
    cancelled, or another worker has it.
    """
    study = read_study(run)
    with ThreadPoolExecutor(1, thread_name_prefix="figures") as pool:
        future = pool.submit(figures, study)
        while not wait([future], timeout=lease().total_seconds() / 4).done:
            if not hold(run, worker):
                return None
    return future.result()


def _counted(result: dict[str, Any]) -> dict[str, int]:
    coverage = result["coverage"]
    return {"rows": coverage["rows"], "failed": coverage["failed"]}
