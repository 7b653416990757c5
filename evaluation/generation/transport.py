"""An HTTP client that gives up at a point in time, however slowly bytes arrive.

A read timeout starts anew with every byte, so an endpoint that sends one byte a second never runs
into it. Here every single connect, read and write gets only what is left until the deadline.
"""

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
    """Return a client for one endpoint: no redirects, no environment's proxies on loopback."""
    return httpx2.Client(
        transport=_DeadlineTransport(proxy=_proxy(base_url)), follow_redirects=False
    )


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
    def __init__(self, proxy: str | None) -> None:
        super().__init__(proxy=proxy, trust_env=False)
        # httpx has no argument for the network backend. If a new version renames these two, this
        # fails at once, and the test of the slow endpoint covers what they are for.
        pool: Any = self._pool
        pool._network_backend = _DeadlineBackend(pool._network_backend)


class _DeadlineBackend(httpcore2.NetworkBackend):
    def __init__(self, inner: httpcore2.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        left = _remaining(timeout, httpcore2.ConnectTimeout)
        return _DeadlineStream(
            self._inner.connect_tcp(host, port, left, local_address, socket_options)
        )

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
