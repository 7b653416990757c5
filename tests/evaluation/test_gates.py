import threading

import pytest

from evaluation.gates import Gate, GateSettingsError, Outcome, Slot, TooLong, gate_of, states
from evaluation.gates import most_connections as connections
from evaluation.generation.errors import EndpointAway


class Clock:
    """A clock that only moves when somebody pauses."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


class Calls:
    """A gate, its clock, and calls through it."""

    def __init__(self, **limits: int) -> None:
        self.clock = Clock()
        self.gate = Gate(clock=self.clock, **limits)

    def begin(self, until: float = 1e9) -> Slot:
        return self.gate.enter("service s", until=until, pause=self.clock.pause)

    def end(self, slot: Slot, outcome: Outcome, rest_s: float = 0.0) -> None:
        self.clock.now += 0.1
        self.gate.leave(slot, outcome, rest_s=rest_s)

    def make(self, *outcomes: Outcome) -> None:
        for outcome in outcomes:
            self.end(self.begin(), outcome)

    @property
    def limit(self) -> int:
        return self.gate.state().limit

    def away(self) -> EndpointAway:
        with pytest.raises(EndpointAway) as caught:
            self.begin()
        return caught.value


def test_it_begins_with_eight_calls_at_a_time() -> None:
    assert Calls().limit == 8


def test_until_the_first_halving_every_success_adds_one_up_to_the_ceiling() -> None:
    calls = Calls(ceiling=10)
    calls.make(Outcome.GOOD)
    assert calls.limit == 9
    calls.make(*[Outcome.GOOD] * 5)
    assert calls.limit == 10


@pytest.mark.parametrize("outcome", [Outcome.BUSY, Outcome.SLOW])
def test_too_many_requests_and_slowness_halve_it(outcome: Outcome) -> None:
    calls = Calls()
    calls.make(outcome)
    assert calls.limit == 4


@pytest.mark.parametrize("outcome", [Outcome.REFUSED, Outcome.DOWN, Outcome.NOTHING])
def test_what_says_nothing_of_its_load_changes_nothing(outcome: Outcome) -> None:
    calls = Calls()
    calls.make(outcome)
    assert calls.limit == 8


def test_after_a_halving_a_window_of_successes_adds_one() -> None:
    calls = Calls()
    calls.make(Outcome.BUSY, *[Outcome.GOOD] * 3)
    assert calls.limit == 4
    calls.make(Outcome.GOOD)
    assert calls.limit == 5
    calls.make(*[Outcome.GOOD] * 5)
    assert calls.limit == 6


def test_the_calls_of_one_round_trip_halve_it_once() -> None:
    calls = Calls()
    together = [calls.begin() for _ in range(6)]
    for slot in together:
        calls.end(slot, Outcome.BUSY)
    assert calls.limit == 4


def test_a_call_sent_after_a_halving_halves_it_again() -> None:
    calls = Calls()
    calls.make(Outcome.BUSY, Outcome.BUSY)
    assert calls.limit == 2


def test_it_never_goes_below_one() -> None:
    calls = Calls()
    calls.make(*[Outcome.BUSY] * 10)
    assert calls.limit == 1


def test_a_pause_is_kept_by_everybody() -> None:
    calls = Calls()
    calls.end(calls.begin(), Outcome.BUSY, rest_s=7.0)
    calls.begin()
    assert calls.clock.pauses == [pytest.approx(7.0)]


def test_the_longest_pause_counts() -> None:
    calls = Calls()
    one, two = calls.begin(), calls.begin()
    calls.end(one, Outcome.BUSY, rest_s=7.0)
    calls.end(two, Outcome.BUSY, rest_s=1.0)
    assert calls.gate.state().rest_s == pytest.approx(6.9)


def test_a_pause_beyond_a_callers_deadline_is_not_waited_for() -> None:
    calls = Calls()
    calls.end(calls.begin(), Outcome.BUSY, rest_s=7.0)
    with pytest.raises(TooLong) as caught:
        calls.begin(until=calls.clock.now + 5)
    assert (caught.value.seconds, calls.clock.pauses) == (pytest.approx(7.0), [])


def test_no_slot_is_held_during_a_pause() -> None:
    calls = Calls()
    calls.end(calls.begin(), Outcome.BUSY, rest_s=7.0)
    seen: list[int] = []
    calls.gate.enter(
        "service s",
        until=1e9,
        pause=lambda seconds: seen.append(calls.gate.state().in_flight),
    )
    assert seen == [0]


def test_eight_failures_in_a_row_shut_it() -> None:
    calls = Calls()
    calls.make(*[Outcome.DOWN] * 7)
    calls.make(Outcome.DOWN)
    away = calls.away()
    assert str(away) == (
        "service s is away: the last 8 calls failed, the newest because it failed. "
        "It is asked again in 1 s."
    )
    assert away.again_in == pytest.approx(1.0)


@pytest.mark.parametrize("outcome", [Outcome.GOOD, Outcome.REFUSED, Outcome.BUSY])
def test_any_answer_in_between_keeps_it_open(outcome: Outcome) -> None:
    calls = Calls()
    calls.make(*[Outcome.DOWN] * 7, outcome, *[Outcome.DOWN] * 7)
    calls.begin()


def test_a_call_that_did_not_get_as_far_keeps_the_count() -> None:
    calls = Calls()
    calls.make(*[Outcome.DOWN] * 7, Outcome.NOTHING, Outcome.SLOW)
    calls.away()


def test_after_its_time_exactly_one_call_is_let_through() -> None:
    calls = Calls()
    calls.make(*[Outcome.DOWN] * 8)
    calls.clock.now += 1.0
    calls.begin()
    assert calls.away().again_in == 1.0


def test_a_success_of_that_call_opens_it() -> None:
    calls = Calls()
    calls.make(*[Outcome.DOWN] * 8)
    calls.clock.now += 1.0
    calls.make(Outcome.GOOD, Outcome.GOOD)
    assert calls.gate.state().away_s is None


def test_each_failure_of_that_call_doubles_the_time_up_to_thirty_seconds() -> None:
    calls = Calls()
    calls.make(*[Outcome.DOWN] * 8)
    times = []
    for _ in range(7):
        times.append(round(calls.away().again_in))
        calls.clock.now += 30.0
        calls.make(Outcome.DOWN)
    assert times == [1, 2, 4, 8, 16, 30, 30]


def test_an_aborted_probe_lets_the_next_caller_try() -> None:
    calls = Calls()
    calls.make(*[Outcome.DOWN] * 8)
    calls.clock.now += 1.0
    calls.make(Outcome.NOTHING)
    calls.make(Outcome.GOOD)


def test_failures_of_calls_sent_before_it_shut_do_not_keep_it_shut_longer() -> None:
    calls = Calls(ceiling=32, start=32)
    together = [calls.begin() for _ in range(20)]
    for slot in together:
        calls.end(slot, Outcome.DOWN)
    away_s = calls.gate.state().away_s
    assert away_s is not None and away_s <= 1.0


def test_more_callers_than_slots_take_turns() -> None:
    gate = Gate(ceiling=3, start=3)
    inside, most = 0, 0
    lock = threading.Lock()

    def call() -> None:
        nonlocal inside, most
        for _ in range(20):
            slot = gate.enter("service s", until=1e9)
            with lock:
                inside += 1
                most = max(most, inside)
            with lock:
                inside -= 1
            gate.leave(slot, Outcome.GOOD)

    threads = [threading.Thread(target=call) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert 1 <= most <= 3 and gate.state().in_flight == 0


def test_those_who_wait_for_a_slot_learn_that_it_was_shut() -> None:
    gate = Gate(ceiling=1, start=1, failures=1)
    slot = gate.enter("service s", until=1e9)
    learned: list[float] = []

    def wait() -> None:
        try:
            gate.enter("service s", until=1e9)
        except EndpointAway as away:
            learned.append(away.again_in)

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    gate.leave(slot, Outcome.DOWN)
    for thread in threads:
        thread.join(10)
    assert len(learned) == 3


def test_waiting_for_a_slot_does_not_use_up_a_deadline() -> None:
    gate = Gate(ceiling=1, start=1)
    slot = gate.enter("service s", until=1e9)
    got: list[Slot] = []
    waiting = threading.Thread(
        target=lambda: got.append(gate.enter("service s", until=0.0)), daemon=True
    )
    waiting.start()
    gate.leave(slot, Outcome.GOOD)
    waiting.join(10)
    assert got and got[0].queued_s >= 0


def test_each_service_has_its_own_gate_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_CONNECTIONS", "5")
    assert gate_of("http://a:1") is gate_of("http://a:1") is not gate_of("http://b:1")
    assert {origin: state.limit for origin, state in states().items()} == {
        "http://a:1": 5,
        "http://b:1": 5,
    }


def test_the_ceiling_is_32_unless_it_is_set() -> None:
    assert (connections({}), connections({"INTACT_CONNECTIONS": " 12 "})) == (32, 12)


@pytest.mark.parametrize("text", ["0", "65", "many", "-1", "1.5", "\u0663"])
def test_a_ceiling_that_is_no_such_number_is_refused(text: str) -> None:
    with pytest.raises(GateSettingsError, match="a whole number from 1 to 64"):
        connections({"INTACT_CONNECTIONS": text})
