"""A team's own reader over HTTP: what is posted, what may come back, and whose fault is whose."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.calls import current_book
from evaluation.generation.errors import EndpointError, EndpointRateLimited, EndpointTimeout
from evaluation.readers import Reader, ReaderError, build_reader
from evaluation.readers import http as service_reader
from evaluation.records import Answer, Document, Hit
from evaluation.registry import PartError
from evaluation.runs import stages
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint

DOCUMENTS = [Document("d9", "Harbor {Rail}", "It rose\n4 %."), Document("d3", "Ferries", "Flat.")]
PASSAGES = [(Hit(d.id, i, 1.5), d) for i, d in enumerate(DOCUMENTS, start=1)]
ROW: dict[str, Any] = {"answer": "4 %", "citations": ["d9"]}


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
    monkeypatch.delenv(service_reader.URL, raising=False)
    # The pauses between the attempts of one call are the client's own and tested there.
    monkeypatch.setattr("evaluation.outbound.RETRIES", 0)


def built(url: str, **parameters: object) -> Reader:
    return build_reader("http", {"url": url, **parameters}, generator=None)


def posted(reply: Reply, **parameters: object) -> tuple[Answer, list[Any]]:
    with fake_endpoint(reply) as service:
        got = built(f"{service.origin}/read", **parameters).answer("How much?", PASSAGES)
        return got, [(path, body) for path, _, body in service.requests]


def answers(reply: Any) -> Reply:
    return Reply(body=json.dumps(reply).encode(), headers={"Content-Type": "application/json"})


def test_what_comes_back_is_the_answer_with_its_citations() -> None:
    row = {"answer": " 4 % ", "citations": ["d9", "d3", "d9"], "x": 1}
    got, _ = posted(answers({**row, "tokens": {"in": 7, "out": 3}, "cost_usd": 0.5}))
    assert (got.text, got.citations) == ("4 %", ("d9", "d3"))
    assert (got.tokens, got.cost_usd) == ({"in": 7, "out": 3}, 0.5)
    assert got.latency_ms is not None
    assert Answer.from_json(got.to_json()) == got


def test_all_that_is_posted_is_the_question_and_the_passages() -> None:
    _, calls = posted(answers(ROW))
    assert calls == [
        (
            "/read",
            {
                "question": "How much?",
                "passages": [
                    {
                        "id": "d9",
                        "title": "Harbor {Rail}",
                        "text": "It rose\n4 %.",
                        "rank": 1,
                        "score": 1.5,
                    },
                    {"id": "d3", "title": "Ferries", "text": "Flat.", "rank": 2, "score": 1.5},
                ],
            },
        )
    ]


def test_null_is_an_abstention_and_cites_nothing() -> None:
    got, _ = posted(answers({"answer": None, "citations": ["d9"]}))
    assert (got.text, got.citations) == (None, ())


def test_without_passages_the_service_decides() -> None:
    with fake_endpoint(answers({"answer": None})) as service:
        assert built(service.origin).answer("How much?", []).text is None
        assert service.requests[0][2]["passages"] == []


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ([ROW], "no JSON object"),
        ({"citations": []}, "has no answer; null says"),
        ({"answer": " "}, "no text with words; null says"),
        ({"answer": 4}, "no text with words; null says"),
        ({"answer": "\x00"}, "cannot be stored"),
        ({**ROW, "citations": "d9"}, "no list of ids"),
        ({**ROW, "citations": [9]}, "no list of ids"),
        ({**ROW, "citations": ["d9", "d7"]}, "not among its passages: “d7”$"),
        ({**ROW, "citations": list("abcd")}, "“a”, “b”, “c” and 1 more$"),
        ({**ROW, "tokens": {"in": -1}}, "count of tokens"),
        ({**ROW, "tokens": 3}, "tokens of the service's reply is no object"),
        ({**ROW, "cost_usd": "free"}, "cost_usd of the service's reply is no number"),
    ],
)
def test_a_reply_that_is_no_answer_is_the_readers_error_with_the_raw_text(
    reply: Any, why: str
) -> None:
    with pytest.raises(ReaderError, match=why) as caught:
        posted(answers(reply))
    assert caught.value.raw == json.dumps(reply)
    assert caught.value.latency_ms is not None


def test_such_an_error_is_stored_with_its_reason_and_is_no_abstention() -> None:
    row = {**ROW, "citations": ["d7"]}
    with fake_endpoint(answers(row)) as service:
        hits = [hit for hit, _ in PASSAGES]
        documents = {document.id: document for _, document in PASSAGES}
        kept = stages.answer(
            built(service.origin),
            stages.Rewrite("standalone", ("How much?",)),
            hits,
            documents,
            token_budget=100,
        )
    assert (kept["answer"], kept["citations"]) == (None, [])
    assert kept["status"] != "abstained" and "“d7”" in kept["error"]
    assert kept["latency_ms"] is not None


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_status_that_judges_the_question_is_the_readers_error(status: int) -> None:
    with pytest.raises(ReaderError, match=f"status {status}"):
        posted(Reply(status))


@pytest.mark.parametrize("status", [302, 401, 404, 429, 500, 503])
def test_a_service_that_did_not_answer_leaves_the_case_to_be_tried_again(status: int) -> None:
    with pytest.raises(EndpointError, match=f"status {status}") as caught:
        posted(Reply(status))
    assert isinstance(caught.value, EndpointRateLimited) == (status == 429)


def test_a_service_that_hangs_up_leaves_the_case_to_be_tried_again() -> None:
    with pytest.raises(EndpointError, match="closed the connection"):
        posted(Reply(drop=True))


def test_a_service_that_is_too_slow_leaves_the_case_to_be_tried_again() -> None:
    with pytest.raises(EndpointTimeout):
        posted(Reply(hang=True), deadline_s=0.2)


def test_something_that_is_no_json_is_the_readers_error() -> None:
    with pytest.raises(ReaderError, match="not whole JSON"):
        posted(Reply(body=b"<html>"))


class Book:
    """A book of calls that has nothing kept and notes what happens to a key."""

    def __init__(self) -> None:
        self.acts: list[str] = []

    def take(self, key: str) -> None:
        self.acts.append("take")

    def keep(self, key: str, reply: dict[str, Any]) -> None:
        self.acts.append("keep")

    def drop(self, key: str) -> None:
        self.acts.append("drop")


@pytest.mark.parametrize(
    ("reply", "acts"),
    [(ROW, ["take", "keep"]), ({**ROW, "citations": ["d7"]}, ["take", "keep", "drop"])],
)
def test_only_a_reply_that_could_be_read_stays_for_equal_calls(reply: Any, acts: list[str]) -> None:
    book = Book()
    token = current_book.set(book)
    try:
        posted(answers(reply))
    except ReaderError:
        pass
    finally:
        current_book.reset(token)
    assert book.acts == acts


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
ROWS = st.fixed_dictionaries(
    {"answer": st.text() | ANYTHING},
    optional={
        "citations": st.lists(st.sampled_from(["d9", "d3", "d7"])) | ANYTHING,
        "tokens": ANYTHING,
        "cost_usd": ANYTHING,
    },
)


@given(ROWS | ANYTHING)
def test_any_reply_is_an_answer_that_can_be_kept_or_a_value_error(reply: Any) -> None:
    try:
        answer = service_reader.read_reply(reply, PASSAGES)
    except ValueError:
        return
    json.dumps(answer.to_json(), ensure_ascii=False, allow_nan=False).encode()
    assert answer.text is None or answer.text.strip()
    assert set(answer.citations) <= {"d9", "d3"}


def test_the_address_can_come_from_the_environment_and_is_frozen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(service_reader.URL, "http://127.0.0.1:9/read")
    described = build_reader("http", {"revision": "7f3a"}, generator=None).describe()
    assert described["model"] == {"endpoint": "http://127.0.0.1:9/read", "revision": "7f3a"}


def test_without_an_address_it_says_what_to_set() -> None:
    with pytest.raises(PartError, match='The reader "http" .* set INTACT_READER_URL'):
        build_reader("http", {}, generator=None).describe()


@pytest.mark.parametrize("url", ["ftp://x.example/", "https://user:pw@x.example/", "x"])
def test_an_address_that_cannot_be_called_is_refused_when_it_is_frozen(url: str) -> None:
    with pytest.raises(PartError, match='The reader "http" cannot call its service'):
        built(url).describe()


def test_an_address_of_this_machine_is_called_only_if_it_is_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "")
    with pytest.raises(PartError, match="cannot call its service"):
        built("http://127.0.0.1:9/").answer("How much?", PASSAGES)


def test_it_is_remote() -> None:
    assert service_reader.HttpReader.remote
