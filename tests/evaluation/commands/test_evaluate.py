import io
import json
import socket
from contextlib import suppress

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Person, Project
from evaluation.generation.client import ChatClient, Completion
from evaluation.management.commands import evaluate
from evaluation.management.following import standing
from evaluation.models import Conditions, Run
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import REFERENCES, begin, register, take_in, upload
from tests.evaluation.services.test_extending import bring


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
    assert out.startswith("Run 1 is finished.\nMay cand ship? Yes in 2 of 2 classes (dated-fact,")
    assert " judgements by people; " in out.splitlines()[2]
    assert Run.objects.get().state == "finished"


def test_each_class_has_its_verdict_in_a_line(ready: Project) -> None:
    out, _error = told("--protocol", "gate", "--arms", "original,cand", "--k", "1")
    words = [line.split()[:2] for line in out.splitlines()[3:5]]
    assert words == [["dated-fact", "release"], ["follow-up", "release"]]


def test_pairs_near_misses_and_controls_are_told_after_the_verdicts(ready: Project) -> None:
    take_in(ready, "twins", CONTROLS)
    upload(ready, "swapped", SWAPPED)
    out, _error = told("--protocol", "gate", "--arms", "original,swapped", "--k", "1")
    lines = out.splitlines()[7:]  # after the verdicts and a line of scores for each arm
    assert lines[1].startswith("swapped: paired accuracy 0.0 % (0 of 1;")
    assert lines[2:4] == [
        "swapped: 2 of 3 required items are near misses (a twin's evidence came instead), "
        "0 are missing.",
        "False rejections of controls: 50.0 % (1 of 2).",
    ]
    assert lines[4].startswith("original: judged by the judge 5 of 5, people 0 of 5,")


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
    monkeypatch.setenv("INTACT_ENDPOINT_PATIENCE_S", "-1")  # nobody waits for it here
    arguments = ["study", "--protocol", "gate", "--arms", "original,cand", "--reader", "endpoint"]
    with pytest.raises(SystemExit) as ended:
        call_command("evaluate", *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    assert ended.value.code == 1
    failed = Run.objects.get()
    assert "resume it when the endpoint is back" in failed.error
    answered = Completion("EUR 10 million", "stop", 7, 3, 1.0, "fake-1")
    monkeypatch.setattr(ChatClient, "complete", lambda *_args, **_options: answered)
    out, _error = told(*arguments[1:], "--resume")
    assert out.startswith(f"Run {failed.number} is finished.")
    assert Run.objects.count() == 1


def test_an_arm_with_parameters_is_made_and_run(ready: Project) -> None:
    short = 'short=keywords:{"max_words": 8}'
    told("--protocol", "gate", "--arms", "original", "--arm", short, "--arm", "all=keywords")
    run = Run.objects.get()
    assert set(run.arm_content) == {"original", "short", "all"}
    assert [
        run.arm_content[name]["rewriter"]["parameters"]["max_words"] for name in ("short", "all")
    ] == [8, 32]


def test_an_arm_that_was_made_is_run_by_its_name(ready: Project) -> None:
    short = 'short=keywords:{"max_words": 8}'
    told("--protocol", "gate", "--arms", "original", "--arm", short)
    told("--protocol", "gate", "--arms", "original,short", "--k", "2")
    told("--protocol", "gate", "--arms", "original", "--arm", short, "--k", "3")
    assert {tuple(run.arm_content) for run in Run.objects.all()} == {("original", "short")}
    assert ready.ledger.filter(kind="arm.made").count() == 1


def test_a_name_with_other_parameters_is_a_sentence(ready: Project) -> None:
    told("--protocol", "gate", "--arms", "original", "--arm", 'short=keywords:{"max_words": 8}')
    other = ["--protocol", "gate", "--arm", 'short=keywords:{"max_words": 9}']
    with pytest.raises(CommandError, match="“short” is there already.*An arm never changes"):
        call_command("evaluate", "study", *other, stdout=io.StringIO(), stderr=io.StringIO())
    assert Run.objects.count() == 1


def test_parameters_of_the_parts_are_frozen(ready: Project) -> None:
    told(
        "--protocol", "gate", "--arms", "original", "--retriever-parameters", '{"k1": 0.9}',
        "--reader-parameters", '{"use_titles": false}', "--support-parameters", '{"share": 0.7}',
    )  # fmt: skip
    content = Conditions.objects.get().content
    assert content["retriever"]["parameters"]["k1"] == 0.9
    assert content["reader"]["parameters"]["use_titles"] is False
    assert content["support_share"] == 0.7


def test_a_constraint_judge_is_chosen_with_its_parameters(
    ready: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_LLM_BASE_URL", "http://127.0.0.1:1/v1")  # nothing is left unsure
    monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
    told(
        "--protocol", "gate", "--arms", "original", "--constraint-judge", "endpoint",
        "--constraint-judge-parameters", '{"max_tokens": 99}',
    )  # fmt: skip
    frozen = Conditions.objects.get().content["constraint_judge"]
    assert (frozen["name"], frozen["parameters"]["max_tokens"]) == ("endpoint", 99)


@pytest.mark.parametrize(("more", "fresh"), [([], False), (["--fresh"], True)])
def test_fresh_computes_everything_anew(ready: Project, more: list[str], fresh: bool) -> None:
    told("--protocol", "gate", "--arms", "original", *more)
    assert Run.objects.get().fresh is fresh


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
        (["--protocol", "none"], "study has no protocol “none”; it has gate."),
        (["--protocol", "gate", "--arms", "human"], "Every run needs the arm “original”"),
        (["--protocol", "gate", "--arms", "original,nobody"], "There is no arm “nobody”"),
        (["--protocol", "gate", "--retriever", "nothing"], "no retriever called"),
        (["--protocol", "gate", "--k", "0"], "k must be from 1 to 1000"),
        (["--protocol", "gate", "--as", "owner"], "“owner” is not an engineer of study"),
        (["--protocol", "gate", "--arm", "short"], "“short” names no arm: write --arm NAME="),
        (["--protocol", "gate", "--arm", "short=nothing"], "no rewriter called"),
        (
            ["--protocol", "gate", "--arm", 'short=keywords:{"max_words": }'],
            "The parameters of --arm short are no JSON: Expecting value at line 1, column 15",
        ),
        (["--protocol", "gate", "--arm", "short=keywords:[8]"], "must be a JSON object"),
        (
            ["--protocol", "gate", "--arm", 'short=keywords:{"max_words": 0}'],
            "max_words must be at least 1",
        ),
        (
            ["--protocol", "gate", "--retriever-parameters", '{"k1": NaN}'],
            "The --retriever-parameters cannot be read: NaN is no number in JSON",
        ),
        (
            ["--protocol", "gate", "--retriever-parameters", '{"k1": 1, "k1": 2}'],
            '"k1" is given twice',
        ),
        (["--protocol", "gate", "--reader-parameters", '{"k": 1}'], 'has no parameter "k"'),
        (["--protocol", "gate", "--support", "nothing"], "no support judge called"),
        (["--protocol", "gate", "--constraint-judge", "nothing"], "no constraint judge called"),
        (
            ["--protocol", "gate", "--constraint-judge-parameters", "[1]"],
            "The --constraint-judge-parameters must be a JSON object",
        ),
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


def test_every_arm_s_scores_are_told_with_what_they_are_over(ready: Project) -> None:
    out, _error = told("--protocol", "gate", "--arms", "original,cand", "--k", "1")
    line = next(line for line in out.splitlines() if line.startswith("cand: 3 of 3 cases scored;"))
    for part in ("evidence recall ", "critically complete ", "latency "):
        assert part in line
    assert "all evidence retrieved 100.0 % (3 of 3;" in line


def test_a_misspelt_protocol_is_told_the_registered_ones(ready: Project) -> None:
    with pytest.raises(CommandError, match="no protocol “gat”; it has gate. `python manage.py"):
        told("--protocol", "gat")


def test_a_failed_run_says_what_can_be_done(ready: Project, engineer: Person) -> None:
    run = begin(engineer, ready, ["original"])
    run.cases.filter(request__key="b").update(state="failed", status="timed_out", error="Late.")
    Run.objects.filter(pk=run.pk).update(state="failed", error="Late.")
    run.refresh_from_db()
    assert standing(run) == (
        "Late. Try the failed cases again with `python manage.py runs study 1 --retry`, or "
        "conclude without 1 of 3 cases: "
        "`python manage.py runs study 1 --without-failed --reason WHY`."
    )


def test_only_unseen_runs_the_new_requests_under_new_rules_and_resumes_that_run(
    ready: Project, engineer: Person
) -> None:
    wanted = ("--protocol", "gate", "--arms", "original,human", "--k", "1")
    told(*wanted)
    bring(ready)
    register(engineer, ready, audit_per_kind=0)
    with pytest.raises(CommandError, match="3 of the 4 requests of these Conditions had a result"):
        told(*wanted)
    told(*wanted, "--only-unseen")
    assert set(Run.objects.get(number=2).cases.values_list("request__key", flat=True)) == {"d"}
    told(*wanted, "--only-unseen", "--resume")
    assert Run.objects.count() == 2
