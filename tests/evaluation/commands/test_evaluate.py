import io
import json
import socket
from contextlib import suppress

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Person, Project
from evaluation.generation.client import ChatClient, Completion
from evaluation.management.commands import evaluate
from evaluation.models import Conditions, Run
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import REFERENCES, begin, register, take_in, upload


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody answers, without the two seconds of asking; `tests/services` asks real workers."""
    monkeypatch.setattr(evaluate, "worker_is_online", lambda: False)


@pytest.fixture
def ready(study: Project, engineer: Person) -> Project:
    register(engineer, study)
    upload(study, "cand", REFERENCES)
    return study


def told(*arguments: str, **options: object) -> tuple[str, str]:
    """Run `evaluate study …`; return what it says on stdout and on stderr."""
    out, error = io.StringIO(), io.StringIO()
    with suppress(SystemExit):
        call_command("evaluate", "study", *arguments, stdout=out, stderr=error, **options)
    return out.getvalue(), error.getvalue()


def test_without_a_worker_the_run_is_done_here_and_that_is_said(ready: Project) -> None:
    out, error = told("--protocol", "gate", "--arms", "original,human,cand", "--k", "1")
    assert "No worker answers, so the cases are run in this process." in error
    assert out.startswith("Run 1 is finished.\nMay cand ship?\n")
    assert Run.objects.get().state == "finished"


def test_each_class_has_its_verdict_in_a_line(ready: Project) -> None:
    out, _error = told("--protocol", "gate", "--arms", "original,cand", "--k", "1")
    words = [line.split()[:2] for line in out.splitlines()[2:4]]
    assert words == [["dated-fact", "release"], ["follow-up", "release"]]


def test_pairs_near_misses_and_controls_are_told_after_the_verdicts(ready: Project) -> None:
    take_in(ready, "twins", CONTROLS)
    upload(ready, "swapped", SWAPPED)
    out, _error = told("--protocol", "gate", "--arms", "original,swapped", "--k", "1")
    lines = out.splitlines()[4:]
    assert lines[1].startswith("swapped: paired accuracy 0.0 % (0 of 1;")
    assert lines[2:] == [
        "swapped: 2 of 3 required items are near misses (a twin's evidence came instead), "
        "0 are missing.",
        "False rejections of controls: 50.0 % (1 of 2).",
    ]


def test_json_is_one_object_with_the_hashes(ready: Project) -> None:
    out, _error = told("--protocol", "gate", "--arms", "original,cand", "--json")
    told_of = json.loads(out)
    run = Run.objects.get()
    assert (told_of["run"], told_of["state"], told_of["error"]) == ("study/1", "finished", None)
    assert told_of["result_sha256"] == run.result_sha256
    assert told_of["conditions"] == Conditions.objects.get().sha256
    assert {v["arm"] for v in told_of["verdicts"]} == {"cand"}


def test_a_failed_run_ends_with_1_and_resume_completes_it(
    ready: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("INTACT_LLM_BASE_URL", f"http://127.0.0.1:{free.getsockname()[1]}/v1")
    monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
    arguments = ["study", "--protocol", "gate", "--arms", "original,cand", "--reader", "endpoint"]
    with pytest.raises(SystemExit) as ended:
        call_command("evaluate", *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    assert ended.value.code == 1
    failed = Run.objects.get()
    assert "refused the connection" in failed.error
    answered = Completion("EUR 10 million", "stop", 7, 3, 1.0, "fake-1")
    monkeypatch.setattr(ChatClient, "complete", lambda *_args, **_options: answered)
    out, _error = told(*arguments[1:], "--resume")
    assert out.startswith(f"Run {failed.number} is finished.")
    assert Run.objects.count() == 1


def test_resume_without_an_equal_run_starts_one(ready: Project) -> None:
    out, _error = told("--protocol", "gate", "--arms", "original", "--resume")
    assert out.startswith("Run 1 is finished.")


def test_resume_of_a_finished_run_computes_nothing(ready: Project) -> None:
    told("--protocol", "gate", "--arms", "original")
    kept = Run.objects.get().finished_at
    out, error = told("--protocol", "gate", "--arms", "original", "--resume")
    assert out.startswith("Run 1 is finished.")
    assert "No worker" not in error
    assert Run.objects.get().finished_at == kept


def test_resume_completes_what_an_earlier_process_left(ready: Project, engineer: Person) -> None:
    begin(engineer, ready, ["original"], k=5)
    told("--protocol", "gate", "--arms", "original", "--resume")
    assert Run.objects.get().state == "finished"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name a registered protocol with --protocol."),
        (["--protocol", "none"], "study has no protocol “none”: register one first."),
        (["--protocol", "gate", "--arms", "human"], "Every run needs the arm “original”"),
        (["--protocol", "gate", "--arms", "original,nobody"], "There is no arm “nobody”"),
        (["--protocol", "gate", "--retriever", "nothing"], "no retriever called"),
        (["--protocol", "gate", "--k", "0"], "k must be from 1 to 1000"),
        (["--protocol", "gate", "--as", "owner"], "“owner” is not an engineer of study"),
    ],
)
def test_what_cannot_be_run_is_a_sentence(
    ready: Project, arguments: list[str], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("evaluate", "study", *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    assert not Run.objects.exists()


def test_an_unknown_project_is_a_sentence(db: None) -> None:
    with pytest.raises(CommandError, match="There is no project “nothing”"):
        call_command("evaluate", "nothing")
