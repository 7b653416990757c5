"""Suite runs: started, cancelled, taken up again, shown. What they compute is in
`evaluation.suites`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Person, Project, Request
from annotation.permissions import may, require
from annotation.services import ledger
from annotation.services.exposure import expose, exposures
from annotation.services.projects import Refused, lock
from annotation.services.still_open import still_open_to
from evaluation.models import SuiteRow, SuiteRun, VariationItem, VariationSet
from evaluation.runs.code import code_sha256
from evaluation.services.showing import RESULTS, Withheld, close
from evaluation.suites.freezing import SUITE, freeze
from evaluation.suites.pipelines import Wanted
from evaluation.suites.reading import read_sets
from evaluation.suites.tasks import work_on_suite
from evaluation.suites.trials import trials_of

State = SuiteRun.State
USUAL_K = 3  # QE-RAG retrieves three passages


def start_suite(
    *,
    actor: Person,
    project: Project,
    sets: Sequence[VariationSet],
    pipelines: Sequence[Wanted],
    retriever: str = "bm25",
    retriever_parameters: Mapping[str, Any] | None = None,
    reader: str = "extractive",
    reader_parameters: Mapping[str, Any] | None = None,
    k: int = USUAL_K,
    four_conditions: bool = False,
) -> SuiteRun:
    """Freeze everything, write the run and send it to the workers. The standard pipeline is always
    part. The same run that is not over yet is returned instead of a second one.
    """
    require(actor, "run", project)
    ordered = sorted(dict.fromkeys(sets), key=lambda one: one.number)
    # Outside the transaction: an index may have to be built.
    corpus, content = freeze(
        project=project,
        sets=ordered,
        pipelines=pipelines,
        retriever=retriever,
        retriever_parameters=retriever_parameters or {},
        reader=reader,
        reader_parameters=reader_parameters or {},
        k=k,
        four_conditions=four_conditions,
    )
    sha256 = content_hash(content)
    varied, _texts = read_sets(ordered)
    labels = [one["label"] for one in content["pipelines"]]
    total = len(trials_of(varied, labels, four_conditions=four_conditions))
    with transaction.atomic():
        lock(project)
        same = project.suite_runs.filter(suite=SUITE, sha256=sha256, state__in=SuiteRun.WORKED_ON)
        if twin := same.first():
            return twin  # a double click, or somebody else a moment ago
        last = project.suite_runs.filter(suite=SUITE).order_by("-number").first()
        run = SuiteRun.objects.create(
            project=project,
            suite=SUITE,
            number=last.number + 1 if last else 1,
            corpus=corpus,
            content=content,
            sha256=sha256,
            total=total,
            started_by=actor,
        )
        told = {"sha256": sha256, "sets": [one["name"] for one in content["sets"]]}
        _record(actor, run, "suite.started", {**told, "pipelines": labels, "rows": total})
        _send(run)
    return run


@transaction.atomic
def cancel_suite(*, actor: Person, run: SuiteRun) -> SuiteRun:
    """End the run for good, without a result. Its rows are kept and can be exported."""
    require(actor, "run", run.project)
    lock(run.project)
    ended = {"notice": "", "worker": "", "leased_until": None, "finished_at": timezone.now()}
    if _move(run, (*SuiteRun.WORKED_ON, State.FAILED), State.CANCELLED, **ended):
        _record(actor, run, "suite.cancelled", {"rows": run.rows.count(), "of": run.total})
    elif run.state != State.CANCELLED:
        raise Refused(
            _("Suite run %(n)d is %(state)s: there is nothing to cancel.")
            % {"n": run.number, "state": run.get_state_display()}
        )
    return run


@transaction.atomic
def resume_suite(*, actor: Person, run: SuiteRun) -> SuiteRun:
    """Go on with a run that stopped, and try rows that failed again; what else is there stays.

    A finished run gets a new result then; the ledger has the hash of the earlier one.
    """
    require(actor, "run", run.project)
    if run.content["code"]["sha256"] != code_sha256():
        raise Refused(
            _("The program has changed since suite run %(n)d was frozen: start a new run.")
            % {"n": run.number}
        )
    lock(run.project)
    failed = run.rows.filter(content__status="failed")
    earlier = {"result": run.result_sha256} if run.result_sha256 else {}
    again = failed.count()
    if run.state == State.FINISHED and not again:
        raise Refused(_("No row of suite run %(n)d failed.") % {"n": run.number})
    anew = {"error": "", "notice": "", "finished_at": None, "result": None, "result_sha256": ""}
    if not _move(run, (State.FAILED, State.FINISHED), State.QUEUED, **anew):
        raise Refused(
            _("Suite run %(n)d is %(state)s: there is nothing to go on with.")
            % {"n": run.number, "state": run.get_state_display()}
        )
    SuiteRow.objects.filter(pk__in=list(failed.values_list("pk", flat=True))).delete()
    _record(actor, run, "suite.resumed", {"failed_rows": again, **earlier})
    _send(run)
    return run


def require_shown(*, actor: Person, run: SuiteRun) -> None:
    """Record that the actor is shown what pipelines made of the run's requests. Raises Withheld
    where they may still annotate one of them.
    """
    keys, subject = run.content["requests"], f"suite run {run.number}"
    if not may(actor, "annotate", run.project).allowed:
        expose(person=actor, project=run.project, subject=subject, what=RESULTS)
        return
    mine = still_open_to(person=actor, project=run.project)
    if n := sum(key in keys for key in mine.values_list("key", flat=True)):
        raise Withheld(n, len(keys))
    if not exposures(person=actor, project=run.project).filter(subject=subject).exists():
        show_and_give_up(actor=actor, run=run)


def show_and_give_up(*, actor: Person, run: SuiteRun) -> None:
    """Record that the actor is shown the results, which closes the run's requests to them: they
    annotate none of them any more, and take back nothing that they sealed.
    """
    numbers = [one["number"] for one in run.content["sets"]]
    items = VariationItem.objects.filter(set__project=run.project, set__number__in=numbers)
    requests = Request.objects.filter(pk__in=items.order_by().values("request"))
    subject = f"suite run {run.number}"
    close(actor=actor, project=run.project, subject=subject, requests=requests)


def progress_of(run: SuiteRun) -> dict[str, int]:
    """How many rows there are, how many of them failed, and how many there will be."""
    return {
        "done": run.rows.count(),
        "failed": run.rows.filter(content__status="failed").count(),
        "total": run.total,
    }


def _send(run: SuiteRun) -> None:
    work_on_suite.delay_on_commit(run.pk)


def _move(run: SuiteRun, states: Sequence[str], to: str, **more: Any) -> bool:
    """Compare-and-swap: whether it was this act that moved the run. It is read anew either way."""
    moved = SuiteRun.objects.filter(pk=run.pk, state__in=states).update(state=to, **more)
    run.refresh_from_db()
    return moved == 1


def _record(actor: Person, run: SuiteRun, kind: str, content: dict[str, Any]) -> None:
    ledger.record(
        project=run.project,
        kind=kind,
        subject=f"suite run {run.number}",
        content=content,
        actor=actor,
    )
