"""Lanes of a worker that ends: nothing waits for ever, and what it had begun to ask is free."""

import threading
import time

import pytest

from annotation.models import Person, Project
from evaluation.calls import current_book
from evaluation.models import Call, Run
from evaluation.runs.building import _once
from evaluation.runs.execution import Worker
from evaluation.runs.lanes import Lanes
from tests.evaluation.runs.small_study import begin

KEY = "a" * 64


class Asking:
    """Steps that wait until they are let go, and then ask for a call."""

    def __init__(self) -> None:
        self.between, self.go_on = threading.Semaphore(0), threading.Event()

    def advance(self, _work: object) -> None:
        book = current_book.get()
        assert book is not None
        self.between.release()
        self.go_on.wait(timeout=10)
        book.take(KEY)


def ended(lanes: Lanes) -> bool:
    for thread in lanes._threads:
        thread.join(timeout=5)
    return not any(thread.is_alive() for thread in lanes._threads)


def test_a_lane_that_asks_as_the_worker_ends_does_not_wait_for_ever() -> None:
    steps = Asking()
    lanes = Lanes(steps, 1)  # type: ignore[arg-type]
    lanes.submit(object())  # type: ignore[arg-type]
    steps.between.acquire(timeout=10)
    steps.go_on.set()
    while not lanes._events.qsize():  # its question is there, and nobody takes it in
        time.sleep(0.001)
    lanes.stop()
    assert ended(lanes)


def test_a_lane_that_asks_after_the_worker_ended_does_not_wait_for_ever() -> None:
    steps = Asking()
    lanes = Lanes(steps, 1)  # type: ignore[arg-type]
    lanes.submit(object())  # type: ignore[arg-type]
    steps.between.acquire(timeout=10)
    lanes.stop()
    steps.go_on.set()
    assert ended(lanes)


def test_the_calls_of_a_worker_that_was_stopped_are_free_for_others(
    study: Project, engineer: Person
) -> None:
    run = Run.objects.select_related("conditions__corpus").get(
        pk=begin(engineer, study, ["original"]).pk
    )
    with pytest.raises(KeyboardInterrupt), Worker(run, "w1", None):
        Call.objects.create(run=run, key=KEY, worker="w1", leased_until="2999-01-01T00:00:00Z")
        raise KeyboardInterrupt
    assert not Call.objects.exists()


def test_a_part_that_cannot_be_built_is_tried_once() -> None:
    tried = []

    def build() -> object:
        tried.append(1)
        raise RuntimeError("no such model")

    part = _once(build)
    for _lane in range(3):
        with pytest.raises(RuntimeError, match="no such model"):
            part()
    assert len(tried) == 1
