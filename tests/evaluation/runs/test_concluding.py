"""A run is concluded only if all its cases are closed still when its result is kept."""

import pytest

from annotation.models import Person, Project
from evaluation.models import Case, Run
from evaluation.runs import conclusion
from evaluation.runs.conclusion import conclude
from evaluation.runs.execution import work
from evaluation.services.runs import cancel_run, resume_run
from tests.evaluation.runs.small_study import begin, finish


@pytest.fixture
def closed(study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch) -> Run:
    """All its cases are closed, one of them failed, and nobody has concluded it."""
    run = begin(engineer, study, ["original"])
    with monkeypatch.context() as left:
        left.setattr("evaluation.runs.execution.conclude", lambda _run: None)
        work(run.pk, worker="w1", seconds=60.0)
    Case.objects.filter(pk=run.cases.first().pk).update(
        state=Case.State.FAILED, status="timed_out", error="It was too slow."
    )
    return run


def test_a_case_that_somebody_retries_meanwhile_keeps_the_run_open(
    closed: Run, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    Run.objects.filter(pk=closed.pk).update(without_failed=True)
    score_run = conclusion.score_run

    def meanwhile(run, inputs):
        scored = score_run(run, inputs)
        resume_run(actor=engineer, run=Run.objects.get(pk=run.pk))
        return scored

    monkeypatch.setattr(conclusion, "score_run", meanwhile)
    conclude(closed.pk)
    closed.refresh_from_db()
    assert (closed.is_worked_on, closed.result) == (True, None)
    monkeypatch.undo()
    assert finish(closed).state == "finished"


def test_a_run_that_somebody_resumes_meanwhile_does_not_fail(
    closed: Run, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail = conclusion._fail

    def meanwhile(run, reason):
        resume_run(actor=engineer, run=Run.objects.get(pk=run.pk))
        fail(run, reason)

    monkeypatch.setattr(conclusion, "_fail", meanwhile)
    conclude(closed.pk)
    monkeypatch.undo()
    assert finish(closed).state == "finished"


def test_a_run_that_somebody_cancels_meanwhile_stays_cancelled(
    closed: Run, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    Run.objects.filter(pk=closed.pk).update(without_failed=True)
    score_run = conclusion.score_run

    def meanwhile(run, inputs):
        cancel_run(actor=engineer, run=Run.objects.get(pk=run.pk))
        return score_run(run, inputs)

    monkeypatch.setattr(conclusion, "score_run", meanwhile)
    conclude(closed.pk)
    closed.refresh_from_db()
    assert (closed.state, closed.result, closed.verdicts.count()) == ("cancelled", None, 0)


def test_a_failed_run_waits_for_nothing_any_more(closed: Run) -> None:
    Run.objects.filter(pk=closed.pk).update(notice="endpoint x is away.")
    conclude(closed.pk)
    closed.refresh_from_db()
    assert (closed.state, closed.notice) == ("failed", "")
