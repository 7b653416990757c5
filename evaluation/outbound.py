"""The one HTTP client of parts that call a team's own service: its search, its rewriter, its judge.

A part gets the address from a person's parameters, so the address is not trusted: http and https
only; the name is resolved once and only public addresses are connected to, unless the administrator
listed the host; no redirects, no proxies; a deadline over the whole call; a cap on the body.
"""

import json
import time
from collections.abc import Mapping
from typing import Any

import httpx2

from evaluation.addresses import AddressRefused, AddressRule
from evaluation.generation.errors import EndpointError, EndpointRateLimited, EndpointTimeout
from evaluation.generation.transport import (
    address_refused,
    deadline,
    open_checked_client,
    why_unreachable,
)

HOSTS = "INTACT_OUTBOUND_HOSTS"
KEYS = "INTACT_OUTBOUND_KEYS"
MAX_BODY_BYTES = 5_000_000


class OutboundError(EndpointError):
    """A service gave nothing usable. The text is a sentence without key, path or body.

    `kind` is one of "address", "key", "unreachable", "timeout", "redirect", "status", "too_large",
    "invalid"; `status` is the HTTP status of "redirect" and "status", else 0. A run counts it as it
    counts a language model's failures: by status, never as a loss.
    """

    def __init__(self, sentence: str, *, kind: str, status: int = 0) -> None:
        Exception.__init__(self, sentence)  # the kinds below have a second base
        self.kind = kind
        self.status = status


class OutboundTimeout(OutboundError, EndpointTimeout):
    """No whole answer within the deadline."""


class OutboundRateLimited(OutboundError, EndpointRateLimited):
    """Status 429."""

    def __init__(self, sentence: str) -> None:
        OutboundError.__init__(self, sentence, kind="status", status=429)


class Outbound:
    """Posts JSON to services. Safe to use from several threads.

    `hosts` are the hosts that the administrator listed, each a name or address, with `:port` or
    without. `key` is sent as a bearer token to one origin only: that of `key_for`, or without it
    the first one that is called; a call to another is refused.
    """

    def __init__(self, *, hosts: frozenset[str], key: str = "", key_for: str = "") -> None:
        if not (key.isascii() and (key.isprintable() or not key)):
            raise OutboundError(
                "The key of a service holds characters that no key has (a line break or a letter "
                "outside ASCII). Copy it again.",
                kind="key",
            )
        self._rule = AddressRule(hosts=hosts)
        self._key = key
        self._key_origin = origin(key_for) if key and key_for else ""
        self._client = open_checked_client(self._rule)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], url: str) -> "Outbound":
        """Return a client for `url` with what the administrator set for its host.

        INTACT_OUTBOUND_HOSTS lists hosts, INTACT_OUTBOUND_KEYS pairs `host=key` or `host:port=key`;
        both are separated by commas. Raises OutboundError when `url` can be no service's address.
        """
        parsed = check_url(url)
        keys = dict(entry.split("=", 1) for entry in _entries(environment, KEYS) if "=" in entry)
        keys = {host.strip().lower(): key.strip() for host, key in keys.items()}
        host = parsed.host.lower()
        key = keys.get(f"{host}:{_port(parsed)}") or keys.get(host, "")
        return cls(hosts=frozenset(_entries(environment, HOSTS)), key=key, key_for=url)

    def __repr__(self) -> str:
        return f"Outbound(hosts={sorted(self._rule.hosts)!r})"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def check(self, url: str) -> httpx2.URL:
        """Return the parsed address; raise OutboundError when it is refused as it is written.

        No name is resolved and nothing is sent.
        """
        parsed = check_url(url)
        try:
            self._rule.check_host(parsed.host, _port(parsed))
        except AddressRefused as refused:
            raise OutboundError(str(refused), kind="address") from refused
        return parsed

    def post_json(
        self, url: str, body: Any, *, deadline_s: float, max_bytes: int = MAX_BODY_BYTES
    ) -> Any:
        """Post `body` as JSON and return the JSON that came back with status 200 to 299.

        `deadline_s` bounds the call from the look-up of the name to the last byte. Raises
        OutboundError, whose text names the service by scheme, host and port.
        """
        parsed = self.check(url)
        headers = {"Content-Type": "application/json", **self._authorisation(url)}
        content = json.dumps(body, allow_nan=False).encode()
        until = time.monotonic() + deadline_s
        try:
            with (
                deadline(until),
                self._client.stream(
                    "POST", parsed, content=content, headers=headers, timeout=deadline_s
                ) as response,
            ):
                _check_response(response, url)
                text = _collect(response, url, max_bytes)
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise OutboundTimeout(
                f"service {origin(url)} gave no whole answer within {deadline_s:g} s",
                kind="timeout",
            ) from error
        except httpx2.RequestError as error:
            if refused := address_refused(error):
                raise OutboundError(str(refused), kind="address") from error
            raise OutboundError(
                f"service {origin(url)} {why_unreachable(error)}", kind="unreachable"
            ) from error
        return _parse(text, url)

    def _authorisation(self, url: str) -> dict[str, str]:
        if not self._key:
            return {}
        self._key_origin = self._key_origin or origin(url)
        if self._key_origin != origin(url):
            raise OutboundError(
                f"The key belongs to {self._key_origin} and is not sent to {origin(url)}.",
                kind="key",
            )
        return {"Authorization": f"Bearer {self._key}"}


def check_url(url: str) -> httpx2.URL:
    """Return the parsed address of a service; raise OutboundError unless it is plain http(s)."""
    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError, TypeError) as error:
        raise OutboundError(
            "The service's address cannot be read. Use the form https://host:port/path.",
            kind="address",
        ) from error
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise OutboundError(
            "The service's address must start with http:// or https:// and name a host.",
            kind="address",
        )
    if parsed.userinfo or parsed.query or parsed.fragment:
        raise OutboundError(
            "The service's address must not hold a user, a password, a query or a fragment. "
            f"The administrator puts keys into {KEYS}.",
            kind="address",
        )
    return parsed


def origin(url: str) -> str:
    """Return scheme, host and port of an address: how sentences name a service."""
    parsed = check_url(url)
    host = f"[{parsed.host}]" if ":" in parsed.host else parsed.host.lower()
    return f"{parsed.scheme}://{host}:{_port(parsed)}"


def _port(url: httpx2.URL) -> int:
    if url.port is not None:
        return url.port
    return 443 if url.scheme == "https" else 80


def _entries(environment: Mapping[str, str], name: str) -> list[str]:
    return [entry.strip() for entry in environment.get(name, "").split(",") if entry.strip()]


def _check_response(response: httpx2.Response, url: str) -> None:
    status = response.status_code
    where = f"service {origin(url)} answered with status {status}"
    if 300 <= status < 400:
        raise OutboundError(
            f"{where}: a redirect, which is not followed; set the final address instead",
            kind="redirect",
            status=status,
        )
    if status == 429:
        raise OutboundRateLimited(f"{where}: too many requests")
    if not 200 <= status < 300:
        why = {401: "the key was not accepted", 403: "the key was not accepted"}.get(status)
        why = why or ("a fault of the service" if status >= 500 else "the request was not accepted")
        raise OutboundError(f"{where}: {why}", kind="status", status=status)
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise OutboundError(
            f"service {origin(url)} sent a compressed answer, which was not asked for",
            kind="invalid",
        )


def _collect(response: httpx2.Response, url: str, max_bytes: int) -> bytes:
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > max_bytes:
            raise OutboundError(
                f"service {origin(url)} sent more than {max_bytes} bytes", kind="too_large"
            )
    return bytes(body)


def _parse(text: bytes, url: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise OutboundError(
            f"service {origin(url)} sent something that is not whole JSON", kind="invalid"
        ) from error


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")
