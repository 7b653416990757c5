"""Connections that give up at a point in time and lead only where they may.

A read timeout starts anew with every byte, so an endpoint that sends one byte a second never runs
into it. Here every single connect, read and write gets only what is left until the deadline. A host
is resolved here, once, and the connection goes to an address that the rule allows.
"""

import socket
import ssl
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2

from evaluation.addresses import AddressRefused, AddressRule
from evaluation.generation.endpoints import EndpointSettingsError, is_loopback

IDLE_S = 30.0

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def deadline(at: float) -> Iterator[None]:
    """Bound all traffic in this block (and thread) by `at`, a time of `time.monotonic()`."""
    token = _deadline.set(at)
    try:
        yield
    finally:
        _deadline.reset(token)


class Connections:
    """Connections to where `rule` allows, for any number of threads; `secure` readies them for TLS.

    Behind a `proxy` (its address) it is the proxy that resolves and connects, so the rule is not
    asked. Each connection is a pool of its own: one pool of many asks the system about every
    connection twice for every call, and gives the interpreter's lock away each time.
    """

    def __init__(self, rule: AddressRule, *, secure: bool, proxy: str = "") -> None:
        self._ssl_context = _certificates() if secure else None
        self._proxy = _proxy(proxy) if proxy else None
        self._backend = _DeadlineBackend(None if proxy else rule)
        self._idle: list[httpcore2.ConnectionPool] = []  # the one that was used last is used first

    @contextmanager
    def stream(
        self,
        url: httpcore2.URL,
        *,
        headers: Sequence[tuple[str, str]],
        content: bytes,
        silence_s: float,
    ) -> Iterator[httpcore2.Response]:
        """Post `content`; `silence_s` bounds every single connect, read and write."""
        limits = dict.fromkeys(("connect", "read", "write", "pool"), silence_s)
        try:
            pool = self._idle.pop()
        except IndexError:
            pool = self._new()
        try:
            with pool.stream(
                "POST", url, headers=headers, content=content, extensions={"timeout": limits}
            ) as response:
                yield response
        finally:
            self._idle.append(pool)

    def close(self) -> None:
        """Close those that are idle."""
        while self._idle:
            self._idle.pop().close()

    def _new(self) -> httpcore2.ConnectionPool:
        return httpcore2.ConnectionPool(
            ssl_context=self._ssl_context,
            proxy=self._proxy,
            max_connections=1,
            keepalive_expiry=IDLE_S,
            network_backend=self._backend,
        )


def proxy_of(base_url: str) -> str:
    """Return the environment's proxy for an address, or "" for none; loopback never has one.

    Raises EndpointSettingsError for a proxy of another kind than HTTP.
    """
    parts = urlsplit(base_url)
    if is_loopback(base_url) or proxy_bypass(parts.netloc):
        return ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
    proxy = proxy if "://" in proxy or not proxy else f"http://{proxy}"
    if proxy and not proxy.startswith(("http://", "https://")):
        raise EndpointSettingsError(
            "The proxy of the environment (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY) must be an HTTP "
            "proxy, as http://host:port. Set one, or name the endpoint's host in NO_PROXY."
        )
    return proxy


def why_unreachable(error: BaseException) -> str:
    """Return the rest of a sentence that begins with who could not be reached."""
    causes = _causes(error)
    if any(isinstance(c, ConnectionRefusedError) for c in causes):
        return "refused the connection"
    if any(isinstance(c, socket.gaierror) for c in causes):
        return "cannot be found: its host name is not known"
    if any(isinstance(c, ssl.SSLError) for c in causes):
        return "has no certificate that this machine trusts"
    if any(isinstance(c, httpcore2.ProxyError) for c in causes):
        return "cannot be reached through the proxy of the environment"
    if any(isinstance(c, httpcore2.ConnectError) for c in causes):
        return "cannot be reached"
    return "closed the connection before it had answered"


def is_passing(error: BaseException) -> bool:
    """Return whether a fault of a connection may be gone a moment later."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return False
        if isinstance(cause, socket.gaierror) and cause.errno != socket.EAI_AGAIN:
            return False
    return True


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


@cache
def _certificates() -> ssl.SSLContext:
    """One context for all connections: the library would read all certificates for each."""
    return httpcore2.default_ssl_context()


def _proxy(address: str) -> httpcore2.Proxy:
    parts = urlsplit(address)
    secure = parts.scheme == "https"
    url = httpcore2.URL(
        scheme=parts.scheme,
        host=parts.hostname or "",
        port=parts.port or (443 if secure else 80),
        target="/",
    )
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return httpcore2.Proxy(url, auth=auth, ssl_context=_certificates() if secure else None)


def _remaining(timeout: float | None, expired: type[Exception]) -> float | None:
    at = _deadline.get()
    if at is None:
        return timeout
    left = at - time.monotonic()
    if left <= 0:
        raise expired("the deadline has passed")
    return left if timeout is None else min(timeout, left)


class _DeadlineBackend(httpcore2.NetworkBackend):
    def __init__(self, rule: AddressRule | None) -> None:
        self._inner = httpcore2.SyncBackend()
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
