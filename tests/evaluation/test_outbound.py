import gzip
import json
import re
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from evaluation import addresses
from evaluation.generation.errors import (
    EndpointAway,
    EndpointError,
    EndpointQuotaSpent,
    EndpointRateLimited,
    EndpointTimeout,
)
from evaluation.locations import locate
from evaluation.outbound import Outbound, OutboundError
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, Reply, fake_endpoint

LOOPBACK = frozenset({"127.0.0.1"})
OK = Reply(body=b'{"ok": true}')


def fault(url: str, outbound: Outbound | None = None, **limits: Any) -> OutboundError:
    with pytest.raises(OutboundError) as caught:
        (outbound or Outbound(hosts=LOOPBACK)).post_json(url, {}, **{"deadline_s": 5, **limits})
    return caught.value


def kind_of(reply: Reply, **limits: Any) -> str:
    with fake_endpoint(reply) as service:
        return fault(service.origin, **limits).kind


def test_json_goes_out_and_comes_back() -> None:
    with fake_endpoint(OK) as service:
        answer = Outbound(hosts=LOOPBACK).post_json(
            f"{service.origin}/find", {"q": "ü"}, deadline_s=5
        )
        [(path, headers, body)] = service.requests
    assert (answer.body, path, body) == ({"ok": True}, "/find", {"q": "ü"})
    assert headers["content-type"] == "application/json" and "authorization" not in headers


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://a.example/",
        "gopher://a.example:70/",
        "a.example/search",
        "http://",
        "http://user:pw@a.example/",
        "http://a.example/?key=1",
        "http://a.example/#x",
        "http://a.example:port/",
        "http://[::1",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://10.0.0.1/",
        "http://0/",
        "http://127.0.0.1./",
        "http://a.example\\@127.0.0.1/",
        "http://\uff11\uff12\uff17.0.0.1/",
        "http://[::ffff:7f00:1]/",
    ],
)
def test_an_address_that_is_no_services_is_refused_before_anything_is_sent(url: str) -> None:
    assert fault(url).kind == "address"


def test_loopback_is_refused_unless_the_administrator_lists_it() -> None:
    with fake_endpoint() as service:
        refused = fault(service.origin, Outbound(hosts=frozenset()))
        assert service.requests == []
    assert refused.kind == "address" and "INTACT_OUTBOUND_HOSTS" in str(refused)


def test_a_name_that_leads_to_loopback_is_refused_when_connecting() -> None:
    with fake_endpoint() as service:
        url = service.origin.replace("127.0.0.1", "localhost")
        refused = fault(url, Outbound(hosts=frozenset()))
        assert service.requests == []
    assert refused.kind == "address" and "localhost (" in str(refused)


def test_a_name_that_changes_after_the_check_gains_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [["93.184.216.34"], ["127.0.0.1"]]
    reached: list[str] = []

    def connect(address: tuple[str, int], *_args: Any, **_more: Any) -> socket.socket:
        reached.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(addresses, "_resolve", lambda host, port: answers.pop(0))
    monkeypatch.setattr(socket, "create_connection", connect)
    assert fault("http://changing.example/").kind == "unreachable"
    assert (reached, answers) == (["93.184.216.34"], [["127.0.0.1"]])


def test_the_second_address_of_a_name_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_endpoint(OK) as service:
        url = service.origin.replace("127.0.0.1", "two.example")
        monkeypatch.setattr(addresses, "_resolve", lambda host, port: ["127.0.0.2", "127.0.0.1"])
        assert Outbound(hosts=frozenset({"two.example"})).post_json(url, {}, deadline_s=5)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with fake_endpoint() as other:
        to_other = Reply(status=status, headers={"Location": other.origin})
        assert kind_of(to_other) == "redirect"
        assert other.requests == []


@pytest.mark.parametrize("reply", [Reply(hang=True), Reply(body=b"[1, 2, 3]", drip_s=0.05)])
def test_a_slow_service_fails_at_the_deadline(reply: Reply) -> None:
    with fake_endpoint(reply) as service:
        late = fault(service.origin, deadline_s=0.3)
    assert late.kind == "timeout" and isinstance(late, EndpointTimeout)


def test_a_slow_resolver_fails_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(addresses, "_resolve", lambda host, port: ended.wait(10))
    assert fault("http://slow.example/", deadline_s=0.2).kind == "timeout"
    ended.set()


def test_a_body_over_the_cap_is_refused() -> None:
    body = json.dumps(["x" * 100] * 100).encode()
    assert kind_of(Reply(body=body), max_bytes=5_000) == "too_large"
    with fake_endpoint(Reply(body=body)) as service:
        exact = Outbound(hosts=LOOPBACK)
        assert exact.post_json(service.origin, {}, deadline_s=5, max_bytes=len(body))


def test_a_compressed_answer_is_refused_unread() -> None:
    bomb = gzip.compress(b"0" * 1_000_000)
    assert kind_of(Reply(body=bomb, headers={"Content-Encoding": "gzip"})) == "invalid"


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"a": 1', b"[NaN]", b"[" * 100_000, b"\xff"])
def test_what_is_not_whole_json_is_invalid(body: bytes) -> None:
    assert kind_of(Reply(body=body)) == "invalid"


def test_status_429_counts_as_rate_limited() -> None:
    with fake_endpoint(Reply(status=429)) as service:
        limited = fault(service.origin)
    assert (limited.kind, limited.status) == ("status", 429)
    assert isinstance(limited, EndpointRateLimited)


def test_a_fault_repeats_neither_body_nor_key_nor_path() -> None:
    with fake_endpoint(Reply(status=500, body=b"canary")) as service:
        text = str(fault(f"{service.origin}/secret", Outbound(hosts=LOOPBACK, key="sk-1")))
        assert text == f"service {service.origin} answered with status 500: a fault of the service"


def test_the_key_goes_to_its_own_service_and_to_no_other() -> None:
    with fake_endpoint(OK, OK) as service, fake_endpoint() as other:
        outbound = Outbound(hosts=LOOPBACK, key="sk-1", key_for=service.origin)
        outbound.post_json(service.origin, {}, deadline_s=5)
        assert service.requests[0][1]["authorization"] == "Bearer sk-1"
        refused = fault(other.origin, outbound)
        assert refused.kind == "key" and "sk-1" not in str(refused)
        assert other.requests == []


def test_a_key_without_an_address_belongs_to_the_first_that_is_called() -> None:
    with fake_endpoint(OK) as service, fake_endpoint() as other:
        outbound = Outbound(hosts=LOOPBACK, key="sk-1")
        outbound.post_json(service.origin, {}, deadline_s=5)
        assert fault(other.origin, outbound).kind == "key"


def test_a_key_that_no_header_can_hold_is_refused() -> None:
    with pytest.raises(OutboundError, match="holds characters that no key has") as refused:
        Outbound(hosts=LOOPBACK, key="sk-1\r\nX: y")
    assert "sk-1" not in str(refused.value)


def _sent_key(service: FakeEndpoint, keys: str) -> str | None:
    environment = {"INTACT_OUTBOUND_HOSTS": "127.0.0.1", "INTACT_OUTBOUND_KEYS": keys}
    Outbound.from_environment(environment, service.origin).post_json(
        service.origin, {}, deadline_s=5
    )
    return service.requests[-1][1].get("authorization")


def test_the_environment_names_hosts_and_their_keys() -> None:
    with fake_endpoint(OK, OK, OK) as service:
        port = service.origin.rpartition(":")[2]
        assert _sent_key(service, f"a.example=sk-a, 127.0.0.1:{port}=sk=b") == "Bearer sk=b"
        assert _sent_key(service, "127.0.0.1=sk-c") == "Bearer sk-c"
        assert _sent_key(service, "127.0.0.1:1=sk-d,a.example=sk-a") is None


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_endpoint() as proxy, fake_endpoint(OK) as service:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.origin)
        Outbound(hosts=LOOPBACK).post_json(service.origin, {}, deadline_s=5)
        assert len(service.requests) == 1 and proxy.requests == []


def test_the_key_is_not_in_the_representation() -> None:
    assert "sk-1" not in repr(Outbound(hosts=LOOPBACK, key="sk-1"))


def test_nothing_else_in_the_product_opens_connections() -> None:
    # local.py asks the server that it started itself, on loopback.
    root = Path(__file__).parents[2]
    clients = re.compile(
        r"^\s*(?:import|from) (httpx2?|httpcore2?|openai|requests|aiohttp|urllib3|http\.client)\b",
        re.M,
    )
    opens = re.compile(r"\b(?:urlopen|create_connection|build_opener)\(")
    found = {
        path.relative_to(root).as_posix()
        for app in ("annotation", "contracts", "evaluation", "config")
        for path in (root / app).rglob("*.py")
        if clients.search(text := path.read_text(encoding="utf-8")) or opens.search(text)
    }
    assert found == {
        "evaluation/exchanges.py",
        "evaluation/transport.py",
        "evaluation/generation/local.py",
    }


def posted(url: str, **more: Any) -> Any:
    outbound = Outbound(hosts=LOOPBACK, pause=lambda seconds: None)
    return outbound.post_json(url, {}, **{"deadline_s": 5, **more}).body


@pytest.mark.parametrize("passing", [*map(Reply, (408, 429, 500, 502, 503, 504)), Reply(drop=True)])
def test_a_passing_fault_is_tried_again_when_asked(passing: Reply) -> None:
    with fake_endpoint(passing, OK) as service:
        assert posted(service.origin, retries=1) == {"ok": True}


@pytest.mark.parametrize(
    "lasting",
    [*map(Reply, (302, 400, 401, 402, 404, 409, 422)), Reply(body=b"<html>"), Reply(body=b"[1")],
)
def test_a_lasting_fault_is_not_tried_again(lasting: Reply) -> None:
    with fake_endpoint(lasting, OK) as service:
        with pytest.raises(EndpointError):
            posted(service.origin, retries=5)
        assert len(service.requests) == 1


def test_five_retries_are_the_most() -> None:
    with fake_endpoint(Reply(500)) as service:
        with pytest.raises(OutboundError, match="status 500"):
            posted(service.origin, retries=99)
        assert len(service.requests) == 6


def test_a_status_of_its_own_is_neither_tried_again_nor_a_sign_that_it_is_away() -> None:
    with fake_endpoint(Reply(500)) as service:
        for _ in range(9):
            with pytest.raises(OutboundError, match="status 500"):
                posted(service.origin, retries=3, its_own={500})
        assert len(service.requests) == 9


def test_a_service_that_keeps_failing_is_not_called_for_a_while() -> None:
    with fake_endpoint(Reply(500)) as service:
        for _ in range(8):
            with pytest.raises(OutboundError):
                posted(service.origin)
        with pytest.raises(EndpointAway) as caught:
            posted(service.origin)
        assert str(caught.value) == (
            f"service {service.origin} is away: the last 8 calls failed, the newest because it "
            "answered with status 500: a fault of the service. It is asked again in 1 s."
        )
        assert len(service.requests) == 8 and 0 < caught.value.again_in <= 1


def test_a_call_that_is_tried_again_ends_when_its_service_is_given_up() -> None:
    with fake_endpoint(Reply(500)) as service:
        with pytest.raises(OutboundError):
            posted(service.origin, retries=5)
        with pytest.raises(EndpointAway):
            posted(service.origin, retries=5)
        assert len(service.requests) == 8


def test_refusals_and_garbage_do_not_make_a_service_count_as_away() -> None:
    with fake_endpoint(*[Reply(400), Reply(body=b"<html>")] * 6, OK) as service:
        for _ in range(12):
            with pytest.raises(OutboundError):
                posted(service.origin)
        assert posted(service.origin) == {"ok": True}


@pytest.mark.parametrize(
    "spent",
    [
        Reply(402),
        Reply(429, b'{"error": {"code": "insufficient_quota"}}'),
        Reply(429, b'{"error": {"type": "insufficient_quota", "code": null}}'),
    ],
)
def test_a_spent_quota_is_known_and_final(spent: Reply) -> None:
    with fake_endpoint(spent) as service:
        with pytest.raises(EndpointQuotaSpent, match="its quota is used up"):
            posted(service.origin, retries=5)
        assert len(service.requests) == 1


def test_a_pause_that_one_call_was_asked_for_holds_the_others_too() -> None:
    wait = Reply(429, headers={"Retry-After": "60"})
    with fake_endpoint(wait, OK) as service:
        pauses: list[float] = []
        outbound = Outbound(hosts=LOOPBACK, pause=pauses.append)
        with pytest.raises(EndpointRateLimited):
            outbound.post_json(service.origin, {}, deadline_s=3)
        outbound.post_json(service.origin, {}, deadline_s=30)
    assert pauses == [pytest.approx(3, abs=0.2)]  # no longer than that call would have waited


def test_a_pause_beyond_the_deadline_of_another_call_fails_it_at_once() -> None:
    with fake_endpoint(Reply(503, headers={"Retry-After": "60"})) as service:
        with pytest.raises(OutboundError, match="asks to wait 60 s, more than the 30 s"):
            posted(service.origin, deadline_s=30, retries=3)
        with pytest.raises(EndpointRateLimited, match="asked for a pause that lasts another"):
            posted(service.origin, deadline_s=1)
        assert len(service.requests) == 1


def test_the_latency_is_that_of_the_whole_call() -> None:
    with fake_endpoint(Reply(503), OK) as service:
        outbound = Outbound(hosts=LOOPBACK, pause=lambda seconds: time.sleep(0.05))
        reply = outbound.post_json(service.origin, {}, deadline_s=5, retries=1)
    assert reply.latency_ms >= 50 and not reply.shared


def test_a_connection_is_kept_for_the_next_call() -> None:
    with fake_endpoint(OK, OK, OK) as service:
        outbound = Outbound(hosts=LOOPBACK)
        for _ in range(3):
            outbound.post_json(service.origin, {}, deadline_s=5)
        assert service.connections == 1


def test_a_service_with_an_ipv6_address_is_named_as_one() -> None:
    location = locate("HTTP://[::1]:80/a b".replace(" ", "%20"))
    assert (location.host, location.host_header) == ("::1", "[::1]")
    assert location.origin == "http://[::1]:80"


def test_a_host_in_other_letters_is_written_in_ascii() -> None:
    assert locate("https://m\u00fcnchen.example/").host == "xn--mnchen-3ya.example"
