"""A finished run keeps what it has when its results cannot be computed again."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Case, Run, StageResult, Verdict
from evaluation.runs import tasks
from evaluation.runs.conclusion import conclude
from evaluation.runs.tasks import conclude_run
from tests.evaluation.runs.small_study import begin, finish

KEPT = ("state", "result", "result_sha256", "finished_at", "error")


def standing(run: Run) -> tuple[Any, ...]:
    run.refresh_from_db()
    return (
        *(getattr(run, name) for name in KEPT),
        list(Verdict.objects.filter(run=run).order_by("pk").values_list("version", "sha256")),
        list(Case.objects.filter(run=run).order_by("pk").values_list("outcome", flat=True)),
    )


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return finish(begin(engineer, study, ["original", "human", "keywords"]))


@pytest.fixture
def broken(run: Run) -> StageResult:
    """What the last case's judge wrote is lost: the cases before it can be scored."""
    last = StageResult.objects.filter(case__run=run, stage="judge").order_by("pk").last()
    assert last is not None
    StageResult.objects.filter(pk=last.pk).update(content={})
    # As an earlier version of the program scored it: what is computed now is another record.
    first = run.cases.order_by("pk").first()
    assert first is not None
    Case.objects.filter(pk=first.pk).update(outcome={**first.outcome, "evidence": None})
    return last


def test_a_computation_that_fails_leaves_result_verdicts_and_records(
    run: Run, broken: StageResult
) -> None:
    before = standing(run)
    conclude_run.run(run.pk)
    assert standing(run) == before and run.state == Run.State.FINISHED
    assert run.notice.startswith(
        "The results could not be computed again (KeyError); these are of "
        f"{run.finished_at:%Y-%m-%d %H:%M} UTC."
    )


def test_compute_ends_with_the_sentence(run: Run, broken: StageResult) -> None:
    with pytest.raises(CommandError, match=r"could not be computed again \(KeyError\)"):
        call_command("runs", "study", "1", "--compute", stdout=io.StringIO())


def test_the_gate_still_says_what_was_decided(run: Run, broken: StageResult) -> None:
    def code() -> object:
        with pytest.raises(SystemExit) as ended:
            call_command("gate", "study/1", stdout=io.StringIO())
        return ended.value.code

    before = code()
    conclude(run.pk)
    assert code() == before != 3


def test_the_page_says_so_until_it_can_be_computed(
    run: Run, broken: StageResult, engineer: Person, client: Any
) -> None:
    client.force_login(engineer)
    conclude(run.pk)
    page = reverse("run", args=["study", 1])
    assert "could not be computed again (KeyError)" in client.get(page).content.decode()
    StageResult.objects.filter(pk=broken.pk).update(content=broken.content)
    call_command("runs", "study", "1", "--compute", stdout=io.StringIO())
    assert "could not be computed again" not in client.get(page).content.decode()


def test_the_sweep_does_not_try_again_what_could_not_be_computed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks, "judged_since", lambda: [run])
    monkeypatch.setattr(tasks.conclude_run, "delay", sent.append)
    tasks.sweep_runs.run()
    run.notice = "The results could not be computed again."
    tasks.sweep_runs.run()
    assert sent == [run.pk]


def test_records_that_changed_are_written_once_all_is_computed(run: Run) -> None:
    first = run.cases.order_by("pk").first()
    assert first is not None
    Case.objects.filter(pk=first.pk).update(outcome=None)
    conclude(run.pk)
    assert Case.objects.get(pk=first.pk).outcome == first.outcome
