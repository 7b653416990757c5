"""One call to a service: its attempts through the gate, and what each one says. No Django.

Tried again are only 408, 429, 5xx and faults of the connection, with growing pauses of full jitter
(Brooker 2015, "Exponential Backoff and Jitter") or, if longer, after what Retry-After says. Nothing
else is: a refusal stays one, and so does an answer that cannot be read.
"""

import json
import random
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpcore2

from evaluation.gates import Gate, Outcome, Slot, TooLong
from evaluation.generation.errors import (
    EndpointError,
    EndpointQuotaSpent,
    OutboundError,
    OutboundRateLimited,
    OutboundTimeout,
)
from evaluation.locations import Location
from evaluation.transport import (
    Connections,
    address_refused,
    deadline,
    is_passing,
    why_unreachable,
)

MOST_RETRIES = 5
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 20.0
_MAX_REFUSAL_BYTES = 64_000

_FAULTS = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.UnsupportedProtocol,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt gave nothing, what that says of the service, and whether to try again.

    `rest_s` is the pause that the service asks for, or None.
    """

    error: EndpointError
    outcome: Outcome
    again: bool = False
    rest_s: float | None = None


class _Failed(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure.error))
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is sent where, and the limits of the call. `who` begins every sentence."""

    who: str
    location: Location
    headers: Sequence[tuple[str, str]]
    content: bytes
    deadline_s: float
    silence_s: float
    max_bytes: int
    its_own: Container[int] = ()

    def make(
        self,
        connections: Connections,
        gate: Gate,
        *,
        retries: int,
        pause: Callable[[float], None],
    ) -> tuple[bytes, float]:
        """Return the body of the answer and the milliseconds that it took, pauses included and the
        wait for a slot not.
        """
        began = time.monotonic()
        until, not_before = began + self.deadline_s, 0.0
        attempt = 0
        while True:
            slot = self._enter(gate, until, not_before, pause)
            began, until = began + slot.queued_s, until + slot.queued_s
            try:
                body = self._through(gate, slot, connections, until)
                return body, (time.monotonic() - began) * 1000
            except _Failed as failed:
                failure = failed.failure
                left = until - time.monotonic()
                pause_s = max(_backoff(attempt), failure.rest_s or 0.0)
                if not failure.again or attempt >= min(retries, MOST_RETRIES):
                    raise failure.error from failed.__cause__
                if pause_s >= left:
                    raise self._given_up(failure, left) from failed.__cause__
                not_before = time.monotonic() + pause_s
            attempt += 1

    def _enter(
        self, gate: Gate, until: float, not_before: float, pause: Callable[[float], None]
    ) -> Slot:
        try:
            return gate.enter(self.who, until=until, pause=pause, not_before=not_before)
        except TooLong as fault:
            raise OutboundRateLimited(
                f"{self.who} asked for a pause that lasts another {fault.seconds:.0f} s, more than "
                "is left for this call"
            ) from fault

    def _through(self, gate: Gate, slot: Slot, connections: Connections, until: float) -> bytes:
        outcome, rest_s, why = Outcome.NOTHING, 0.0, ""
        try:
            body = self._attempt(connections, until)
            outcome = Outcome.GOOD
            return body
        except _Failed as failed:
            outcome = failed.failure.outcome
            why = f"it{str(failed.failure.error).removeprefix(self.who)}"
            rest_s = min(failed.failure.rest_s or 0.0, max(0.0, until - time.monotonic()))
            raise
        finally:
            gate.leave(slot, outcome, rest_s=rest_s, why=why)

    def _given_up(self, failure: Failure, left: float) -> EndpointError:
        if (failure.rest_s or 0.0) < left:
            return failure.error
        sentence = (
            f"{failure.error}; it asks to wait {failure.rest_s:.0f} s, more than the "
            f"{max(left, 0):.0f} s that are left for this call"
        )
        if isinstance(failure.error, OutboundRateLimited):
            return OutboundRateLimited(sentence)
        status = getattr(failure.error, "status", 0)
        return OutboundError(sentence, kind="status", status=status)

    def _attempt(self, connections: Connections, until: float) -> bytes:
        at = self.location
        url = httpcore2.URL(scheme=at.scheme, host=at.host, port=at.unusual_port, target=at.target)
        try:
            with (
                deadline(until),
                connections.stream(
                    url, headers=self.headers, content=self.content, silence_s=self.silence_s
                ) as response,
            ):
                return self._read(response)
        except (httpcore2.TimeoutException, TimeoutError) as error:
            raise _Failed(Failure(self._late(until), Outcome.SLOW)) from error
        except _FAULTS as error:
            raise _Failed(self._unreachable(error)) from error

    def _read(self, response: httpcore2.Response) -> bytes:
        headers = {name.lower(): value.decode("latin-1") for name, value in response.headers}
        if not 200 <= response.status < 300:
            said = _beginning(response.iter_stream())
            raise _Failed(self._refused(response.status, said, headers.get(b"retry-after")))
        if headers.get(b"content-encoding", "identity").lower() != "identity":
            raise self._unread("sent a compressed answer, which was not asked for", "invalid")
        body = bytearray()
        for chunk in response.iter_stream():
            body += chunk
            if len(body) > self.max_bytes:
                raise self._unread(f"sent more than {self.max_bytes} bytes", "too_large")
        return bytes(body)

    def _unread(self, what: str, kind: str) -> _Failed:
        # The service works: what it sent is of no use, but it is not away.
        return _Failed(Failure(OutboundError(f"{self.who} {what}", kind=kind), Outcome.REFUSED))

    def _late(self, until: float) -> OutboundTimeout:
        whole = time.monotonic() >= until
        limit, what = (self.deadline_s, "in all") if whole else (self.silence_s, "without a word")
        return OutboundTimeout(
            f"{self.who} gave no whole answer after {limit:g} s {what}", kind="timeout"
        )

    def _unreachable(self, error: Exception) -> Failure:
        if refused := address_refused(error):
            return Failure(OutboundError(str(refused), kind="address"), Outcome.NOTHING)
        fault = OutboundError(f"{self.who} {why_unreachable(error)}", kind="unreachable")
        return Failure(fault, Outcome.DOWN, again=is_passing(error))

    def _refused(self, status: int, said: bytes, retry_after: str | None) -> Failure:
        where = f"{self.who} answered with status {status}"
        if 300 <= status < 400:
            why = "a redirect, which is not followed; set the final address instead"
            redirect = OutboundError(f"{where}: {why}", kind="redirect", status=status)
            return Failure(redirect, Outcome.REFUSED)
        if status not in self.its_own and (status == 402 or (status == 429 and _no_quota(said))):
            spent = EndpointQuotaSpent(f"{where}: its quota is used up", status)
            return Failure(spent, Outcome.REFUSED)
        if status == 429:
            limited = OutboundRateLimited(f"{where}: too many requests")
            failure = Failure(limited, Outcome.BUSY, True, retry_after_s(retry_after))
        else:
            why = "a fault of the service" if status >= 500 else "the request was not accepted"
            why = "the key was not accepted" if status in (401, 403) else why
            refusal = OutboundError(f"{where}: {why}", kind="status", status=status, said=said)
            failure = Failure(refusal, _outcome(status))
            if status == 408 or status >= 500:
                failure = replace(failure, again=True, rest_s=retry_after_s(retry_after))
        if status in self.its_own:
            return Failure(failure.error, Outcome.REFUSED)
        return failure


def retry_after_s(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for (a number or an HTTP date), or None."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            when = parsedate_to_datetime(header)
            seconds = (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(seconds, 0.0) if seconds == seconds else None


def _backoff(attempt: int) -> float:
    longest = min(_FIRST_PAUSE_S * 2**attempt, _LONGEST_PAUSE_S)
    return random.uniform(0, longest)  # noqa: S311 (spreads load, guards nothing)


def _outcome(status: int) -> Outcome:
    if status == 408:
        return Outcome.BUSY
    if status == 503:
        return Outcome.SLOW
    return Outcome.DOWN if status >= 500 else Outcome.REFUSED


def _beginning(chunks: Iterator[bytes]) -> bytes:
    said = bytearray()
    try:
        for chunk in chunks:
            said += chunk
            if len(said) > _MAX_REFUSAL_BYTES:
                break
    except (httpcore2.TimeoutException, *_FAULTS):
        pass  # the status alone says enough
    return bytes(said[:_MAX_REFUSAL_BYTES])


def _no_quota(said: bytes) -> bool:
    try:
        error = json.loads(said)["error"]
        return "insufficient_quota" in (error.get("code"), error.get("type"))
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return False
