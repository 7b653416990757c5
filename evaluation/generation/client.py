"""The one client of OpenAI-compatible chat endpoints, a vendor's or our own on loopback."""

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Any, NoReturn

import httpx2
import openai

from evaluation.generation.endpoints import Endpoint, check_api_key, check_base_url, origin
from evaluation.generation.errors import (
    EmptyCompletion,
    EndpointRateLimited,
    EndpointStatus,
    EndpointTimeout,
    EndpointUnreachable,
    InvalidCompletion,
    TruncatedCompletion,
)
from evaluation.generation.transport import deadline, open_client, why_unreachable

Message = Mapping[str, str]

MAX_BODY_BYTES = 2_000_000
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 20.0

_MOST_TOKENS = 10**9  # a larger count is no count


@dataclass(frozen=True, slots=True)
class Completion:
    """One generated text. Token counts are None when the endpoint did not report them.

    `latency_ms` is what the caller waited for, retries included, by a monotonic clock.
    """

    text: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_ms: float
    model: str

    @property
    def truncated(self) -> bool:
        """Whether the text was cut at the token limit."""
        return self.finish_reason == "length"

    def whole(self) -> str:
        """Return the text; raise TruncatedCompletion when it was cut."""
        if self.truncated:
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
    Status 429 and 5xx are tried again up to `max_retries` times with growing, jittered pauses, or
    after what Retry-After says; nothing else is. Redirects are not followed, so the key reaches
    only the host of `base_url`.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        timeout_s: float = 60.0,
        deadline_s: float = 120.0,
        max_retries: int = 3,
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
        self._identity = model_identity
        self._pause = pause
        self._has_key = bool(api_key)
        # The library's own retries know no deadline, so they are off; an empty organisation and
        # project keep it from reading those from the environment.
        self._openai = openai.OpenAI(
            base_url=base_url,
            api_key=api_key or "none",
            organization="",
            project="",
            max_retries=0,
            http_client=open_client(base_url),
        )

    @classmethod
    def of(cls, endpoint: Endpoint, **options: Any) -> "ChatClient":
        """Return a client of `endpoint`; `options` are the keyword arguments of the constructor."""
        return cls(endpoint.base_url, endpoint.api_key, endpoint.model, **options)

    def __repr__(self) -> str:
        return f"ChatClient({origin(self.base_url)!r}, model={self.model!r})"

    def identity(self) -> dict[str, Any]:
        """Return what names the model in the Conditions of a run. Never the key.

        A model served by ourselves is named by its own bytes, not by the port that it has today.
        """
        where = self._identity if self._identity is not None else {"endpoint": self.base_url}
        return {"model": self.model, "client": f"openai {version('openai')}", **where}

    def close(self) -> None:
        """Close the connections."""
        self._openai.close()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        stop: Sequence[str] | None = None,
    ) -> Completion:
        """Return the completion of `messages` ({"role", "content"} each).

        Raises a kind of EndpointError. A text that was cut at `max_tokens` is returned with
        finish_reason "length"; ask `Completion.whole()` when a cut one is of no use.
        """
        began = time.monotonic()
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [dict(message) for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed,
        }
        if stop:
            request["stop"] = list(stop)
        body = self._with_retries(request, until=began + self.deadline_s)
        return self._read(body, began)

    def _with_retries(self, request: Mapping[str, Any], until: float) -> bytes:
        attempt = 0
        while True:
            try:
                return self._attempt(request, until)
            except openai.APIStatusError as error:
                pause = self._pause_before_retry(error, attempt)
                if pause is None or time.monotonic() + pause >= until:
                    self._refuse(error)
            self._pause(pause)
            attempt += 1

    def _attempt(self, request: Mapping[str, Any], until: float) -> bytes:
        unwanted: dict[str, Any] = {
            "OpenAI-Organization": openai.omit,
            "OpenAI-Project": openai.omit,
        }
        if not self._has_key:
            unwanted["Authorization"] = openai.omit
        try:
            with (
                deadline(until),
                self._openai.chat.completions.with_streaming_response.create(
                    **request, extra_headers=unwanted, timeout=self.timeout_s
                ) as response,
            ):
                return self._collect(response.iter_bytes())
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            raise self._timed_out(until) from error
        except (openai.APIConnectionError, httpx2.RequestError) as error:
            raise EndpointUnreachable(f"{self._name} {why_unreachable(error)}") from error

    def _collect(self, chunks: Iterator[bytes]) -> bytes:
        body = bytearray()
        for chunk in chunks:
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                raise InvalidCompletion(
                    f"{self._name} sent more than {MAX_BODY_BYTES} bytes for one completion"
                )
        return bytes(body)

    def _pause_before_retry(self, error: openai.APIStatusError, attempt: int) -> float | None:
        """Return the seconds to wait before the next attempt, or None when there is none."""
        retryable = error.status_code == 429 or error.status_code >= 500
        # A spent quota is also a 429, and no waiting brings it back.
        if not retryable or error.code == "insufficient_quota" or attempt >= self.max_retries:
            return None
        asked = _retry_after(error.response.headers.get("retry-after"))
        if asked is not None:
            return asked
        longest = min(_FIRST_PAUSE_S * 2**attempt, _LONGEST_PAUSE_S)
        return random.uniform(longest / 2, longest)  # noqa: S311 (spreads load, guards nothing)

    def _refuse(self, error: openai.APIStatusError) -> NoReturn:
        status = error.status_code
        if status == 429:
            quota = error.code == "insufficient_quota"
            why = "its quota is used up" if quota else "too many requests"
            raise EndpointRateLimited(f"{self._name} answered with status 429: {why}", 429)
        if 300 <= status < 400:
            why = "a redirect, which is not followed; set the final address instead"
        elif status in (401, 403):
            why = "the key was not accepted"
        elif status == 404:
            why = f"no such address or no model called {self.model}"
        else:
            why = "a fault of the endpoint" if status >= 500 else "the request was not accepted"
        raise EndpointStatus(f"{self._name} answered with status {status}: {why}", status)

    def _timed_out(self, until: float) -> EndpointTimeout:
        whole = time.monotonic() >= until
        limit, what = (self.deadline_s, "in all") if whole else (self.timeout_s, "without a word")
        return EndpointTimeout(f"{self._name} gave no whole answer after {limit:g} s {what}")

    @property
    def _name(self) -> str:
        return f"endpoint {origin(self.base_url)}"

    def _read(self, body: bytes, began: float) -> Completion:
        data = self._parse(body)
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
        reason, model = choice.get("finish_reason"), data.get("model")
        return Completion(
            text=text,
            finish_reason=reason if isinstance(reason, str) else None,
            prompt_tokens=_count(usage.get("prompt_tokens")),
            completion_tokens=_count(usage.get("completion_tokens")),
            latency_ms=(time.monotonic() - began) * 1000,
            model=model if isinstance(model, str) and model else self.model,
        )

    def _parse(self, body: bytes) -> dict[str, Any]:
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise InvalidCompletion(
                f"{self._name} sent something that is not whole JSON; "
                "is its address that of an OpenAI-compatible API?"
            ) from error
        if not isinstance(data, dict) or not isinstance(data.get("choices"), list):
            raise InvalidCompletion(f"{self._name} sent JSON that is no chat completion")
        if not data["choices"]:
            raise EmptyCompletion(f"{self._name} sent a completion without choices")
        return data


def _count(value: object) -> int | None:
    counts = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_TOKENS
    return value if counts and isinstance(value, int) else None


def _retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for (a number or an HTTP date), or None."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(seconds, 0.0) if seconds == seconds else None
