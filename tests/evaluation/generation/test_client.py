import math
import random
import ssl
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from evaluation import addresses, exchanges, gates, transport
from evaluation.generation.client import ChatClient, Completion
from evaluation.generation.endpoints import EndpointSettingsError, Prices
from evaluation.generation.errors import (
    EmptyCompletion,
    EndpointAway,
    EndpointError,
    EndpointRateLimited,
    EndpointStatus,
    EndpointTimeout,
    EndpointUnreachable,
    InvalidCompletion,
    TruncatedCompletion,
)
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, Reply, fake_endpoint, says

KEY = "sk-secret-key"
HELLO = [{"role": "user", "content": "Hello"}]


def now() -> datetime:
    return datetime.now(UTC)


def ask(base_url: str, **options: Any) -> Completion:
    return ChatClient(base_url, KEY, "fake", **options).complete(HELLO, max_tokens=8)


def fault(*script: Reply, **options: Any) -> tuple[EndpointError, FakeEndpoint]:
    with fake_endpoint(*script) as endpoint, pytest.raises(EndpointError) as caught:
        ask(endpoint.base_url, **options)
    return caught.value, endpoint


def test_a_completion_carries_text_tokens_and_model() -> None:
    with fake_endpoint(says("Good day")) as endpoint:
        got = ask(endpoint.base_url)
    assert (got.text, got.finish_reason, got.tokens, got.model) == (
        "Good day",
        "stop",
        {"in": 7, "out": 3},
        "fake-1",
    )
    assert got.latency_ms > 0


def test_the_request_asks_for_greedy_seeded_output_by_default() -> None:
    with fake_endpoint(says("x")) as endpoint:
        ask(endpoint.base_url)
    path, headers, body = endpoint.requests[0]
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "fake",
        "messages": HELLO,
        "max_tokens": 8,
        "temperature": 0.0,
        "seed": 0,
    }


def test_stop_words_are_sent_when_given() -> None:
    with fake_endpoint(says("x")) as endpoint:
        client = ChatClient(endpoint.base_url, KEY, "fake")
        client.complete(HELLO, max_tokens=8, stop=["\n"])
    assert endpoint.requests[0][2]["stop"] == ["\n"]


def test_no_key_sends_no_authorisation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-program")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-program")
    with fake_endpoint(says("x")) as endpoint:
        ChatClient(endpoint.base_url, "", "fake").complete(HELLO, max_tokens=8)
    assert not {"authorization", "openai-organization"} & set(endpoint.requests[0][1])


def test_a_refused_connection_names_the_endpoint() -> None:
    with pytest.raises(EndpointUnreachable) as caught:
        ask("http://127.0.0.1:9", max_retries=0)
    assert str(caught.value) == "endpoint http://127.0.0.1:9 refused the connection"


def test_a_dropped_connection_is_tried_again() -> None:
    error, endpoint = fault(*[Reply(drop=True)] * 3, max_retries=2, pause=lambda _: None)
    assert isinstance(error, EndpointUnreachable)
    assert str(error).endswith("closed the connection before it had answered")
    assert len(endpoint.requests) == 3


def test_429_with_retry_after_is_tried_again_after_what_it_says() -> None:
    pauses: list[float] = []
    wait = Reply(429, headers={"Retry-After": "7"})
    with fake_endpoint(wait, says("at last")) as endpoint:
        assert ask(endpoint.base_url, pause=pauses.append).text == "at last"
    assert pauses == [pytest.approx(7, abs=0.1)]


def test_retry_after_may_be_a_date() -> None:
    pauses: list[float] = []
    wait = Reply(429, headers={"Retry-After": format_datetime(now() + timedelta(seconds=9))})
    with fake_endpoint(wait, says("at last")) as endpoint:
        ask(endpoint.base_url, pause=pauses.append)
    assert 7 < pauses[0] <= 9


def test_a_retry_after_that_is_no_time_is_passed_over() -> None:
    pauses: list[float] = []
    wait = Reply(429, headers={"Retry-After": "soon"})
    with fake_endpoint(wait, says("at last")) as endpoint:
        ask(endpoint.base_url, pause=pauses.append)
    assert sum(pauses) <= 0.5


def test_500_is_tried_again_with_growing_jittered_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    drawn: list[tuple[float, float]] = []
    monkeypatch.setattr(exchanges, "_FIRST_PAUSE_S", 0.5)
    monkeypatch.setattr(random, "uniform", lambda low, high: drawn.append((low, high)) or high)
    with fake_endpoint(Reply(500), Reply(503), says("at last")) as endpoint:
        assert ask(endpoint.base_url, pause=pauses.append).text == "at last"
    assert drawn == [(0, 0.5), (0, 1.0)]
    assert pauses == [pytest.approx(0.5, abs=0.1), pytest.approx(1.0, abs=0.1)]


def test_retries_end_at_their_number() -> None:
    error, endpoint = fault(*[Reply(500)] * 3, max_retries=2, pause=lambda _: None)
    assert isinstance(error, EndpointStatus)
    assert error.status == 500
    assert len(endpoint.requests) == 3


def test_a_retry_after_beyond_the_deadline_fails_at_once() -> None:
    reply = Reply(429, headers={"Retry-After": "3600"})
    error, endpoint = fault(reply, deadline_s=5, pause=lambda _: pytest.fail("it paused"))
    assert isinstance(error, EndpointRateLimited)
    assert str(error).endswith(
        "it asks to wait 3600 s, more than the 5 s that are left for this call"
    )
    assert len(endpoint.requests) == 1


def test_a_used_up_quota_is_not_tried_again() -> None:
    body = b'{"error": {"code": "insufficient_quota", "message": "pay"}}'
    error, endpoint = fault(Reply(429, body))
    assert (
        str(error) == f"endpoint {endpoint.origin} answered with status 429: its quota is used up"
    )


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_other_4xx_are_not_tried_again(status: int) -> None:
    error, endpoint = fault(Reply(status))
    assert isinstance(error, EndpointStatus)
    assert error.status == status
    assert len(endpoint.requests) == 1


def test_a_status_error_repeats_neither_body_nor_key() -> None:
    page = f'{{"error": {{"message": "bad key {KEY} <script>"}}}}'.encode()
    error, _ = fault(Reply(401, page))
    assert KEY not in str(error)
    assert "script" not in str(error)


def test_a_redirect_is_not_followed() -> None:
    with fake_endpoint(says("elsewhere")) as other:
        error, _ = fault(Reply(302, headers={"Location": other.base_url}))
    assert "redirect, which is not followed" in str(error)
    assert other.requests == []


def test_a_hanging_endpoint_fails_at_the_deadline() -> None:
    error, _ = fault(Reply(hang=True), deadline_s=0.3)
    assert isinstance(error, EndpointTimeout)
    assert str(error).endswith("gave no whole answer after 0.3 s in all")


def test_a_silent_attempt_fails_at_its_timeout() -> None:
    error, _ = fault(Reply(hang=True), timeout_s=0.2, max_retries=0)
    assert str(error).endswith("gave no whole answer after 0.2 s without a word")


def test_an_endpoint_that_drips_bytes_fails_at_the_deadline() -> None:
    # Each byte comes well within the timeout; all of them together never would.
    error, _ = fault(Reply(body=b"{" * 400, drip_s=0.05), timeout_s=5, deadline_s=0.4)
    assert isinstance(error, EndpointTimeout)


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Welcome to nginx</body></html>",
        b'{"choices": [{"message": {"content": "cut',
        b"[]",
        b"null",
        b'{"choices": "none"}',
        b'{"choices": [null]}',
        b'{"error": "model is loading"}',
        b"[" * 100_000,
        b"\xff\xfe",
        b"",
    ],
)
def test_a_body_that_is_no_completion_is_invalid(body: bytes) -> None:
    error, _ = fault(Reply(body=body, headers={"Content-Type": "text/html"}))
    assert isinstance(error, InvalidCompletion)
    assert "nginx" not in str(error)


def test_a_huge_body_is_refused() -> None:
    error, _ = fault(Reply(body=b"x" * 5_000_000))
    assert str(error).endswith("sent more than 2000000 bytes for one completion")


def test_empty_choices_are_an_error() -> None:
    error, _ = fault(says("x", choices=[]))
    assert isinstance(error, EmptyCompletion)


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_a_completion_without_text_is_an_error(text: str | None) -> None:
    error, _ = fault(says(text))
    assert isinstance(error, EmptyCompletion)


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": math.nan}, {"prompt_tokens": True}])
def test_unusable_token_counts_are_unknown_not_zero(usage: Any) -> None:
    with fake_endpoint(says("x", usage=usage)) as endpoint:
        assert ask(endpoint.base_url).tokens is None


def test_a_cut_completion_says_so_and_is_not_whole() -> None:
    with fake_endpoint(says("half a", finish_reason="length")) as endpoint:
        got = ask(endpoint.base_url)
    assert got.truncated
    with pytest.raises(TruncatedCompletion, match="cut at its limit of 3 tokens"):
        got.whole()


def test_a_proxy_of_the_environment_is_ignored_on_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with fake_endpoint(says("direct")) as endpoint:
        assert ask(endpoint.base_url).text == "direct"


def test_a_proxy_of_the_environment_serves_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with fake_endpoint(says("through the proxy")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.origin)
        assert ask("http://models.example/v1").text == "through the proxy"


def test_an_endpoint_whose_name_leads_to_the_metadata_is_not_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "_resolve", lambda host, port: ["169.254.169.254"])
    with pytest.raises(EndpointUnreachable, match="is not called: models.example") as refused:
        ask("http://models.example/v1")
    assert "metadata" in str(refused.value)


def test_an_endpoint_that_was_set_may_be_on_a_private_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "_resolve", lambda host, port: ["127.0.0.1"])
    with fake_endpoint(says("inside")) as endpoint:
        address = endpoint.base_url.replace("127.0.0.1", "models.lan")
        assert ask(address).text == "inside"


def test_identity_names_endpoint_and_model_but_not_the_key() -> None:
    identity = ChatClient("http://127.0.0.1:9/v1", KEY, "m").identity()
    assert identity["endpoint"] == "http://127.0.0.1:9/v1"
    assert identity["model"] == "m"
    assert KEY not in repr(identity)


def test_a_key_that_no_header_can_hold_is_refused_without_repeating_it() -> None:
    with pytest.raises(EndpointSettingsError) as caught:
        ChatClient("http://127.0.0.1:9", "ключ\n", "m")
    assert "ключ" not in str(caught.value)


SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def refuses(word: str, status: int = 400) -> Reply:
    return Reply(status, f'{{"error": {{"message": "Unknown parameter: {word}"}}}}'.encode())


def test_a_schema_is_sent_as_strict_structured_output() -> None:
    with fake_endpoint(says("{}")) as endpoint:
        ChatClient(endpoint.base_url, KEY, "fake").complete(HELLO, max_tokens=8, schema=SCHEMA)
    assert endpoint.requests[0][2]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
    }


@pytest.mark.parametrize(
    "refusal", [refuses("response_format"), refuses("json_schema", 422), refuses("RESPONSE_FORMAT")]
)
def test_an_endpoint_without_schemas_is_asked_without_from_then_on(refusal: Reply) -> None:
    with fake_endpoint(refusal, says("{}"), says("{}")) as endpoint:
        client = ChatClient(endpoint.base_url, KEY, "fake")
        for _ in range(2):
            client.complete(HELLO, max_tokens=8, schema=SCHEMA)
    sent = ["response_format" in body for _, _, body in endpoint.requests]
    assert sent == [True, False, False]


def test_another_refusal_is_not_taken_for_one_of_schemas() -> None:
    with fake_endpoint(refuses("max_tokens")) as endpoint:
        client = ChatClient(endpoint.base_url, KEY, "fake")
        with pytest.raises(EndpointStatus, match="status 400"):
            client.complete(HELLO, max_tokens=8, schema=SCHEMA)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html>", InvalidCompletion),
        (b'{"choices": [{"message": {"content": "cut', InvalidCompletion),
        (b'{"choices": {}}', InvalidCompletion),
        (b'{"choices": [{}]}', InvalidCompletion),
        (b'{"choices": []}', EmptyCompletion),
        (b'{"choices": [NaN]}', InvalidCompletion),
        (b'{"choices": [{"message": {"content": NaN}}]}', EmptyCompletion),
        (b'{"choices": [{"message": {"content": "\\u0000"}}]}', InvalidCompletion),
        (b" " * 5_000_000, InvalidCompletion),
    ],
)
def test_garbage_is_named_by_its_kind_and_never_asked_for_again(
    body: bytes, kind: type[EndpointError]
) -> None:
    error, endpoint = fault(Reply(body=body), says("not this"))
    assert type(error) is kind
    assert len(endpoint.requests) == 1


def test_a_completion_has_its_cost_when_the_prices_are_known() -> None:
    with fake_endpoint(says("x"), says("x", usage=None), says("x")) as endpoint:
        priced = ChatClient(endpoint.base_url, KEY, "fake", prices=Prices(2.0, 10.0))
        assert priced.complete(HELLO, max_tokens=8).cost_usd == pytest.approx(44e-6)
        assert priced.complete(HELLO, max_tokens=8).cost_usd is None
        assert ask(endpoint.base_url).cost_usd is None


def test_an_endpoint_that_keeps_failing_is_said_to_be_away() -> None:
    with fake_endpoint(Reply(502)) as endpoint:
        client = ChatClient(endpoint.base_url, KEY, "fake", pause=lambda _: None)
        with pytest.raises(EndpointStatus, match="status 502"):
            client.complete(HELLO, max_tokens=8)
        with pytest.raises(EndpointAway, match=f"endpoint {endpoint.origin} is away"):
            client.complete(HELLO, max_tokens=8)


def test_a_model_of_our_own_is_asked_one_thing_at_a_time() -> None:
    with fake_endpoint(says("x"), says("x")) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake", model_identity={"gguf_sha256": "0"})
        client.complete(HELLO, max_tokens=8)
        client.complete(HELLO, max_tokens=8)
        assert gates.states()[endpoint.origin].limit == 1


def test_a_proxy_gets_the_name_and_password_of_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with fake_endpoint(says("x")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.origin.replace("//", "//u:p%40@"))
        ask("http://models.example/v1")
    # RFC 7617: base64 of "u:p@"
    assert proxy.requests[0][1]["proxy-authorization"] == "Basic dTpwQA=="
    assert proxy.requests[0][0] == "http://models.example/v1/chat/completions"


def test_certificates_are_checked() -> None:
    context = transport._certificates()
    assert context.verify_mode is ssl.CERT_REQUIRED and context.check_hostname


def test_a_server_that_speaks_no_tls_is_no_server_for_https() -> None:
    with fake_endpoint(says("x")) as endpoint:
        base_url = endpoint.base_url.replace("http:", "https:")
        with pytest.raises(EndpointUnreachable, match="no certificate that this machine trusts"):
            ask(base_url, max_retries=0)


def test_a_proxy_of_another_kind_is_refused_without_repeating_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("https_proxy", "socks5://u:secret@127.0.0.1:1080")
    with pytest.raises(EndpointSettingsError, match="must be an HTTP proxy") as caught:
        ChatClient("https://models.example/v1", KEY, "m")
    assert "secret" not in str(caught.value)


def test_https_goes_through_a_proxy_by_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with fake_endpoint() as proxy:  # knows POST alone, so CONNECT is answered with 501
        monkeypatch.setenv("https_proxy", proxy.origin)
        with pytest.raises(EndpointUnreachable, match="through the proxy of the environment"):
            ask("https://models.example/v1", max_retries=0)
