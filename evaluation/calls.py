"""The book of outside calls that a step of a run shares with others: equal calls are made once.

Whoever works on a run sets `current_book` for the threads that make its calls; `Outbound.post_json`
asks it first. Without a book every call is made. No Django, no traffic.
"""

from contextvars import ContextVar
from typing import Any, Protocol


class CallBook(Protocol):
    """Replies by the key of their call (a SHA-256 in 64 hex digits). Safe to use from threads."""

    def take(self, key: str) -> dict[str, Any] | None:
        """Return the kept reply of an equal call, or None: then the caller makes the call.

        Blocks while somebody else is making it. After None exactly one `keep` or `drop` of the same
        key follows; a `drop` may also follow a `keep` or a reply, when nobody could read it.
        """
        ...

    def keep(self, key: str, reply: dict[str, Any]) -> None:
        """Keep the reply for equal calls. It is JSON: {"body", "latency_ms"}."""
        ...

    def drop(self, key: str) -> None:
        """The call failed, or its reply could not be read: the next equal call is made anew."""
        ...


current_book: ContextVar[CallBook | None] = ContextVar("current_book", default=None)
