"""What people decide about a run that has started."""

from collections.abc import Callable

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Case, Run
from evaluation.runs.tasks import conclude_run, work_on_run
from evaluation.services.runs import (
    cancel_run,
    conclude_without_failed,
    pause_run,
    resume_run,
    retry_failed,
)
from tests.evaluation.runs.small_study import begin, case_of, finish

State = Run.State


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original", "human"])


def lose(run: Run, *requests: str, arm: str = "original", state: str = "failed") -> None:
    """The cases of these requests ended without a result, as an endpoint that is away leaves it."""
    run.cases.filter(arm__name=arm, request__key__in=requests).update(
        state=state, status="timed_out", error="The endpoint timed out.", attempts=3
    )


def failed(run: Run) -> Run:
    """The run with everything done but request a, which failed under the original."""
    finish(run)
    lose(run, "a")
    run.cases.filter(arm__name="original", request__key="a").update(stages_done=1)
    case_of(run, "original", "a").stages.exclude(stage="rewrite").delete()
    case_of(run, "original", "a").judgements.all().delete()
    run.verdicts.all().delete()
    Run.objects.filter(pk=run.pk).update(state=State.FAILED, error="It timed out.", result=None)
    run.refresh_from_db()
    return run


def kinds(run: Run) -> list[str]:
    entries = run.project.ledger.filter(subject=f"run {run.number}").order_by("sequence")
    return [entry.kind for entry in entries]


@pytest.mark.parametrize("state", [State.QUEUED, State.RUNNING])
def test_a_run_that_is_worked_on_pauses(state: str, run: Run, engineer: Person) -> None:
    Run.objects.filter(pk=run.pk).update(state=state)
    assert pause_run(actor=engineer, run=run).state == "paused"
    assert kinds(run) == ["run.started", "run.paused"]


def test_pausing_twice_is_recorded_once(run: Run, engineer: Person) -> None:
    for _click in range(2):
        pause_run(actor=engineer, run=run)
    assert kinds(run).count("run.paused") == 1


def test_no_worker_takes_a_case_of_a_paused_run(run: Run, engineer: Person) -> None:
    pause_run(actor=engineer, run=run)
    assert finish(run).state == "paused"
    assert set(run.cases.values_list("state", flat=True)) == {"pending"}


def test_a_paused_run_goes_on_to_its_verdict(run: Run, engineer: Person) -> None:
    pause_run(actor=engineer, run=run)
    resume_run(actor=engineer, run=run)
    assert finish(run).state == "finished"
    assert kinds(run)[:3] == ["run.started", "run.paused", "run.resumed"]


def test_a_run_that_is_over_has_nothing_to_pause(run: Run, engineer: Person) -> None:
    finish(run)
    with pytest.raises(Refused, match="Run 1 is finished: there is nothing to pause."):
        pause_run(actor=engineer, run=run)


def test_who_paused_a_stale_page_s_run_is_told_what_it_is_now(run: Run, engineer: Person) -> None:
    stale = Run.objects.get(pk=run.pk)
    cancel_run(actor=engineer, run=run)
    with pytest.raises(Refused, match="Run 1 is cancelled"):
        pause_run(actor=engineer, run=stale)


@pytest.mark.parametrize("state", [State.QUEUED, State.RUNNING, State.PAUSED])
def test_cancelling_ends_a_run_for_good(state: str, run: Run, engineer: Person) -> None:
    Run.objects.filter(pk=run.pk).update(state=state, notice="The endpoint is away.")
    cancelled = cancel_run(actor=engineer, run=run)
    assert (cancelled.state, cancelled.notice) == ("cancelled", "")
    assert cancelled.finished_at is not None
    with pytest.raises(Refused, match="was cancelled, which is final"):
        resume_run(actor=engineer, run=run)


def test_a_cancelled_run_keeps_what_it_computed_and_has_no_verdict(
    run: Run, engineer: Person
) -> None:
    kept = run.cases.order_by("pk").first()
    assert kept is not None
    kept.stages.create(stage="rewrite", content={"queries": ["x"]})
    cancel_run(actor=engineer, run=run)
    conclude_run(run.pk)
    assert finish(run).state == "cancelled"
    assert (kept.stages.count(), run.verdicts.count()) == (1, 0)


@pytest.mark.parametrize("state", ["failed", "dead"])
def test_resuming_a_failed_run_gives_lost_cases_all_their_attempts_again(
    state: str, run: Run, engineer: Person
) -> None:
    failed(run)
    lose(run, "a", state=state)
    Run.objects.filter(pk=run.pk).update(notice="Away.", without_failed=True)
    resumed = resume_run(actor=engineer, run=run)
    case = case_of(run, "original", "a")
    assert (case.state, case.attempts, case.status, case.error) == ("pending", 0, "", "")
    assert (resumed.state, resumed.error, resumed.notice) == ("queued", "", "")
    assert not resumed.without_failed and resumed.finished_at is None
    assert run.project.ledger.get(kind="run.resumed").content == {"cases": 1}


def test_resuming_keeps_what_is_done(run: Run, engineer: Person) -> None:
    failed(run)
    resume_run(actor=engineer, run=run)
    assert run.cases.filter(state=Case.State.DONE).count() == 5
    assert case_of(run, "original", "a").stages.count() == 1


def test_the_failed_cases_of_a_run_at_work_are_retried_while_it_goes_on(
    run: Run, engineer: Person
) -> None:
    lose(run, "a")
    Run.objects.filter(pk=run.pk).update(state=State.RUNNING)
    assert retry_failed(actor=engineer, run=run).state == "running"
    assert not run.cases.lost().exists()


def test_retrying_is_refused_where_nothing_failed(run: Run, engineer: Person) -> None:
    with pytest.raises(Refused, match="No case of run 1 failed."):
        retry_failed(actor=engineer, run=run)


def test_a_failed_run_is_concluded_without_its_failed_cases(run: Run, owner: Person) -> None:
    failed(run)
    conclude_without_failed(actor=owner, run=run, reason="  One of six is little.  ")
    conclude_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.without_failed, run.error) == ("finished", True, "")
    assert run.project.ledger.get(kind="run.failed_left_out").content == {
        "reason": "One of six is little.", "cases": 1, "of": 6, "by_arm": {"original": 1},
    }  # fmt: skip


@pytest.mark.parametrize("reason", ["", "  ", "x" * 1001])
def test_concluding_without_the_failed_wants_a_reason(
    reason: str, run: Run, engineer: Person
) -> None:
    failed(run)
    with pytest.raises(Refused):
        conclude_without_failed(actor=engineer, run=run, reason=reason)
    run.refresh_from_db()
    assert (run.state, run.without_failed) == ("failed", False)


def test_a_run_with_waiting_cases_is_not_concluded_without_them(run: Run, engineer: Person) -> None:
    failed(run)
    run.cases.filter(request__key="b").update(state=Case.State.PENDING)
    with pytest.raises(Refused, match="2 cases still wait: resume the run first."):
        conclude_without_failed(actor=engineer, run=run, reason="They are few.")


def test_only_a_failed_run_is_concluded_without_cases(run: Run, engineer: Person) -> None:
    with pytest.raises(Refused, match="only a failed run can be"):
        conclude_without_failed(actor=engineer, run=run, reason="They are few.")


def test_a_finished_run_is_sealed_so_a_new_one_retries_what_it_lacks(
    run: Run, engineer: Person
) -> None:
    failed(run)
    conclude_without_failed(actor=engineer, run=run, reason="They are few.")
    conclude_run(run.pk)
    run.refresh_from_db()
    again = retry_failed(actor=engineer, run=run)
    assert again.number == 2 and retry_failed(actor=engineer, run=run) == again
    assert finish(again).state == "finished"
    taken = again.cases.filter(stages__taken_from=run).distinct().count()
    assert (taken, again.cases.count()) == (6, 6)
    assert kinds(again) == ["run.started", "run.retried", "run.concluded"]


def test_the_workers_are_told_of_a_resumed_run(
    run: Run,
    engineer: Person,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable,
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(work_on_run, "delay", sent.append)
    pause_run(actor=engineer, run=run)
    with django_capture_on_commit_callbacks(execute=True):
        resume_run(actor=engineer, run=run)
    assert set(sent) == {run.pk}
