"""Equal calls of a run are made once: what the client asks of the book of calls, and when."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from evaluation.calls import current_book
from evaluation.generation.client import ChatClient
from evaluation.generation.errors import EndpointError
from evaluation.outbound import Outbound, OutboundError, Reply
from evaluation.rewriters import RewriteError, build_rewriter
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, fake_endpoint, says
from tests.evaluation.generation.fake_endpoint import Reply as Sent
from tests.evaluation.rewriters.asking import REQUEST

OK = Sent(body=b'{"ok": true}')
HELLO = [{"role": "user", "content": "Hello"}]


class Book:
    """A book in memory that writes down what is asked of it."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, Any]] = {}
        self.asked: list[tuple[str, str]] = []

    @property
    def acts(self) -> list[str]:
        return [act for act, _ in self.asked]

    @property
    def keys(self) -> list[str]:
        return [key for act, key in self.asked if act == "take"]

    def take(self, key: str) -> dict[str, Any] | None:
        self.asked.append(("take", key))
        return self.kept.get(key)

    def keep(self, key: str, reply: dict[str, Any]) -> None:
        self.asked.append(("keep", key))
        self.kept[key] = reply

    def drop(self, key: str) -> None:
        self.asked.append(("drop", key))
        self.kept.pop(key, None)


@pytest.fixture
def book() -> Iterator[Book]:
    opened = Book()
    token = current_book.set(opened)
    yield opened
    current_book.reset(token)


@contextmanager
def service(*script: Sent) -> Iterator[tuple[Outbound, FakeEndpoint]]:
    with fake_endpoint(*script) as endpoint:
        yield Outbound(hosts=frozenset({"127.0.0.1"})), endpoint


def post(outbound: Outbound, endpoint: FakeEndpoint, body: Any = None, **more: Any) -> Reply:
    return outbound.post_json(endpoint.origin, body or {"q": 1}, deadline_s=5, **more)


def test_without_a_book_every_call_is_made() -> None:
    with service(OK, OK) as (outbound, endpoint):
        replies = [post(outbound, endpoint), post(outbound, endpoint)]
    assert len(endpoint.requests) == 2 and not any(reply.shared for reply in replies)


def test_a_call_is_taken_first_and_its_reply_kept(book: Book) -> None:
    with service(OK) as (outbound, endpoint):
        reply = post(outbound, endpoint)
    assert book.acts == ["take", "keep"]
    [key] = book.keys
    assert len(key) == 64
    assert book.kept == {key: {"body": {"ok": True}, "latency_ms": reply.latency_ms}}


def test_an_equal_call_gets_the_kept_reply_and_its_latency(book: Book) -> None:
    with service(OK) as (outbound, endpoint):
        first = post(outbound, endpoint, {"a": 1, "b": 2})
        second = post(outbound, endpoint, {"b": 2, "a": 1})
    assert (second.body, second.latency_ms, second.shared) == (first.body, first.latency_ms, True)
    assert len(endpoint.requests) == 1


def test_another_body_address_or_repeat_is_another_call(book: Book) -> None:
    with service(OK, OK, OK, OK) as (outbound, endpoint):
        post(outbound, endpoint)
        post(outbound, endpoint, {"q": 2})
        post(outbound, endpoint, repeat=1)
        outbound.post_json(f"{endpoint.origin}/b", {"q": 1}, deadline_s=5)
    assert len(set(book.keys)) == 4


@pytest.mark.parametrize("sent", [Sent(400), Sent(503), Sent(body=b"<html>"), Sent(drop=True)])
def test_a_call_that_failed_is_dropped(book: Book, sent: Sent) -> None:
    with service(sent) as (outbound, endpoint), pytest.raises(OutboundError):
        post(outbound, endpoint)
    assert book.acts == ["take", "drop"]


def test_a_call_that_is_never_made_is_not_taken(book: Book) -> None:
    with pytest.raises(OutboundError):
        Outbound().post_json("http://127.0.0.1:9/", {}, deadline_s=5)
    assert book.acts == []


def test_a_refused_reply_is_dropped(book: Book) -> None:
    with service(OK) as (outbound, endpoint):
        post(outbound, endpoint).refuse()
    assert book.acts == ["take", "keep", "drop"]


@pytest.mark.parametrize("text", [b'{"a": "\\u0000"}', b'{"a": "\\uD800"}'])
def test_what_no_database_takes_is_not_kept(book: Book, text: bytes) -> None:
    with service(Sent(body=text)) as (outbound, endpoint):
        post(outbound, endpoint)
    assert book.acts == ["take", "drop"]


def test_a_completion_that_is_none_is_dropped(book: Book) -> None:
    with fake_endpoint(says("")) as endpoint, pytest.raises(EndpointError):
        ChatClient(endpoint.base_url, "", "m").complete(HELLO, max_tokens=8)
    assert book.acts == ["take", "keep", "drop"]


def test_a_shared_completion_says_so_and_keeps_its_latency(book: Book) -> None:
    with fake_endpoint(says("a")) as endpoint:
        client = ChatClient(endpoint.base_url, "", "m")
        one, two = (client.complete(HELLO, max_tokens=8) for _ in range(2))
    assert (one.shared, two.shared) == (False, True)
    assert two.latency_ms == one.latency_ms


def test_a_reply_that_had_to_be_repaired_is_dropped_and_its_repair_kept(book: Book) -> None:
    with fake_endpoint(says("no"), says('["a"]')) as endpoint:
        client = ChatClient(endpoint.base_url, "", "m")
        build_rewriter("decompose", {}, generator=client).rewrite(REQUEST)
    assert book.acts == ["take", "keep", "drop", "take", "keep"]


@pytest.mark.parametrize("name", ["prompt", "standalone", "decompose"])
def test_a_rewrite_that_was_cut_is_dropped(book: Book, name: str) -> None:
    with fake_endpoint(says("a", finish_reason="length")) as endpoint:
        client = ChatClient(endpoint.base_url, "", "m")
        with pytest.raises(RewriteError, match="was cut"):
            build_rewriter(name, {}, generator=client).rewrite(REQUEST)
    assert book.acts == ["take", "keep", "drop"]


def test_the_samples_of_one_request_are_different_calls(book: Book) -> None:
    with fake_endpoint(says("a"), says("b"), says("c")) as endpoint:
        client = ChatClient(endpoint.base_url, "", "m")
        hyde = build_rewriter("hyde", {"n": 3}, generator=client)
        first, second = hyde.rewrite(REQUEST), hyde.rewrite(REQUEST)
    assert first.queries == second.queries
    assert len(set(book.keys)) == len(endpoint.requests) == 3


def test_a_rewrite_from_kept_replies_keeps_the_latency_of_its_calls(book: Book) -> None:
    with fake_endpoint(says("net loss")) as endpoint:
        client = ChatClient(endpoint.base_url, "", "m")
        part = build_rewriter("standalone", {}, generator=client)
        one, two = part.rewrite(REQUEST), part.rewrite(REQUEST)
    assert two.latency_ms == one.latency_ms == sum(r["latency_ms"] for r in book.kept.values())
