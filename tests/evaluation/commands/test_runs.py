"""`runs` lists runs and controls them; whoever follows a run is told when nobody works on it."""

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Person, Project
from evaluation.management import following
from evaluation.management.commands import evaluate, runs
from evaluation.management.following import follow
from evaluation.models import Run
from evaluation.services.runs import cancel_run, pause_run
from tests.evaluation.runs.small_study import begin, finish, register


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody answers, without the two seconds of asking."""
    monkeypatch.setattr(runs, "worker_is_online", lambda: False)


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original", "human"])


def told(*arguments: str) -> str:
    out = io.StringIO()
    call_command("runs", "study", *arguments, stdout=out)
    return out.getvalue().strip()


def lose_one(run: Run) -> None:
    finish(run)
    run.cases.filter(arm__name="human", request__key="b").update(
        state="failed", status="timed_out", error="The endpoint timed out."
    )
    Run.objects.filter(pk=run.pk).update(state="failed", error="The endpoint timed out.")


def test_every_run_is_a_line_with_its_state_and_cases(run: Run, engineer: Person) -> None:
    cancel_run(actor=engineer, run=run)
    finish(begin(engineer, run.project, ["original"]))
    lines = told().splitlines()
    assert lines[0].startswith("2  finished  3 of 3 cases closed  original")
    assert lines[1].strip().startswith("1  cancelled 0 of 6 cases closed  original, human")


def test_a_project_without_runs_says_so(study: Project) -> None:
    assert told() == "study has no runs yet."


def test_one_run_is_told_by_arm_and_stage_with_what_it_lacks(run: Run) -> None:
    lose_one(run)
    assert told("1").splitlines() == [
        "Run 1 is failed: 6 of 6 cases closed.",
        "  original: rewrite 3, retrieval 3, answer 3, judgement 3, closed 3; of 3",
        "  human: rewrite 3, retrieval 3, answer 3, judgement 3, closed 3; of 3",
        "  1 of 6: The endpoint timed out.",
    ]


def test_a_run_is_paused_resumed_and_cancelled(run: Run) -> None:
    assert told("1", "--pause") == (
        "Run 1 is paused: 0 of 6 cases are closed. "
        "Go on with `python manage.py runs study 1 --resume`."
    )
    assert told("1", "--resume") == "Run 1 goes on: 0 of 6 cases are closed."
    assert told("1", "--cancel") == "Run 1 was cancelled: it has no verdict."


def test_failed_cases_are_retried(run: Run) -> None:
    lose_one(run)
    assert told("1", "--retry") == "Run 1 goes on: 5 of 6 cases are closed."


def test_a_failed_run_is_concluded_here_where_no_worker_answers(run: Run) -> None:
    lose_one(run)
    said = told("1", "--without-failed", "--reason", "One of six is little.")
    assert said == "Run 1 is concluded without 1 of 6 cases."
    run.refresh_from_db()
    assert run.state == "finished"


def test_a_finished_run_is_taken_over_by_a_new_one(run: Run) -> None:
    lose_one(run)
    told("1", "--without-failed", "--reason", "One of six is little.")
    assert told("1", "--retry") == (
        "Run 1 is sealed, so run 2 takes it over: 0 of 6 cases are closed."
    )


def test_who_resumes_without_a_worker_is_told_so(run: Run, engineer: Person) -> None:
    pause_run(actor=engineer, run=run)
    error = io.StringIO()
    call_command("runs", "study", "1", "--resume", stdout=io.StringIO(), stderr=error)
    assert error.getvalue().startswith("No worker answers, so nothing goes on")


def test_a_run_may_be_gone_on_with_in_this_process(run: Run, engineer: Person) -> None:
    pause_run(actor=engineer, run=run)
    assert told("1", "--resume", "--here").splitlines() == [
        "Run 1 goes on: 0 of 6 cases are closed.",
        "Run 1 is finished.",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--pause"], "Name the run by its number."),
        (["9"], "study has no run 9."),
        (["1", "--retry"], "No case of run 1 failed."),
        (["1", "--without-failed"], "Say why the run may be concluded"),
        (["1", "--pause", "--as", "owner"], "“owner” is not an engineer of study"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(arguments: list[str], sentence: str, run: Run) -> None:
    with pytest.raises(CommandError, match=sentence):
        told(*arguments)


def follow_quietly(run: Run) -> list[str]:
    said: list[str] = []
    follow(run, here=True, quiet=True, say=said.append)
    return said


def test_following_ends_when_somebody_pauses_the_run(
    run: Run, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def paused_meanwhile(*_args: object, **_options: object) -> bool:
        pause_run(actor=engineer, run=run)
        return False

    monkeypatch.setattr(following, "work", paused_meanwhile)
    assert follow_quietly(Run.objects.get(pk=run.pk))[0].startswith("Run 1 is paused: 0 of 6")


def test_evaluate_does_not_end_well_when_its_run_is_cancelled_meanwhile(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancelled_meanwhile(run_id: int, **_options: object) -> bool:
        cancel_run(actor=engineer, run=Run.objects.get(pk=run_id))
        return False

    register(engineer, study)
    monkeypatch.setattr(evaluate, "worker_is_online", lambda: False)
    monkeypatch.setattr(following, "work", cancelled_meanwhile)
    out, error = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("evaluate", "study", protocol="gate", stdout=out, stderr=error)
    assert ended.value.code
    assert out.getvalue().startswith("Run 1 is cancelled.")
    assert "Run 1 was cancelled: it has no verdict." in error.getvalue()


def test_following_a_cancelled_run_says_so(run: Run, engineer: Person) -> None:
    assert follow_quietly(cancel_run(actor=engineer, run=run)) == [
        "Run 1 was cancelled: it has no verdict."
    ]


def test_what_a_run_waits_for_is_said_once(
    run: Run, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = iter(range(3))

    def waiting(*_args: object, **_options: object) -> bool:
        Run.objects.filter(pk=run.pk).update(notice="The endpoint is away.")
        if next(rounds) == 2:
            cancel_run(actor=engineer, run=run)
        return True

    monkeypatch.setattr(following, "work", waiting)
    monkeypatch.setattr(following, "POLL_SECONDS", 0)
    assert follow_quietly(run)[:2] == [
        "The endpoint is away.", "Run 1 was cancelled: it has no verdict.",
    ]  # fmt: skip
