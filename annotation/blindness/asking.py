"""Calling an address inside this process, as a person with a session, and taking the answer down.

No network, no server: the site's own middleware and views. Call it inside a transaction; what the
call wrote is rolled back before the answer is returned.
"""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection, transaction
from django.utils import translation

from annotation.blindness.comparing import Answer, cookie_shown
from annotation.blindness.watching import WatchedRequest
from annotation.models import Person

# Streams that work in a thread with a connection of its own, which no rollback reaches.
UNREAD = {"import-here"}
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


@dataclass(frozen=True)
class Call:
    """One request: what a browser or a program may send."""

    route: str
    verb: str
    address: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, Any] | None = None
    content_type: str = FORM

    def __str__(self) -> str:
        said = " ".join(f"{name}: {value}" for name, value in self.headers.items())
        query = f"?{self.query}" if self.query else ""
        body = f" {dict(self.form)}" if self.form else ""
        return f"{self.verb} {self.address}{query}{body} ({said})"


@cache
def _handler() -> BaseHandler:
    handler = BaseHandler()
    handler.load_middleware()
    return handler


def logged_in(person: Person) -> str:
    """Open a session for the person and return its key. Call inside a transaction."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(person.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = person.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def ask(call: Call, session: str, handler: BaseHandler | None = None) -> Answer:
    """Send the call and return the whole answer; nothing that it wrote stays."""
    sent = Statements()
    with undone(), translation.override(translation.get_language()):
        request = _request(call, session)
        with connection.execute_wrapper(sent):
            response = (handler or _handler()).get_response(request)
            body = b"".join(_pieces(call, response))
        answer = Answer(
            status=response.status_code,
            headers=tuple(sorted(response.items())),
            cookies={
                name: cookie_shown(name, _readable(request, name, morsel.value), dict(morsel))
                for name, morsel in response.cookies.items()
            },
            body=body.decode(errors="replace"),
            queries=sent.n,
            tables=frozenset(sent.tables),
            looked_up=frozenset(request.looked_up),
        )
        for close in response._resource_closers:  # type: ignore[attr-defined] # sends no signal
            close()
    return answer


def _pieces(call: Call, response: Any) -> Iterable[bytes]:
    if not response.streaming:
        return [response.content]
    return [] if call.route in UNREAD else response


def _readable(request: WSGIRequest, name: str, value: str) -> str:
    """A cookie's value; of the messages for the next page their words, whose packing has a time."""
    if name != CookieStorage.cookie_name or not value:
        return value
    told = CookieStorage(request)._decode(value) or []  # type: ignore[attr-defined]
    return " ".join(str(message) for message in told)


@contextmanager
def undone() -> Iterator[None]:
    """Everything written inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Statements:
    """How many statements the database was sent, and which tables they name. A quoted column counts
    as a table: too many are no harm.
    """

    def __init__(self, *, writes_alone: bool = False) -> None:
        self.n, self.tables, self._writes_alone = 0, set[str](), writes_alone

    def __call__(self, execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        self.n += 1
        if self._writes_alone:
            self.tables.update(_written(sql))
        else:
            self.tables.update(_named(sql))
        return execute(sql, *args)


_QUOTED = re.compile(r'"(\w+)"')
_WRITES = re.compile(r'\s*(?:INSERT|UPDATE|DELETE)\b[^"]*"(\w+)"', re.IGNORECASE)


@lru_cache(maxsize=4096)
def _named(sql: str) -> frozenset[str]:
    return frozenset(_QUOTED.findall(sql))


def _written(sql: str) -> list[str]:
    """The table that a statement changes, if it changes any."""
    found = _WRITES.match(sql)
    return [found[1]] if found else []


@contextmanager
def watched_writes() -> Iterator[set[str]]:
    """Give the tables that what is done inside writes to."""
    sent = Statements(writes_alone=True)
    with connection.execute_wrapper(sent):
        yield sent.tables


def _request(call: Call, session: str) -> WatchedRequest:
    body = b""
    if call.form is not None:
        plain = json.dumps(call.form) if call.content_type == JSON else urlencode(call.form, True)
        body = plain.encode()
    host = settings.ALLOWED_HOSTS[0].lstrip(".") if settings.ALLOWED_HOSTS else "localhost"
    environ = {
        "REQUEST_METHOD": call.verb,
        "PATH_INFO": call.address.removeprefix(settings.FORCE_SCRIPT_NAME or ""),
        "QUERY_STRING": call.query,
        "SCRIPT_NAME": "",
        "SERVER_NAME": host,
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": host,
        "HTTP_COOKIE": f"{settings.SESSION_COOKIE_NAME}={session}" if session else "",
        "CONTENT_TYPE": call.content_type,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": "http" if settings.PLAIN_HTTP else "https",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
    }
    environ |= {f"HTTP_{n.upper().replace('-', '_')}": v for n, v in call.headers.items()}
    request = WatchedRequest(environ)
    request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined] # no form was fetched
    return request
