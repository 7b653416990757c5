"""A team's own rewriter behind an address: the request is posted, a line of rewrites.jsonl is back.

A service is trusted in nothing: its reply is checked as an imported file is.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evaluation.records import REWRITE_KINDS, RequestText, Rewrite
from evaluation.registry import PartError
from evaluation.rewriters._replies import check_storable, texts_in
from evaluation.rewriters.base import RewriteError, Rewriter, register

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.outbound import Outbound, OutboundError

URL = "INTACT_REWRITER_URL"
MAX_REPLY_BYTES = 1_000_000

# With these the service did not get as far as the request: set up wrongly, asleep or overloaded.
_NOT_REACHED = (401, 403, 404, 405, 408, 429, 502, 503, 504)
_MOST_TOKENS = 10**9  # a larger count is no count


@dataclass(frozen=True, slots=True)
class HttpParameters:
    """Which service, and how long it may take.

    `url`: its address; empty takes the one in INTACT_REWRITER_URL. No key belongs into it.
    `revision`: your name for what is served there (a version, a commit). It is frozen with the
    Conditions: give a new one when the rewriter changes, since from here nothing else shows that.
    `deadline_s`: seconds until a call is given up, at most 240.
    """

    url: str = ""
    revision: str = ""
    deadline_s: float = 30.0

    def __post_init__(self) -> None:
        if not 0.1 <= self.deadline_s <= 240:
            raise ValueError(f"deadline_s must lie between 0.1 and 240, not {self.deadline_s}.")


@register("http", version="1")
class HttpRewriter(Rewriter):
    """A rewriter of your own, asked over HTTP for each request.

    Posted is `{"id", "text", "turns": [{"role", "text"}], "reference_date"}`: the request as it
    stands in judge.jsonl without what a rewriter may not see (class, answers, evidence, contract).
    Back comes a row of rewrites.jsonl: `{"kind", "queries", "filters", "clarification", "tokens",
    "cost_usd"}`. A `request` in it must be the id that was sent; the latency is measured here;
    other fields are left alone.

    A reply that is no such row, one of kind "error" (with its reason under `error`), and a status
    such as 400 or 500 are the rewriter's own errors, never the original in its place. A service
    that cannot be reached, is too slow or asks for patience (408, 429, 502, 503, 504) leaves the
    case to be tried again.

    A rewriter that failed and passed the original on says so with `"fell_back": true`. That is
    kept as "unchanged" and marked, and never counts as something that it wrote.

    Only public addresses are called, and those that the administrator lists in
    INTACT_OUTBOUND_HOSTS; a key comes from INTACT_OUTBOUND_KEYS.

    Source: our own.
    """

    Parameters = HttpParameters
    parameters: HttpParameters

    @cached_property
    def url(self) -> str:
        """Return the service's address; raise PartError when none is set."""
        url = self.parameters.url.strip() or os.environ.get(URL, "").strip()
        if not url:
            raise PartError(
                f'The rewriter "http" needs the address of your service: set {URL}, or its '
                'parameter "url".'
            )
        return url

    @cached_property
    def client(self) -> "Outbound":
        from evaluation.outbound import Outbound, OutboundError

        try:
            outbound = Outbound.from_environment(os.environ, self.url)
            outbound.check(self.url)
        except OutboundError as fault:
            raise PartError(f'The rewriter "http" cannot call its service: {fault}') from fault
        return outbound

    def model(self) -> Mapping[str, Any]:
        """The service is frozen by its address and by the name that the team gave to its state."""
        _ = self.client  # an address that can never be called is refused before a run
        return {"endpoint": self.url, "revision": self.parameters.revision}

    def write(self, request: RequestText) -> Rewrite:
        from evaluation.outbound import OutboundError

        try:
            reply = self.client.post_json(
                self.url,
                sent(request),
                deadline_s=self.parameters.deadline_s,
                max_bytes=MAX_REPLY_BYTES,
            )
        except OutboundError as fault:
            outcome = _as_outcome(fault)
            raise outcome from (None if outcome is fault else fault)
        try:
            return read_reply(reply, request)
        except ValueError as fault:
            raise RewriteError(str(fault), raw=_raw(reply)) from fault


def sent(request: RequestText) -> dict[str, Any]:
    """Return what is posted: all that a rewriter may see of a request."""
    return {
        "id": request.id,
        "text": request.text,
        "turns": [{"role": turn.role, "text": turn.text} for turn in request.turns],
        "reference_date": request.reference_date,
    }


def read_reply(reply: Any, request: RequestText) -> Rewrite:
    """Return the rewrite in a service's reply; raise ValueError (a sentence) when there is none."""
    if not isinstance(reply, dict):
        raise ValueError("the service's reply is no JSON object")
    check_storable(reply)
    if reply.get("request", request.id) != request.id:
        raise ValueError("the service's reply names another request")
    kind = reply.get("kind")
    if kind not in REWRITE_KINDS:
        raise ValueError(
            f"the service's reply has a kind that is none of {', '.join(REWRITE_KINDS)}"
        )
    if kind == "error":
        why = reply.get("error")
        raise ValueError(
            f"the service says: {why}" if why else "the service says it has no rewrite"
        )
    given = reply.get("queries")
    queries = () if given in (None, []) else texts_in(given, "queries")
    clarification = _optional_text(reply, "clarification")
    fell_back = _flag(reply, "fell_back")
    if fell_back and not queries:
        queries = (request.text,)
    if not queries and not clarification:
        raise ValueError("the service's reply has neither a query nor a clarification")
    return Rewrite(
        kind="unchanged" if fell_back else kind,
        queries=queries,
        filters=_object(reply, "filters"),
        clarification=clarification,
        tokens=_tokens(reply),
        cost_usd=_cost(reply),
        fell_back=fell_back,
    )


def _as_outcome(fault: "OutboundError") -> Exception:
    """Return the rewriter's own error, or the fault itself, with which the case is tried again."""
    if fault.kind in ("address", "key"):  # no case can be rewritten, so no case fails
        return PartError(f'The rewriter "http" cannot call its service: {fault}')
    refused = fault.kind == "status" and fault.status not in _NOT_REACHED
    if refused or fault.kind in ("invalid", "too_large"):
        return RewriteError(str(fault))
    return fault


def _raw(reply: Any) -> str | None:
    try:
        # ASCII, so that a text that cannot be stored can still be shown.
        return json.dumps(reply)[:10_000]
    except RecursionError:
        return None


def _optional_text(reply: Mapping[str, Any], name: str) -> str | None:
    value = reply.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} of the service's reply is no text")
    return value.strip() or None if value else None


def _flag(reply: Mapping[str, Any], name: str) -> bool:
    value = reply.get(name)
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{name} of the service's reply is neither true nor false")
    return bool(value)


def _object(reply: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = reply.get(name)
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"{name} of the service's reply is no object")
    return dict(value or {})


def _tokens(reply: Mapping[str, Any]) -> dict[str, int] | None:
    counts = _object(reply, "tokens")
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST_TOKENS:
            raise ValueError(f"the count of tokens “{name}” is no whole number from 0")
    return counts or None


def _cost(reply: Mapping[str, Any]) -> float | None:
    cost = reply.get("cost_usd")
    if cost is None:
        return None
    if isinstance(cost, bool) or not isinstance(cost, int | float) or cost < 0:
        raise ValueError("cost_usd of the service's reply is no number from 0")
    return float(cost)
