"""A worker between two batches: paused and cancelled runs, time slices, and who joins."""

import pytest

from annotation.models import Person, Project
from evaluation.models import Case, Run, StageResult
from evaluation.runs import execution, stages, tasks
from evaluation.runs.claiming import claim
from evaluation.runs.execution import work
from evaluation.runs.tasks import work_on_run
from tests.evaluation.runs.small_study import begin, finish


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original", "human"])


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """One case between two looks at the run."""
    monkeypatch.setattr(execution, "BATCH", 1)
    monkeypatch.setattr(execution, "_LOOK_AGAIN_S", 0.0)


@pytest.mark.parametrize("state", [Run.State.PAUSED, Run.State.CANCELLED])
def test_a_worker_stops_when_the_run_is_paused_or_cancelled_and_keeps_what_it_did(
    run: Run, state: str, small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = stages.judge

    def then_stopped(given, rewrite):
        Run.objects.filter(pk=run.pk).update(state=state)
        return judge(given, rewrite)

    monkeypatch.setattr(stages, "judge", then_stopped)
    assert work(run.pk, worker="w1", seconds=60.0) is False
    run.refresh_from_db()
    assert run.state == state
    assert list(run.cases.values_list("state", flat=True)).count("done") == 1
    assert set(run.cases.exclude(state="done").values_list("state", "beside_others")) == {
        ("pending", 0)
    }


def test_a_paused_run_is_not_worked_on_and_goes_on_after(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(state=Run.State.PAUSED)
    assert work(run.pk, worker="w1", seconds=60.0) is False
    assert not StageResult.objects.exists()
    Run.objects.filter(pk=run.pk).update(state=Run.State.QUEUED)
    assert finish(run).state == "finished"


def test_at_the_end_of_its_time_a_worker_gives_back_what_it_has_not_begun(run: Run) -> None:
    assert work(run.pk, worker="w1", seconds=0.0) is True
    assert set(run.cases.values_list("state", "beside_others")) == {("pending", 0)}


def test_a_closed_case_says_when_and_how_far_it_came(run: Run) -> None:
    finish(run)
    assert set(run.cases.values_list("stages_done", flat=True)) == {4}
    assert not run.cases.filter(closed_at=None).exists()


def test_a_worker_that_joins_calls_one_more_if_there_is_work_for_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple] = []
    monkeypatch.setattr(work_on_run, "delay", lambda *args: sent.append(args))
    monkeypatch.setattr(work_on_run, "apply_async", lambda *args, **_o: sent.append(args))
    monkeypatch.setattr(execution, "BATCH", 2)
    monkeypatch.setattr(tasks, "SECONDS_PER_TASK", 0.0)
    monkeypatch.setattr(tasks, "_worked_at", {})
    work_on_run(run.pk)
    assert sent == [(run.pk,), ([run.pk], {"continued": True})]


def test_a_slice_that_goes_on_calls_nobody_else(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple] = []
    monkeypatch.setattr(work_on_run, "delay", lambda *args: sent.append(args))
    monkeypatch.setattr(execution, "BATCH", 2)
    work_on_run(run.pk, continued=True)
    assert sent == [] and not run.cases.exclude(state=Case.State.DONE).exists()


def test_who_finds_all_cases_in_other_hands_builds_nothing_and_looks_again_later(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(run, "elsewhere", most=10)
    waits: list[float] = []
    monkeypatch.setattr(
        work_on_run, "apply_async", lambda *_args, countdown: waits.append(countdown)
    )
    monkeypatch.setattr(execution, "steps_of", lambda _run: pytest.fail("nothing is to be done"))
    work_on_run(run.pk, continued=True)
    assert waits == [tasks._LOOK_AGAIN_S]


def test_a_setting_that_is_no_number_ends_the_run_with_its_sentence(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_SEARCH_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
    monkeypatch.setenv("INTACT_CONNECTIONS", "many")
    run = finish(begin(engineer, study, ["original"], retriever="http"))
    assert run.state == "failed" and "INTACT_CONNECTIONS must be a whole number" in run.error


def test_a_run_concludes_without_its_lost_cases_only_when_told_to(run: Run) -> None:
    Case.objects.filter(pk=run.cases.first().pk).update(
        state=Case.State.FAILED, status="timed_out", error="It was too slow."
    )
    assert finish(run).state == "failed"
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING, without_failed=True)
    finished = finish(run)
    assert finished.state == "finished"
    (row,) = [
        row
        for row in finished.result["scorecard"]["arms"]
        if (row["arm"], row["scope"]) == ("original", "all")
    ]
    assert (row["statuses"]["timed_out"], sum(row["statuses"].values())) == (1, 3)
