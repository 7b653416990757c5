"""A chat endpoint on loopback that answers from a script, faults included. For tests only."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """One scripted answer. `hang` waits for the test's end; `drip_s` is the pause between bytes."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    drip_s: float | None = None
    drop: bool = False

    @property
    def fails(self) -> bool:
        return self.drop or self.status >= 400


def says(text: str | None, finish_reason: str = "stop", **extra: Any) -> Reply:
    """Return a well-formed completion."""
    message = {"role": "assistant", "content": text}
    data = {
        "id": "x",
        "object": "chat.completion",
        "model": "fake-1",
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        **extra,
    }
    return Reply(body=json.dumps(data).encode(), headers={"Content-Type": "application/json"})


class FakeEndpoint:
    """What the test sees: `base_url`, the `requests` that came (path, headers, JSON body).

    A script whose last reply is a failure goes on with it.
    """

    def __init__(self, script: list[Reply], by: Callable[[Any], Reply] | None) -> None:
        self.by = by
        self.script = list(script)
        self._last: Reply | None = None
        self.connections = 0
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def base_url(self) -> str:
        return f"{self.origin}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"  # with connections that are kept

            def setup(self) -> None:
                super().setup()
                endpoint.connections += 1

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(length))
                headers = {name.lower(): value for name, value in self.headers.items()}
                endpoint.requests.append((self.path, headers, body))
                endpoint._answer(self, endpoint._next(body))

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler

    def _next(self, body: Any) -> Reply:
        if self.by is not None:
            return self.by(body)
        if not self.script and self._last is not None and self._last.fails:
            return self._last  # however often it is tried again
        self._last = self.script.pop(0)
        return self._last

    def _answer(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        if reply.hang:
            self.ended.wait(10)
        if reply.hang or reply.drop:
            handler.close_connection = True
            return
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(reply.body)))
        if reply.drip_s is not None:
            # The head drips too: a limit that only watches the body would not see it.
            head = b"".join(handler._headers_buffer) + b"\r\n"  # type: ignore[attr-defined]
            for byte in head + reply.body:
                if self.ended.wait(reply.drip_s):
                    return
                handler.wfile.write(bytes([byte]))
            return
        handler.end_headers()
        handler.wfile.write(reply.body)


@contextmanager
def fake_endpoint(
    *script: Reply, by: Callable[[Any], Reply] | None = None
) -> Iterator[FakeEndpoint]:
    """Serve `script`, one reply a request, until the block ends; or what `by` makes of a body."""
    endpoint = FakeEndpoint(list(script), by)
    thread = threading.Thread(target=endpoint._server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.ended.set()
        endpoint._server.shutdown()
        endpoint._server.server_close()
        thread.join()
