"""The one HTTP client: of a team's own services (search, rewriter, judge) and of language models.

A part gets the address from a person's parameters, so the address is not trusted: http and https
only; the name is resolved once and only public addresses are connected to, unless the administrator
listed the host; no redirects, no proxies; a deadline over the whole call; a cap on the body.

Calls go through the gate of their service (`evaluation/gates.py`), and equal calls of a run are
made once while a book of calls is open (`evaluation/calls.py`).
"""

import json
import math
import re
import threading
import time
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from annotation.canonical import content_hash
from evaluation.addresses import AddressRefused, AddressRule
from evaluation.calls import CallBook, current_book
from evaluation.exchanges import Exchange
from evaluation.gates import gate_of
from evaluation.generation.errors import OutboundError, OutboundRateLimited, OutboundTimeout
from evaluation.locations import Location, LocationError, locate
from evaluation.transport import Connections

__all__ = ["Outbound", "OutboundError", "OutboundRateLimited", "OutboundTimeout", "Reply"]

HOSTS = "INTACT_OUTBOUND_HOSTS"
KEYS = "INTACT_OUTBOUND_KEYS"
MAX_BODY_BYTES = 5_000_000
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"
RETRIES = 3  # what parts ask for; a call without a word about it is made once

_PERHAPS_UNSTORABLE = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `body` is the parsed JSON; do not change it, others may have it too.

    `latency_ms` is what the call took by a monotonic clock, its retries and pauses included and the
    wait for its turn not; a `shared` reply keeps the latency of the call that was made.
    """

    body: Any
    latency_ms: float
    shared: bool = False
    book: CallBook | None = field(default=None, repr=False, compare=False)
    key: str = field(default="", repr=False, compare=False)

    def refuse(self) -> None:
        """Say that the reply could not be read: it is not kept for equal calls."""
        if self.book is not None:
            self.book.drop(self.key)


class Outbound:
    """Posts JSON to services. Safe to use from several threads.

    `hosts` are the hosts that the administrator listed, each a name or address, with `:port` or
    without; `chosen` is the host of the administrator's own endpoint, and `proxy` the address of
    the proxy before it. `key` is sent as a bearer token to one origin only: that of `key_for`, or
    without it the first one that is called; a call to another is refused. `silence_s` bounds the
    wait for the next byte. `at_once` is the most calls that the service can take at a time, if that
    is known. `lenient` reads NaN, Infinity and what is as large as that in replies as null.
    """

    def __init__(
        self,
        *,
        hosts: frozenset[str] = frozenset(),
        key: str = "",
        key_for: str = "",
        chosen: str = "",
        proxy: str = "",
        noun: str = "service",
        silence_s: float | None = None,
        at_once: int | None = None,
        lenient: bool = False,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if not (key.isascii() and (key.isprintable() or not key)):
            raise OutboundError(
                "The key of a service holds characters that no key has (a line break or a letter "
                "outside ASCII). Copy it again.",
                kind="key",
            )
        self._rule = AddressRule(hosts=hosts, chosen=chosen)
        self._key = key
        self._key_origin = origin(key_for) if key and key_for else ""
        self._proxy = proxy
        self._noun = noun
        self._silence_s = silence_s
        self._at_once = at_once
        self._constant = _as_null if lenient else _refuse_constant
        self._pause = pause
        self._pools: dict[str, Connections] = {}
        self._checked: set[Location] = set()
        self._lock = threading.Lock()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], url: str) -> "Outbound":
        """Return a client for `url` with what the administrator set for its host.

        INTACT_OUTBOUND_HOSTS lists hosts, INTACT_OUTBOUND_KEYS pairs `host=key` or `host:port=key`;
        both are separated by commas. Raises OutboundError when `url` can be no service's address.
        """
        location = check_url(url)
        keys = dict(entry.split("=", 1) for entry in _entries(environment, KEYS) if "=" in entry)
        keys = {host.strip().lower(): key.strip() for host, key in keys.items()}
        key = keys.get(f"{location.host}:{location.port}") or keys.get(location.host, "")
        return cls(hosts=frozenset(_entries(environment, HOSTS)), key=key, key_for=url)

    def __repr__(self) -> str:
        return f"Outbound(hosts={sorted(self._rule.hosts)!r})"

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            pools, self._pools = self._pools, {}
        for pool in pools.values():
            pool.close()

    def check(self, url: str) -> Location:
        """Return the parsed address; raise OutboundError when it is refused as it is written.

        No name is resolved and nothing is sent.
        """
        location = check_url(url)
        if location not in self._checked:
            try:
                self._rule.check_host(location.host, location.port)
            except AddressRefused as refused:
                raise OutboundError(str(refused), kind="address") from refused
            self._checked.add(location)
        return location

    def post_json(
        self,
        url: str,
        body: Any,
        *,
        deadline_s: float,
        max_bytes: int = MAX_BODY_BYTES,
        repeat: int = 0,
        retries: int = 0,
        its_own: Container[int] = (),
        form: bool = False,
    ) -> Reply:
        """Post `body` as JSON and return the JSON that came back with status 200 to 299. With
        `form` the names and texts of `body` go out as the fields of a form.

        `deadline_s` bounds the call from the look-up of the name to the last byte, with its retries
        and pauses. Tried again, up to `retries` times (five at the most), are only 408, 429, 5xx
        and faults of the connection; not those in `its_own`, the statuses with which the service
        judges this one request. `repeat` tells apart equal calls that are meant to be made anew.

        Raises OutboundError, EndpointQuotaSpent, or EndpointAway while the service is not called;
        their texts name the service by scheme, host and port.
        """
        location = self.check(url)
        exchange = Exchange(
            who=f"{self._noun} {location.origin}",
            location=location,
            headers=self._headers(location, _FORM if form else _JSON),
            content=_encoded(body, form),
            deadline_s=deadline_s,
            silence_s=self._silence_s or deadline_s,
            max_bytes=max_bytes,
            its_own=its_own,
        )
        book = current_book.get()
        if book is None:
            parsed, latency_ms, _ = self._made(exchange, retries)
            return Reply(parsed, latency_ms)
        key = content_hash({"url": url, "body": body, "repeat": repeat})
        kept = book.take(key)
        if kept is not None:
            return Reply(kept["body"], kept["latency_ms"], shared=True, book=book, key=key)
        try:
            parsed, latency_ms, storable = self._made(exchange, retries)
            if storable:
                book.keep(key, {"body": parsed, "latency_ms": latency_ms})
        except BaseException:
            book.drop(key)
            raise
        if not storable:
            book.drop(key)
        return Reply(parsed, latency_ms, book=book, key=key)

    def _made(self, exchange: Exchange, retries: int) -> tuple[Any, float, bool]:
        """Make the call; return the JSON, the latency, and whether a database can keep it."""
        location = exchange.location
        gate = gate_of(location.origin, at_once=self._at_once)
        body, latency_ms = exchange.make(
            self._pool(location), gate, retries=retries, pause=self._pause
        )
        try:
            text = body.decode(json.detect_encoding(body))  # else half a surrogate pair would pass
            parsed = json.loads(text, parse_constant=self._constant, parse_float=self._float)
        except (ValueError, RecursionError) as error:
            raise OutboundError(
                f"{exchange.who} sent something that is not whole JSON", kind="invalid"
            ) from error
        return parsed, latency_ms, _is_storable(text, parsed)

    def _float(self, digits: str) -> Any:
        number = float(digits)
        return number if math.isfinite(number) else self._constant(digits)

    def _headers(self, location: Location, content_type: str) -> list[tuple[str, str]]:
        headers = [
            ("Host", location.host_header),
            ("Accept", "application/json"),
            ("Accept-Encoding", "identity"),
            ("Content-Type", content_type),
            ("User-Agent", "intact"),
        ]
        if not self._key:
            return headers
        self._key_origin = self._key_origin or location.origin
        if self._key_origin != location.origin:
            raise OutboundError(
                f"The key belongs to {self._key_origin} and is not sent to {location.origin}.",
                kind="key",
            )
        return [*headers, ("Authorization", f"Bearer {self._key}")]

    def _pool(self, location: Location) -> Connections:
        """Return the connections to one origin; most clients never call, so none are readied."""
        with self._lock:
            pool = self._pools.get(location.origin)
            if pool is None:
                secure = location.scheme == "https"
                pool = Connections(self._rule, secure=secure, proxy=self._proxy)
                self._pools[location.origin] = pool
            return pool


def check_url(url: str) -> Location:
    """Return the parsed address of a service; raise OutboundError unless it is plain http(s)."""
    try:
        return locate(url, keys_in=KEYS)
    except LocationError as fault:
        raise OutboundError(str(fault), kind="address") from fault


def origin(url: str) -> str:
    """Return scheme, host and port of an address: how sentences name a service."""
    return check_url(url).origin


def _entries(environment: Mapping[str, str], name: str) -> list[str]:
    return [entry.strip() for entry in environment.get(name, "").split(",") if entry.strip()]


def _is_storable(text: str, parsed: Any) -> bool:
    """Whether a database takes the texts in it: not NUL, and not half a surrogate pair."""
    if not _PERHAPS_UNSTORABLE.search(text):
        return True
    try:
        written = json.dumps(parsed, ensure_ascii=False)
        written.encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return "\\u0000" not in written


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _as_null(word: str) -> Any:
    return None


def _encoded(body: Any, form: bool) -> bytes:
    return urlencode(body).encode() if form else json.dumps(body, allow_nan=False).encode()
