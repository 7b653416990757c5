"""An HTTP client that gives up at a point in time and connects only where it may.

A read timeout starts anew with every byte, so an endpoint that sends one byte a second never runs
into it. Here every single connect, read and write gets only what is left until the deadline. A host
is resolved here, once, and the connection goes to an address that the rule allows.
"""

import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from evaluation.addresses import AddressRefused, AddressRule
from evaluation.generation.endpoints import is_loopback

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def deadline(at: float) -> Iterator[None]:
    """Bound all traffic in this block (and thread) by `at`, a time of `time.monotonic()`."""
    token = _deadline.set(at)
    try:
        yield
    finally:
        _deadline.reset(token)


def open_client(base_url: str) -> httpx2.Client:
    """Return a client for the administrator's endpoint: no redirects, no proxies on loopback.

    The administrator set its host, so that may be private; where its name leads is still checked.
    Behind a proxy of the environment it is the proxy that resolves and connects.
    """
    proxy = _proxy(base_url)
    rule = None if proxy else AddressRule(chosen=urlsplit(base_url).hostname or "")
    return httpx2.Client(transport=_DeadlineTransport(rule, proxy), follow_redirects=False)


def open_checked_client(rule: AddressRule) -> httpx2.Client:
    """Return a client that connects where `rule` allows: no redirects, no proxies, no cookies kept
    and nothing compressed asked for.
    """
    return httpx2.Client(
        transport=_DeadlineTransport(rule, None),
        follow_redirects=False,
        trust_env=False,
        headers={"Accept": "application/json", "Accept-Encoding": "identity"},
    )


def why_unreachable(error: BaseException) -> str:
    """Return the rest of a sentence that begins with who could not be reached."""
    causes = _causes(error)
    if refused := address_refused(error):
        return f"is not called: {refused}"
    if any(isinstance(c, ConnectionRefusedError) for c in causes):
        return "refused the connection"
    if any(isinstance(c, socket.gaierror) for c in causes):
        return "cannot be found: its host name is not known"
    if any(isinstance(c, ssl.SSLError) for c in causes):
        return "has no certificate that this machine trusts"
    if any(isinstance(c, httpx2.ConnectError) for c in causes):
        return "cannot be reached"
    return "closed the connection before it had answered"


def address_refused(error: BaseException) -> AddressRefused | None:
    """Return the refusal that a failed connection comes from, if it was one."""
    return next((c for c in _causes(error) if isinstance(c, AddressRefused)), None)


def _causes(error: BaseException) -> list[BaseException]:
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return causes


def _proxy(base_url: str) -> str | None:
    """Return the environment's proxy for an address; loopback never has one."""
    parts = urlsplit(base_url)
    if is_loopback(base_url) or proxy_bypass(parts.netloc):
        return None
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")


def _remaining(timeout: float | None, expired: type[Exception]) -> float | None:
    at = _deadline.get()
    if at is None:
        return timeout
    left = at - time.monotonic()
    if left <= 0:
        raise expired("the deadline has passed")
    return left if timeout is None else min(timeout, left)


class _DeadlineTransport(httpx2.HTTPTransport):
    def __init__(self, rule: AddressRule | None, proxy: str | None) -> None:
        super().__init__(proxy=proxy, trust_env=False)
        # httpx has no argument for the network backend. If a new version renames these two, this
        # fails at once, and the test of the slow endpoint covers what they are for.
        pool: Any = self._pool
        pool._network_backend = _DeadlineBackend(pool._network_backend, rule)


class _DeadlineBackend(httpcore2.NetworkBackend):
    def __init__(self, inner: httpcore2.NetworkBackend, rule: AddressRule | None) -> None:
        self._inner = inner
        self._rule = rule

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        failure: Exception | None = None
        for address in self._addresses(host, port, timeout):
            left = _remaining(timeout, httpcore2.ConnectTimeout)
            try:
                stream = self._inner.connect_tcp(address, port, left, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error  # a host with two addresses may answer on the other
                continue
            return _DeadlineStream(stream)
        raise failure or httpcore2.ConnectError(f"{host} has no address")

    def _addresses(self, host: str, port: int, timeout: float | None) -> list[str]:
        if self._rule is None:
            return [host]
        left = _remaining(timeout, httpcore2.ConnectTimeout)
        try:
            return self._rule.addresses(host, port, timeout=left)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except (AddressRefused, OSError) as error:
            raise httpcore2.ConnectError(str(error)) from error

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class _DeadlineStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _remaining(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _remaining(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        left = _remaining(timeout, httpcore2.ConnectTimeout)
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
