"""A team's own service as a part: its address, its client, and what its replies may hold.

A service is trusted in nothing: what it sends is checked as an imported file is. No Django.
"""

import json
import os
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from evaluation.registry import Part, PartError

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.outbound import Outbound, Reply

MAX_REPLY_BYTES = 1_000_000
_MOST_TOKENS = 10**9  # a larger count is no count
_MOST_RAW = 10_000  # characters of a reply that are kept beside the reason why it was refused


class OwnError(Exception):
    """The service was reached and is at fault itself. The text is a sentence."""


@dataclass(frozen=True, slots=True)
class ServiceParameters:
    """Which service, and how long it may take.

    `revision`: your name for what is served there (a version, a commit). It is frozen with the
    Conditions: give a new one when the service changes, since from here nothing else shows that.
    `deadline_s`: seconds until a call is given up, at most 240.
    """

    url: str = ""
    revision: str = ""
    deadline_s: float = 30.0

    def __post_init__(self) -> None:
        if not 0.1 <= self.deadline_s <= 240:
            raise ValueError(f"deadline_s must lie between 0.1 and 240, not {self.deadline_s}.")


class ServicePart(Part):
    """A part that asks a team's own service. `noun` names it in sentences, `url_setting` is the
    setting that has its address where its parameter has none.
    """

    noun: ClassVar[str]
    max_bytes: ClassVar[int] = MAX_REPLY_BYTES
    url_setting: ClassVar[str]
    parameters: ServiceParameters
    remote = True

    @cached_property
    def url(self) -> str:
        """Return the service's address; raise PartError when none is set."""
        url = self.parameters.url.strip() or os.environ.get(self.url_setting, "").strip()
        if not url:
            raise PartError(
                f'The {self.noun} "{self.name}" needs the address of your service: set '
                f'{self.url_setting}, or its parameter "url".'
            )
        return url

    @cached_property
    def client(self) -> "Outbound":
        """Return the client of the service; raise PartError for an address that is never called."""
        from evaluation.outbound import Outbound, OutboundError

        try:
            outbound = Outbound.from_environment(os.environ, self.url)
            outbound.check(self.url)
        except OutboundError as fault:
            raise self._cannot_call(fault) from fault
        return outbound

    def model(self) -> Mapping[str, Any]:
        """The service is frozen by its address and by the name that the team gave to its state."""
        _ = self.client  # an address that can never be called is refused before a run
        return {"endpoint": self.url, "revision": self.parameters.revision}

    def post(self, body: Any, *, its_own: Container[int] = ()) -> "Reply":
        """Return what the service answers. Raises PartError when it may not be called at all, and
        lets an EndpointError through.
        """
        from evaluation.outbound import RETRIES, OutboundError

        try:
            return self.client.post_json(
                self.url,
                body,
                deadline_s=self.parameters.deadline_s,
                max_bytes=self.max_bytes,
                retries=RETRIES,
                its_own=its_own,
            )
        except OutboundError as fault:
            if fault.kind in ("address", "key"):  # no case can be sent, so no case fails
                raise self._cannot_call(fault) from fault
            raise

    def ask(self, body: Any, *, its_own: Container[int]) -> "Reply":
        """The same, with OwnError for a status in `its_own` and for what is no whole JSON or too
        large.
        """
        from evaluation.outbound import OutboundError

        try:
            return self.post(body, its_own=its_own)
        except OutboundError as fault:
            judged = fault.kind == "status" and fault.status in its_own
            if judged or fault.kind in ("invalid", "too_large"):
                raise OwnError(str(fault)) from fault
            raise

    def _cannot_call(self, fault: Exception) -> PartError:
        return PartError(f'The {self.noun} "{self.name}" cannot call its service: {fault}')


def raw_of(body: Any) -> str | None:
    """Return a reply as text, to be kept beside why it was refused."""
    try:
        # ASCII, so that a text that cannot be stored can still be shown.
        return json.dumps(body)[:_MOST_RAW]
    except RecursionError:
        return None


def optional_text(reply: Mapping[str, Any], name: str) -> str | None:
    """Return a text without the blanks around it, None for none and for blanks alone.

    This and the functions below raise ValueError (a sentence) for anything else.
    """
    value = reply.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} of the service's reply is no text")
    return value.strip() or None if value else None


def flag(reply: Mapping[str, Any], name: str) -> bool:
    """Return true or false; false for none."""
    value = reply.get(name)
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{name} of the service's reply is neither true nor false")
    return bool(value)


def object_in(reply: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return an object; an empty one for none."""
    value = reply.get(name)
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"{name} of the service's reply is no object")
    return dict(value or {})


def tokens_in(reply: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the counts of tokens by name; None for none."""
    counts = object_in(reply, "tokens")
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST_TOKENS:
            raise ValueError(f"the count of tokens “{name}” is no whole number from 0")
    return counts or None


def cost_in(reply: Mapping[str, Any]) -> float | None:
    """Return the cost in USD; None for none."""
    cost = reply.get("cost_usd")
    if cost is None:
        return None
    if isinstance(cost, bool) or not isinstance(cost, int | float) or cost < 0:
        raise ValueError("cost_usd of the service's reply is no number from 0")
    return float(cost)
