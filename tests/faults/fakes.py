"""A chat endpoint and a search on loopback that fail as they are told:
`python -m tests.faults.fakes`.

One process, one event loop, HTTP by hand, so that it can break what a library would keep whole. It
prints its port, listens there, and is told by POST /control what to do: a kind of fault and its
share for each path, and the seed that draws. Whether an attempt fails depends on the seed, its body
and how often that body came, never on order or time.
"""

import argparse
import asyncio
import contextlib
import gzip
import hashlib
import json
import re
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

CHAT, SEARCH = "/v1/chat/completions", "/search"
BIG = 5_200_000
RETRY_AFTER_S = "0.2"

# What may go wrong, by the path; each name is a method of `Connection` or a body of `spoilt`.
ANYWHERE = (
    "rate_limited_after",
    "rate_limited",
    "server_error",
    "burst",
    "closed",
    "reset",
    "silence",
    "drip",
    "html",
    "cut_json",
    "wrong_schema",
    "duplicate_keys",
    "big",
    "wrong_encoding",
    "redirect",
    "key_refused",
)
OF_CHAT = ("no_choices", "nan", "refusal", "length", "quota")
OF_SEARCH = ("unknown_ids", "too_many", "twice", "nan_score")


@dataclass
class Told:
    """What the fakes were told, and what they saw."""

    seed: int = 0
    latency_s: float = 0.0
    faults: dict[str, tuple[str, float]] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    came: Counter[str] = field(default_factory=Counter)  # how often each body came
    calls: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)

    def draw(self, body: bytes, often: int) -> float:
        digest = hashlib.sha256(b"%d %d " % (self.seed, often) + body).digest()
        return int.from_bytes(digest[:6]) / 2**48

    def fault(self, path: str, body: bytes) -> str:
        """The kind of fault of this attempt; empty for none."""
        key = hashlib.sha256(path.encode() + body).hexdigest()
        often = self.came[key]
        self.came[key] += 1
        self.calls[path] += 1
        kind, share = self.faults.get(path, ("", 0.0))
        # A burst takes five attempts in a row, whichever they are.
        drawn = (
            self.draw(b"burst", self.calls[path] // 5)
            if kind == "burst"
            else self.draw(body, often)
        )
        if not kind or drawn >= share:
            return ""
        self.failed[path] += 1
        return kind


def chat_answer(body: dict[str, Any]) -> str:
    """What the model says: the last message and a word of its own as the query, or the start of the
    first passage.
    """
    asked = body["messages"][-1]["content"]
    if found := re.search(r"Last message: (.*)\n\nQuery:", asked):
        own = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:4]
        return f"{found[1]} {own}"
    found = re.search(r"\[1\] .*\n(.*)", asked)
    return " ".join(found[1].split()[:6]) + " [1]" if found else "NOT FOUND"


def chat_body(text: str, reason: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "fake-1",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def search_body(body: dict[str, Any], ids: list[str], count: int) -> dict[str, Any]:
    def order(key: str) -> str:
        return hashlib.sha256(f"{body['queries']} {key}".encode()).hexdigest()

    best = sorted(ids, key=order)[:count]
    return {"hits": [{"id": key, "score": 9.0 - n, "query": 0} for n, key in enumerate(best)]}


def right(path: str, body: dict[str, Any], told: Told) -> dict[str, Any]:
    if path == SEARCH:
        return search_body(body, told.ids, body["k"])
    return chat_body(chat_answer(body))


def spoilt(kind: str, path: str, body: dict[str, Any], told: Told) -> bytes:
    """The body of a fault that answers with status 200."""
    whole = right(path, body, told)
    text = json.dumps(whole)
    hits = whole.get("hits", [])
    made: dict[str, Callable[[], Any]] = {
        "html": lambda: "<!doctype html><title>Gateway</title><p>Please log in.",
        "cut_json": lambda: text[: len(text) // 2],
        "wrong_schema": lambda: {"result": {"text": "fine"}},
        "duplicate_keys": lambda: text[:-1] + ', "choices": [], "hits": "none"}',
        "big": lambda: chat_body("word " * (BIG // 5)),
        "no_choices": lambda: {**whole, "choices": []},
        "nan": lambda: json.dumps(chat_body("words")).replace('"words"', "NaN"),
        "refusal": lambda: chat_body("I'm sorry, but I can't help with that."),
        "length": lambda: chat_body("The query that was never fin", "length"),
        "unknown_ids": lambda: {"hits": [*hits[:1], {"id": "nowhere", "score": 1.0, "query": 0}]},
        "too_many": lambda: search_body(body, told.ids, body["k"] + 3),
        "twice": lambda: {"hits": [*hits[:1], *hits[:1]]},
        "nan_score": lambda: text.replace("9.0", "NaN"),
    }
    found = made[kind]()
    return (found if isinstance(found, str) else json.dumps(found)).encode()


def answer(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(headers or ("Content-Type: application/json",))]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


WITH_STATUS = {
    "rate_limited_after": ("429 Too Many Requests", f"Retry-After: {RETRY_AFTER_S}"),
    "rate_limited": ("429 Too Many Requests",),
    "server_error": ("500 Internal Server Error",),
    "burst": ("503 Service Unavailable",),
    "redirect": ("302 Found", "Location: http://127.0.0.1:9/elsewhere"),
    "key_refused": ("401 Unauthorized",),
    "quota": ("429 Too Many Requests",),
}


class Connection(asyncio.Protocol):
    """One connection of a client, which may send several requests over it."""

    def __init__(self, fakes: "Fakes") -> None:
        self.fakes = fakes
        self.came = b""
        self.transport: Any = None
        self.tasks: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def connection_lost(self, _fault: Exception | None) -> None:
        for task in self.tasks:
            task.cancel()

    def data_received(self, data: bytes) -> None:
        self.came += data
        while (end := self.came.find(b"\r\n\r\n")) >= 0:
            head = self.came[:end].decode("latin-1")
            length = re.search(r"content-length:\s*(\d+)", head, re.IGNORECASE)
            size = int(length[1]) if length else 0
            if len(self.came) < end + 4 + size:
                return
            body, self.came = self.came[end + 4 : end + 4 + size], self.came[end + 4 + size :]
            task = asyncio.ensure_future(self.answer(head.split(" ")[1], body))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def send(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(data)

    async def answer(self, path: str, body: bytes) -> None:
        told = self.fakes.told
        if path in ("/control", "/seen"):
            reply = await self.fakes.control(json.loads(body or b"{}"), path == "/seen")
            self.send(answer(json.dumps(reply).encode()))
            return
        kind = told.fault(path, body)
        if told.latency_s:
            await asyncio.sleep(told.latency_s)
        asked = json.loads(body)
        whole = answer(json.dumps(right(path, asked, told)).encode())
        if not kind:
            self.send(whole)
        elif kind in WITH_STATUS:
            status, *headers = WITH_STATUS[kind]
            error = {"error": {"message": "no", "code": "insufficient_quota" * (kind == "quota")}}
            self.send(answer(json.dumps(error).encode(), status, *headers))
        elif kind == "closed":
            self.transport.close()
        elif kind == "reset":
            self.send(whole[: len(whole) - 20])
            await asyncio.sleep(0.02)
            linger = struct.pack("ii", 1, 0)  # the kernel sends a reset in place of an end
            self.transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, linger
            )
            self.transport.abort()
        elif kind == "drip":
            for byte in whole:
                self.send(bytes([byte]))
                await asyncio.sleep(1.0)
        elif kind == "wrong_encoding":
            packed = gzip.compress(json.dumps(right(path, asked, told)).encode())
            self.send(answer(packed[3:], "200 OK", "Content-Encoding: gzip"))
        elif kind != "silence":
            self.send(answer(spoilt(kind, path, asked, told)))


class Fakes:
    """The server; it can stop listening, so that connections are refused, and listen again."""

    def __init__(self, port: int) -> None:
        self.told = Told()
        self.port = port
        self.server: asyncio.Server | None = None

    async def listen(self) -> None:
        self.server = await asyncio.get_running_loop().create_server(
            lambda: Connection(self), "127.0.0.1", self.port, reuse_address=True, backlog=1024
        )
        self.port = self.server.sockets[0].getsockname()[1]

    async def control(self, said: dict[str, Any], only_seen: bool) -> dict[str, Any]:
        """Take over what was said; return what was seen since the last time."""
        told = self.told
        seen = {
            "calls": dict(told.calls),
            "failed": dict(told.failed),
            "bodies": len(told.came),
            "most_of_one_body": max(told.came.values(), default=0),
        }
        if only_seen:
            return seen
        for count in (told.calls, told.failed, told.came):
            count.clear()
        told.seed = said.get("seed", told.seed)
        told.latency_s = said.get("latency_s", told.latency_s)
        told.ids = said.get("ids", told.ids)
        told.faults = {path: (kind, share) for path, (kind, share) in said["faults"].items()}
        if said.get("refuse"):
            if self.server:
                self.server.close()
                self.server = None
        elif self.server is None:
            await self.listen()
        return seen


async def serve(port: int) -> None:
    fakes = Fakes(port)
    await fakes.listen()
    # A door that stays open when the other is shut.
    control = await asyncio.get_running_loop().create_server(
        lambda: Connection(fakes), "127.0.0.1", 0
    )
    print(json.dumps([fakes.port, control.sockets[0].getsockname()[1]]), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until our parent ends


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.fakes")
    parser.add_argument("--port", type=int, default=0)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
