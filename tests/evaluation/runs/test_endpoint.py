"""A run whose rewriter asks a language model: what a failing endpoint does to it."""

import socket
from collections.abc import Callable

import pytest

from annotation.models import Person, Project
from evaluation import gates
from evaluation.generation.client import ChatClient
from evaluation.models import Run
from evaluation.runs import execution, generation
from evaluation.runs.execution import work
from evaluation.services.runs import resume_run
from tests.evaluation.generation import fake_endpoint as endpoint_module
from tests.evaluation.generation.fake_endpoint import fake_endpoint, says
from tests.evaluation.runs.small_study import REFERENCES, begin, case_of, finish, judged

ARMS = ("original", "prompt")


@pytest.fixture
def set_endpoint(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def set_to(base_url: str) -> None:
        monkeypatch.setenv("INTACT_LLM_BASE_URL", base_url)
        monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
        monkeypatch.setattr(execution, "lanes_wanted", lambda _run: 1)  # the script's order holds

    return set_to


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def serve_at(base_url: str, script: list, monkeypatch: pytest.MonkeyPatch):
    """Serve the script where the closed port was, so that the frozen address stays the same."""
    address = ("127.0.0.1", int(base_url.rsplit(":", 1)[1].split("/")[0]))
    serve = endpoint_module.ThreadingHTTPServer
    monkeypatch.setattr(
        endpoint_module, "ThreadingHTTPServer", lambda _any, handler: serve(address, handler)
    )
    return fake_endpoint(*script)


@pytest.fixture
def base_url(set_endpoint: Callable[[str], None]) -> str:
    address = f"http://127.0.0.1:{closed_port()}/v1"
    set_endpoint(address)
    return address


@pytest.fixture
def failed(study: Project, engineer: Person, base_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run whose endpoint is not there; nobody waits for it."""
    monkeypatch.setenv("INTACT_ENDPOINT_PATIENCE_S", "0")
    with monkeypatch.context() as hurried:
        hurried.setattr(
            generation,
            "generator",
            lambda: ChatClient(base_url, "", "fake-1", pause=lambda _seconds: None),
        )
        return finish(begin(engineer, study, ARMS))


def test_a_run_whose_endpoint_is_away_waits_and_then_says_so(failed: Run, base_url: str) -> None:
    assert (failed.state, failed.notice) == ("failed", "")
    assert failed.error == (
        f"endpoint {base_url.removesuffix('/v1')} is away: the last 9 calls failed, the newest "
        "because it refused the connection. The run waited and stopped: "
        "resume it when the endpoint is back."
    )


def test_what_the_endpoint_failed_is_told_apart_from_what_was_not_asked(failed: Run) -> None:
    states = failed.cases.filter(arm__name="prompt").order_by("pk")
    assert list(states.values_list("state", "status")) == [
        ("failed", "provider_error"), ("pending", ""), ("pending", ""),
    ]  # fmt: skip
    case = case_of(failed, "prompt", "a")
    assert "refused the connection" in case.error and not case.stages.exists()


def test_a_failed_run_has_no_result_and_no_verdict(failed: Run) -> None:
    assert (failed.result, failed.result_sha256, failed.verdicts.count()) == (None, "", 0)


def test_resuming_completes_the_run_and_computes_nothing_again(
    failed: Run, engineer: Person, base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list(failed.cases.filter(state="done").values_list("pk", flat=True))
    rows = failed.cases.filter(pk__in=done).values_list("stages__pk", "stages__created_at")
    kept = sorted(rows)
    script = [says(REFERENCES[key]) for key in ("a", "b", "c")]
    gates.forget()  # by now it may be asked again
    with serve_at(base_url, script, monkeypatch) as endpoint:
        run = finish(resume_run(actor=engineer, run=failed))
        assert len(endpoint.requests) == 3
    assert (run.state, run.error) == ("finished", "")
    assert judged(run, "prompt", "c") == {"c1": "stated"}
    assert done and sorted(rows.all()) == kept


def test_a_model_that_writes_no_query_loses_every_constraint_and_is_not_replaced_by_the_original(
    study: Project, engineer: Person, set_endpoint: Callable[[str], None]
) -> None:
    essay = "Here is one line.\nAnd here is another one."
    with fake_endpoint(says(essay), says(REFERENCES["b"]), says(REFERENCES["c"])) as endpoint:
        set_endpoint(endpoint.base_url)
        run = finish(begin(engineer, study, ARMS))
    rewrite = case_of(run, "prompt", "a").stages.get(stage="rewrite").content
    assert run.state == "finished"
    assert (rewrite["kind"], rewrite["queries"], rewrite["raw"]) == ("error", [], essay)
    assert rewrite["error"] == "the model wrote 2 lines where one query was asked for"
    assert judged(run, "prompt", "a") == {"c1": "dropped", "c2": "dropped"}
    outcome = case_of(run, "prompt", "a").outcome["outcome"]
    assert (outcome["evidence_hit"], outcome["ranked_ids"]) == (0, [])


def test_a_run_fails_when_its_model_is_no_longer_the_frozen_one(
    study: Project, engineer: Person, base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(engineer, study, ARMS)
    monkeypatch.setenv("INTACT_LLM_MODEL", "another-model")
    assert finish(run).error == (
        "The prompt of this run was frozen with another model than this machine has. "
        "Freeze new Conditions, or restore what was frozen."
    )


def test_a_run_that_could_not_begin_gives_its_case_back_and_resumes_at_once(
    study: Project, engineer: Person, base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(engineer, study, ARMS)
    with monkeypatch.context() as changed:
        changed.setenv("INTACT_LLM_MODEL", "another-model")
        assert finish(run).state == "failed"
    assert not run.cases.filter(state="running").exists()
    script = [says(REFERENCES[key]) for key in ("a", "b", "c")]
    with serve_at(base_url, script, monkeypatch):
        resumed = resume_run(actor=engineer, run=run)
        assert work(resumed.pk, worker="w2", seconds=60.0) is False
    resumed.refresh_from_db()
    assert resumed.state == "finished"


def test_resuming_a_finished_run_changes_nothing(study: Project, engineer: Person) -> None:
    run = finish(begin(engineer, study, ["original"]))
    assert resume_run(actor=engineer, run=run).state == "finished"
