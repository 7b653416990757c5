"""Replies that can be read and not stored: the run goes on, they are not kept for equal calls."""

import pytest

from annotation.models import Person, Project
from evaluation.models import Call, Run
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint, says
from tests.evaluation.runs.small_study import begin, finish

BODY = says("EUR 10 million [1]").body


def odd(more: bytes) -> Reply:
    return Reply(body=BODY[:-1] + b', "more": ' + more + b"}")


def run_with(
    reply: Reply, study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> Run:
    with fake_endpoint(by=lambda _body: reply) as endpoint:
        monkeypatch.setenv("INTACT_LLM_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
        return finish(begin(engineer, study, ["original"], reader="endpoint"))


@pytest.mark.parametrize(
    "more",
    [
        b"1e999",
        b"-1e999",
        b'"\\u0000"',
        b'"\\ud800"',
        b'"\\uDC00\\ud800"',
        b"NaN",
        b"1" * 5000,
        b"[" * 200 + b"]" * 200,
    ],
)
def test_a_number_or_text_that_no_database_takes_stops_nobody(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch, more: bytes
) -> None:
    run = run_with(odd(more), study, engineer, monkeypatch)
    large = more.isdigit()  # not even read
    assert run.state == ("failed" if large else "finished"), run.error
    assert not run.cases.open().exists()


def test_half_a_surrogate_pair_in_bytes_is_no_text(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_with(odd(b'"\xed\xa0\x80"'), study, engineer, monkeypatch)
    assert run.state == "failed" and not Call.objects.exists()
    assert "not whole JSON" in run.error


def test_a_reply_with_a_picture_character_is_kept(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_with(odd(b'"\\ud83d\\ude00"'), study, engineer, monkeypatch)
    assert run.state == "finished" and Call.objects.exists()
