"""Where the steps of a worker's cases are computed: side by side while they wait for services.

Parts that ask nobody are computed one after the other in the worker's own thread: for them threads
would only cost. With parts that call out, each lane is a thread and so many calls are under way.
"""

import contextlib
import queue
import threading
import time
from dataclasses import dataclass

from evaluation.calls import current_book
from evaluation.runs.cases import CaseWork
from evaluation.runs.sharing import Paid, Question, StepBook, Stopped
from evaluation.runs.steps import Steps


@dataclass
class Stepped:
    """A step that ended: `fault` is what stopped it other than by an outcome of its case."""

    work: CaseWork
    book: StepBook | None = None
    fault: BaseException | None = None

    @property
    def has_to_be_kept(self) -> bool:
        """Whether its case ended, or paid for what is not kept yet."""
        return self.fault is None and bool(self.work.status or self.work.has_paid)

    @property
    def can_wait(self) -> bool:
        """Whether its case may be kept later: nobody waits for it, and what it paid for is kept."""
        told = self.book is not None and not (self.book.kept or self.book.dropped)
        return told and self.fault is None and bool(self.work.status)

    @property
    def went_through(self) -> bool:
        """Whether it called out and was answered."""
        made = self.book is not None and self.book.made > 0
        return made and self.fault is None and not self.work.failed


Event = Stepped | Question | Paid

# Without lanes so many cases are computed between two transactions.
BATCH = 64
# With lanes, what happens within so short a time is kept in one transaction.
_GATHER_S = 0.006


class Lanes:
    """`count` lanes, or 0 to compute in the thread that asks. Only one thread may use it."""

    def __init__(self, steps: Steps, count: int) -> None:
        self._steps = steps
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._works: queue.SimpleQueue[CaseWork | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._lane, name=f"lane-{n}", daemon=True) for n in range(count)
        ]
        for thread in self._threads:
            thread.start()
        self._under_way = 0
        self._broken = False
        self._stopped = False

    @property
    def count(self) -> int:
        return len(self._threads)

    @property
    def free(self) -> bool:
        """Whether one more step may be submitted now."""
        return not self._broken and self._under_way < (self.count or BATCH)

    def submit(self, work: CaseWork) -> None:
        self._under_way += 1
        if self._threads:
            self._works.put(work)
            return
        try:
            self._steps.advance(work)
        except BaseException as fault:  # raised by whoever takes the event in
            self._broken = True
            self._events.put(Stepped(work, fault=fault))
        else:
            self._events.put(Stepped(work))

    def events(self, timeout: float) -> list[Event]:
        """Return what has happened, after at most `timeout` seconds; [] if nothing did."""
        found: list[Event] = []
        with contextlib.suppress(queue.Empty):
            found.append(self._events.get(timeout=timeout))
            if self._threads:
                time.sleep(_GATHER_S)
            while True:
                found.append(self._events.get_nowait())
        self._under_way -= sum(isinstance(event, Stepped) for event in found)
        return found

    def stop(self) -> None:
        """Let the lanes end once they are through with what they do; none asks any more."""
        self._stopped = True
        for _thread in self._threads:
            self._works.put(None)
        with contextlib.suppress(queue.Empty):
            while True:
                event = self._events.get_nowait()
                if isinstance(event, Question):
                    event.stop()

    def _ask(self, question: Question) -> None:
        self._events.put(question)
        if self._stopped:  # looked at last, so that it is seen here or found by `stop`
            question.stop()

    def _lane(self) -> None:
        while (work := self._works.get()) is not None and not self._stopped:
            book = StepBook(self._ask, self._events.put)
            current_book.set(book)
            try:
                self._steps.advance(work)
            except Stopped:
                continue
            except BaseException as fault:
                self._events.put(Stepped(work, book, fault))
            else:
                self._events.put(Stepped(work, book))
