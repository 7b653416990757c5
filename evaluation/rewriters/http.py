"""A team's own rewriter behind an address: the request is posted, a line of rewrites.jsonl is back.

A service is trusted in nothing: its reply is checked as an imported file is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.records import REWRITE_KINDS, RequestText, Rewrite
from evaluation.rewriters._replies import check_storable, texts_in
from evaluation.rewriters.base import RewriteError, Rewriter, register
from evaluation.team_service import (
    OwnError,
    ServiceParameters,
    ServicePart,
    cost_in,
    flag,
    object_in,
    optional_text,
    raw_of,
    tokens_in,
)

URL = "INTACT_REWRITER_URL"

# With these the service did not get as far as the request: set up wrongly, unpaid, asleep or
# overloaded.
_NOT_REACHED = (401, 402, 403, 404, 405, 408, 429, 502, 503, 504)
# With the others it judges the request: its own errors, which no second call would change.
_ITS_OWN = frozenset(range(400, 600)) - frozenset(_NOT_REACHED)


@dataclass(frozen=True, slots=True)
class HttpParameters(ServiceParameters):
    """Which service, and how long it may take.

    `url`: its address; empty takes the one in INTACT_REWRITER_URL. No key belongs into it.
    """


@register("http", version="1")
class HttpRewriter(ServicePart, Rewriter):
    """A rewriter of your own, asked over HTTP for each request.

    Posted is `{"id", "text", "turns": [{"role", "text"}], "reference_date"}`: the request as it
    stands in judge.jsonl without what a rewriter may not see (class, answers, evidence, contract).
    Back comes a row of rewrites.jsonl: `{"kind", "queries", "filters", "clarification", "tokens",
    "cost_usd"}`. A `request` in it must be the id that was sent; the latency is measured here;
    other fields are left alone.

    A reply that is no such row, one of kind "error" (with its reason under `error`), and a status
    such as 400 or 500 are the rewriter's own errors, never the original in its place. A service
    that cannot be reached or asks for patience (408, 429, 502, 503, 504) is asked again while
    `deadline_s` allows; in the end, or when it is too slow, the case is left to be tried again.

    A rewriter that failed and passed the original on says so with `"fell_back": true`. That is
    kept as "unchanged" and marked, and never counts as something that it wrote.

    Only public addresses are called, and those that the administrator lists in
    INTACT_OUTBOUND_HOSTS; a key comes from INTACT_OUTBOUND_KEYS.

    Source: our own.
    """

    Parameters = HttpParameters
    parameters: HttpParameters
    noun = "rewriter"
    url_setting = URL

    def write(self, request: RequestText) -> Rewrite:
        try:
            reply = self.ask(sent(request), its_own=_ITS_OWN)
        except OwnError as fault:
            raise RewriteError(str(fault)) from fault
        try:
            return read_reply(reply.body, request, latency_ms=reply.latency_ms)
        except ValueError as fault:
            reply.refuse()
            raise RewriteError(
                str(fault), raw=raw_of(reply.body), latency_ms=reply.latency_ms
            ) from fault


def sent(request: RequestText) -> dict[str, Any]:
    """Return what is posted: all that a rewriter may see of a request."""
    return {
        "id": request.id,
        "text": request.text,
        "turns": [{"role": turn.role, "text": turn.text} for turn in request.turns],
        "reference_date": request.reference_date,
    }


def read_reply(reply: Any, request: RequestText, *, latency_ms: float | None = None) -> Rewrite:
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
    queries = _queries(reply)
    clarification = optional_text(reply, "clarification")
    fell_back = flag(reply, "fell_back")
    if fell_back and not queries:
        queries = (request.text,)
    if not queries and not clarification:
        raise ValueError("the service's reply has neither a query nor a clarification")
    return Rewrite(
        kind="unchanged" if fell_back else kind,
        queries=queries,
        filters=object_in(reply, "filters"),
        clarification=clarification,
        latency_ms=latency_ms,
        tokens=tokens_in(reply),
        cost_usd=cost_in(reply),
        fell_back=fell_back,
    )


def _queries(reply: Mapping[str, Any]) -> tuple[str, ...]:
    given = reply.get("queries")
    return () if given in (None, []) else texts_in(given, "queries")
