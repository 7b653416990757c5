"""How many calls an outside service gets at a time, and when it gets none. No Django, no traffic.

One gate for each service (scheme, host and port) and process, shared by all who call it:

- the number of calls at a time grows while they succeed and is halved when the service asks for
  patience or is too slow (additive increase, multiplicative decrease; Chiu and Jain 1989). Until
  the first halving it grows by one with every success, as TCP's slow start does (RFC 5681);
- a pause that the service asks for (Retry-After) is kept by everybody;
- after several failures in a row nobody calls it for a while, then one call tries (Nygard's circuit
  breaker): callers learn at once that it is away, instead of each waiting in vain.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from evaluation.generation.errors import EndpointAway

CONNECTIONS = "INTACT_CONNECTIONS"
MOST_CONNECTIONS = 64
START = 8
FAILURES = 8
LONGEST_AWAY_S = 30.0


class GateSettingsError(ValueError):
    """INTACT_CONNECTIONS is no usable number. The text says what to set."""


class Outcome(Enum):
    """What an exchange says about the service."""

    GOOD = "a success"
    REFUSED = "it answered, and refused this request"
    BUSY = "it answered, and asks for patience"
    DOWN = "a fault of its own, or no connection"
    SLOW = "overloaded, or no answer in time"
    NOTHING = "nothing: the exchange did not get as far as the service"


@dataclass(frozen=True, slots=True)
class GateState:
    """A gate in numbers, for a page. `away_s` is None unless the service is not called."""

    limit: int
    in_flight: int
    rest_s: float
    failures: int
    away_s: float | None


@dataclass(frozen=True, slots=True)
class Slot:
    """Leave to make one call. `queued_s`: how long it was waited for, pauses not counted."""

    began: float
    queued_s: float
    probe: bool


class TooLong(Exception):
    """The service's pause ends after the caller's deadline. `seconds` is what is left of it."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"a pause of {seconds:.0f} s")
        self.seconds = seconds


class Gate:
    """The gate of one service. Safe to use from threads.

    `ceiling`: the most calls at a time. `failures`: so many in a row shut the gate.
    """

    def __init__(
        self,
        *,
        ceiling: int = 32,
        start: int = START,
        failures: int = FAILURES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ceiling = ceiling
        self._limit = min(start, ceiling)
        self._most_failures = failures
        self._clock = clock
        self._free = threading.Condition()
        self._in_flight = 0
        self._successes = 0
        self._halved_at: float | None = None
        self._rest_until = 0.0
        self._failures = 0
        self._why = ""
        self._shut_until: float | None = None
        self._shut_times = 0
        self._probing = False

    def state(self) -> GateState:
        """Return where the gate stands now."""
        with self._free:
            now = self._clock()
            return GateState(
                limit=self._limit,
                in_flight=self._in_flight,
                rest_s=max(0.0, self._rest_until - now),
                failures=self._failures,
                away_s=None if self._shut_until is None else max(0.0, self._shut_until - now),
            )

    def enter(
        self,
        who: str,
        *,
        until: float,
        pause: Callable[[float], None] = time.sleep,
        not_before: float = 0.0,
    ) -> Slot:
        """Wait for leave to make one call, and return it; `leave` gives it back.

        A pause is waited for with `pause`, at least until `not_before`; one that ends after `until`
        raises TooLong. Waiting for a free slot has no limit, since every call in flight has one.
        Raises EndpointAway, whose sentence begins with `who`, while the gate is shut.
        """
        rested_until, queued = 0.0, 0.0
        while True:
            with self._free:
                now = self._clock()
                self._refuse_if_shut(who, now)
                rest_until = max(self._rest_until, not_before)
                if rest_until <= max(now, rested_until):
                    if self._in_flight < self._limit:
                        return self._admit(now, queued)
                    self._free.wait()
                    queued += self._clock() - now
                    until += self._clock() - now
                    continue
                self._free.notify()  # whoever woke us may wake another in our place
            if rest_until > until:
                raise TooLong(rest_until - now)
            pause(rest_until - now)
            rested_until = rest_until

    def leave(
        self, slot: Slot, outcome: Outcome, *, rest_s: float = 0.0, why: str = "it failed"
    ) -> None:
        """Give a slot back, with what the call says; `rest_s` is the pause that was asked for, and
        `why` a clause that says what failed.
        """
        with self._free:
            now = self._clock()
            self._in_flight -= 1
            if slot.probe:
                self._probing = False
            self._rest_until = max(self._rest_until, now + rest_s)
            self._resize(slot, outcome, now)
            if outcome in (Outcome.DOWN, Outcome.SLOW):
                self._failed(slot, now, why)
            elif outcome is not Outcome.NOTHING:
                self._failures = self._shut_times = 0
                self._shut_until = None
            if self._shut_until is not None:
                self._free.notify_all()
            else:
                self._free.notify(max(1, self._limit - self._in_flight))

    def _admit(self, now: float, queued: float) -> Slot:
        probe = self._shut_until is not None
        self._probing = self._probing or probe
        self._in_flight += 1
        return Slot(now, queued, probe)

    def _refuse_if_shut(self, who: str, now: float) -> None:
        if self._shut_until is None or (now >= self._shut_until and not self._probing):
            return
        again_in = max(self._shut_until - now, 1.0 if self._probing else 0.0)
        raise EndpointAway(
            f"{who} is away: the last {self._failures} calls failed, the newest because "
            f"{self._why}.",
            again_in=again_in,
        )

    def _resize(self, slot: Slot, outcome: Outcome, now: float) -> None:
        if outcome is Outcome.GOOD:
            self._successes += 1
            if self._successes >= (1 if self._halved_at is None else self._limit):
                self._successes = 0
                self._limit = min(self._limit + 1, self._ceiling)
        elif outcome in (Outcome.BUSY, Outcome.SLOW):
            # Calls that were sent before the last halving say nothing about what came after it.
            if self._halved_at is None or slot.began >= self._halved_at:
                self._limit = max(1, self._limit // 2)
                self._successes = 0
                self._halved_at = now

    def _failed(self, slot: Slot, now: float, why: str) -> None:
        if self._shut_until is not None and not slot.probe:
            return  # it was sent before the gate was shut, and says nothing new
        self._failures += 1
        self._why = why
        if slot.probe or self._failures >= self._most_failures:
            self._shut_until = now + min(2.0**self._shut_times, LONGEST_AWAY_S)
            self._shut_times += 1


_gates: dict[str, Gate] = {}
_lock = threading.Lock()


def gate_of(origin: str, *, at_once: int | None = None) -> Gate:
    """Return this process's gate of a service, named by scheme, host and port; a new one lets in
    `at_once` calls at the most, or what INTACT_CONNECTIONS says.
    """
    with _lock:
        if origin not in _gates:
            _gates[origin] = Gate(ceiling=at_once or most_connections(os.environ))
        return _gates[origin]


def states() -> dict[str, GateState]:
    """Return where every gate of this process stands, by the origin of its service."""
    with _lock:
        gates = dict(_gates)
    return {origin: gate.state() for origin, gate in sorted(gates.items())}


def most_connections(environment: Mapping[str, str]) -> int:
    """Return INTACT_CONNECTIONS, 32 when unset; raise GateSettingsError when it is no number."""
    text = environment.get(CONNECTIONS, "").strip() or "32"
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_CONNECTIONS):
        raise GateSettingsError(
            f"{CONNECTIONS} must be a whole number from 1 to {MOST_CONNECTIONS}: the most calls "
            "that a worker process makes at a time."
        )
    return int(text)


def forget() -> None:
    """Begin anew with every service: in a process that was forked from one that had called."""
    global _gates, _lock
    _gates, _lock = {}, threading.Lock()


os.register_at_fork(after_in_child=forget)
