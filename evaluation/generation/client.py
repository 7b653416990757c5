"""The one client of OpenAI-compatible chat endpoints, a vendor's or our own on loopback.

What is asked and what is read is here; how it travels is `evaluation/outbound.py`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from evaluation.generation.endpoints import (
    Endpoint,
    Prices,
    check_api_key,
    check_base_url,
    origin,
)
from evaluation.generation.errors import (
    EmptyCompletion,
    EndpointError,
    EndpointRateLimited,
    EndpointStatus,
    EndpointTimeout,
    EndpointUnreachable,
    InvalidCompletion,
    OutboundError,
    TruncatedCompletion,
)
from evaluation.outbound import Outbound, Reply
from evaluation.transport import proxy_of

Message = Mapping[str, str]

MAX_BODY_BYTES = 2_000_000

_MOST_TOKENS = 10**9  # a larger count is no count
_SCHEMA_WORDS = (b"response_format", b"json_schema")


@dataclass(frozen=True, slots=True)
class Completion:
    """One generated text. Token counts are None when the endpoint did not report them.

    `latency_ms` is what the call took by a monotonic clock, retries included; one that equal calls
    share keeps the latency of the call that was made. `cost_usd` is None unless the counts and the
    prices of the endpoint are known.
    """

    text: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_ms: float
    model: str
    cost_usd: float | None = None
    shared: bool = False
    reply: Reply | None = field(default=None, repr=False, compare=False)

    def refuse(self) -> None:
        """Say that the text was of no use: an equal call is made anew instead of getting it."""
        if self.reply is not None:
            self.reply.refuse()

    @property
    def truncated(self) -> bool:
        """Whether the text was cut at the token limit."""
        return self.finish_reason == "length"

    def whole(self) -> str:
        """Return the text; raise TruncatedCompletion when it was cut."""
        if self.truncated:
            self.refuse()
            raise TruncatedCompletion(
                f"the model {self.model} was cut at its limit of {self.completion_tokens} tokens; "
                "raise max_tokens or ask for less"
            )
        return self.text

    @property
    def tokens(self) -> dict[str, int] | None:
        """Return {"in", "out"} as records keep them, or None when a count is unknown."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return {"in": self.prompt_tokens, "out": self.completion_tokens}


class ChatClient:
    """Asks one model at one endpoint. Safe to use from several threads.

    `timeout_s` bounds one attempt's silence, `deadline_s` the whole call with its retries.
    Statuses 408, 429 and 5xx and faults of the connection are tried again up to `max_retries` times
    (five at the most) with growing, jittered pauses, or after what Retry-After says if that is
    longer; nothing else is. Redirects are not followed, so the key reaches only the host of
    `base_url`. `prices` are what a million tokens cost there.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        timeout_s: float = 60.0,
        deadline_s: float = 120.0,
        max_retries: int = 5,
        prices: Prices | None = None,
        model_identity: Mapping[str, Any] | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        check_base_url(base_url)
        check_api_key(api_key)
        self.base_url = base_url
        self.model = model
        self.timeout_s = timeout_s
        self.deadline_s = deadline_s
        self.max_retries = max_retries
        self.prices = prices
        self._identity = model_identity
        self._takes_schemas = True
        # The administrator set the host, so it may be private; where its name leads is checked.
        self._outbound = Outbound(
            key=api_key,
            key_for=base_url,
            chosen=urlsplit(base_url).hostname or "",
            proxy=proxy_of(base_url),
            noun="endpoint",
            silence_s=timeout_s,
            # What we serve ourselves does one thing at a time; a queue there would time out.
            at_once=1 if model_identity is not None else None,
            lenient=True,
            pause=pause,
        )

    @classmethod
    def of(cls, endpoint: Endpoint, **options: Any) -> "ChatClient":
        """Return a client of `endpoint`; `options` are the keyword arguments of the constructor."""
        given = {"prices": endpoint.prices, **options}
        return cls(endpoint.base_url, endpoint.api_key, endpoint.model, **given)

    def __repr__(self) -> str:
        return f"ChatClient({origin(self.base_url)!r}, model={self.model!r})"

    def identity(self) -> dict[str, Any]:
        """Return what names the model in the Conditions of a run. Never the key.

        A model served by ourselves is named by its own bytes, not by the port that it has today.
        """
        where = self._identity if self._identity is not None else {"endpoint": self.base_url}
        return {"model": self.model, "client": f"httpcore2 {version('httpcore2')}", **where}

    def close(self) -> None:
        """Close the connections."""
        self._outbound.close()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        stop: Sequence[str] | None = None,
        repeat: int = 0,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Return the completion of `messages` ({"role", "content"} each).

        `repeat` tells apart equal calls that are meant to be made anew (samples). `schema` is a
        JSON Schema that the text is to follow: the endpoint is held to it if it can be, and asked
        without it if it refuses such a thing, so the text is still to be checked.

        Raises a kind of EndpointError. A text that was cut at `max_tokens` is returned with
        finish_reason "length"; ask `Completion.whole()` when a cut one is of no use. Call
        `Completion.refuse()` when the text could not be read.
        """
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [dict(message) for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed,
        }
        if stop:
            request["stop"] = list(stop)
        reply = self._ask(request, repeat, schema)
        try:
            return self._read(reply)
        except EndpointError:
            reply.refuse()
            raise

    def _ask(self, request: dict[str, Any], repeat: int, schema: Mapping[str, Any] | None) -> Reply:
        try:
            if schema is None or not self._takes_schemas:
                return self._post(request, repeat)
            try:
                return self._post({**request, "response_format": _held_to(schema)}, repeat)
            except OutboundError as fault:
                if not _refuses_schemas(fault):
                    raise
                self._takes_schemas = False
                return self._post(request, repeat)
        except OutboundError as fault:
            raise self._as_ours(fault) from fault

    def _post(self, request: Mapping[str, Any], repeat: int) -> Reply:
        return self._outbound.post_json(
            f"{self.base_url.rstrip('/')}/chat/completions",
            request,
            deadline_s=self.deadline_s,
            max_bytes=MAX_BODY_BYTES,
            repeat=repeat,
            retries=self.max_retries,
        )

    def _as_ours(self, fault: OutboundError) -> EndpointError:
        """Return what happened as an endpoint's error, in words that fit one."""
        said = str(fault)
        match fault.kind:
            case "timeout":
                return EndpointTimeout(said)
            case "unreachable":
                return EndpointUnreachable(said)
            case "address" | "key":
                return EndpointUnreachable(f"{self._name} is not called: {said}")
            case "too_large":
                return InvalidCompletion(f"{said} for one completion")
            case "invalid":
                return InvalidCompletion(
                    f"{said}; is its address that of an OpenAI-compatible API?"
                )
        if fault.status == 429:
            return EndpointRateLimited(said, 429)
        if fault.status == 404:
            said = f"{said}, for example because it has no model called {self.model}"
        return EndpointStatus(said, fault.status)

    @property
    def _name(self) -> str:
        return f"endpoint {origin(self.base_url)}"

    def _read(self, reply: Reply) -> Completion:
        data = self._checked(reply.body)
        choice = data["choices"][0]
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            raise InvalidCompletion(f"{self._name} sent a choice without a message")
        text = message.get("content")
        if not isinstance(text, str) or not text.strip():
            raise EmptyCompletion(f"{self._name} sent a completion without text")
        if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
            raise InvalidCompletion(f"{self._name} sent text that cannot be stored")
        usage = data.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        sent, written = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
        reason, model = choice.get("finish_reason"), data.get("model")
        return Completion(
            text=text,
            finish_reason=reason if isinstance(reason, str) else None,
            prompt_tokens=sent,
            completion_tokens=written,
            latency_ms=reply.latency_ms,
            model=model if isinstance(model, str) and model else self.model,
            cost_usd=self.prices.cost_usd(sent, written) if self.prices else None,
            shared=reply.shared,
            reply=reply,
        )

    def _checked(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict) or not isinstance(data.get("choices"), list):
            raise InvalidCompletion(f"{self._name} sent JSON that is no chat completion")
        if not data["choices"]:
            raise EmptyCompletion(f"{self._name} sent a completion without choices")
        return data


def _held_to(schema: Mapping[str, Any]) -> dict[str, Any]:
    described = {"name": "reply", "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": described}


def _refuses_schemas(fault: OutboundError) -> bool:
    said = fault.said.lower()
    return fault.status in (400, 422) and any(word in said for word in _SCHEMA_WORDS)


def _count(value: object) -> int | None:
    counts = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_TOKENS
    return value if counts and isinstance(value, int) else None
