"""An endpoint that answers every chat completion alike after a fixed time, in its own process.

It reads nothing of what it is asked, so that it takes no time from what is measured.
"""

import asyncio
import json
import multiprocessing
import socket
from multiprocessing.sharedctypes import Synchronized
from typing import Any

_BODY = json.dumps(
    {
        "id": "stub",
        "object": "chat.completion",
        "model": "stub",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "EUR 10 million [1]"},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 6, "total_tokens": 106},
    }
).encode()
_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
    len(_BODY),
    _BODY,
)


class Stub:
    """Serves until the block ends. `calls` counts what came."""

    def __init__(self, *, latency_s: float) -> None:
        self.latency_s = latency_s
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._calls: Synchronized[int] = multiprocessing.Value("i", 0)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        self._process = multiprocessing.get_context("fork").Process(
            target=_serve, args=(self._socket, latency_s, self._calls), daemon=True
        )

    @property
    def calls(self) -> int:
        return self._calls.value

    def reset(self) -> None:
        self._calls.value = 0

    def __enter__(self) -> "Stub":
        self._process.start()
        self._socket.close()
        return self

    def __exit__(self, *_fault: object) -> None:
        self._process.terminate()
        self._process.join(10)


class _Answering(asyncio.Protocol):
    def __init__(self, latency_s: float, calls: Any) -> None:
        self._latency_s = latency_s
        self._calls = calls
        self._read = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        while (head := self._read.find(b"\r\n\r\n")) >= 0:
            length = self._read[:head].lower().partition(b"content-length:")[2].split(b"\r\n")[0]
            end = head + 4 + int(length or 0)
            if len(self._read) < end:
                return
            self._read = self._read[end:]
            self._calls.value += 1
            asyncio.get_running_loop().call_later(self._latency_s, self._transport.write, _ANSWER)


def _serve(listening: socket.socket, latency_s: float, calls: Any) -> None:
    async def serve() -> None:
        server = await asyncio.get_running_loop().create_server(
            lambda: _Answering(latency_s, calls), sock=listening
        )
        await server.serve_forever()

    asyncio.run(serve())
