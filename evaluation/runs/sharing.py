"""Equal outside calls of a run are made once, whichever worker comes first: rows decide.

A lane that is about to call asks here and waits; the worker's main thread answers out of the rows,
many questions in one transaction. A row is written before its call is made.
"""

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db.models.functions import Now

from annotation.services.ledger import database_time
from evaluation.models import Call, Run
from evaluation.models.inserting import insert
from evaluation.runs.claiming import lease, lease_end

_CALL = ("key", "worker", "reply")
_POLL_S = 0.1  # how often the rows of calls that another worker makes are looked at


class Stopped(Exception):
    """The worker ends: what waits for a call goes no further. Nobody sees this."""


class Question:
    """One lane that waits to hear whether an equal call was made already.

    `kept` and `dropped` are the calls of its step that ended before: others need not wait for them
    until the step ends. Two steps that want the same calls in another order would wait for ever.
    """

    def __init__(
        self,
        key: str,
        kept: Mapping[str, dict[str, Any]] = MappingProxyType({}),
        dropped: Sequence[str] = (),
    ) -> None:
        self.key = key
        self.kept = kept
        self.dropped = dropped
        self._answered = threading.Event()
        self._reply: dict[str, Any] | None = None
        self._stopped = False

    def answer(self, reply: dict[str, Any] | None) -> None:
        """`reply` of the equal call; None: the asker makes the call."""
        self._reply = reply
        self._answered.set()

    def stop(self) -> None:
        self._stopped = True
        self._answered.set()

    def wait(self) -> dict[str, Any] | None:
        self._answered.wait()
        if self._stopped:
            raise Stopped
        return self._reply


@dataclass(frozen=True, slots=True)
class Paid:
    """Replies that were read: they can be kept while their step goes on."""

    kept: Mapping[str, dict[str, Any]]
    dropped: Sequence[str] = ()


class StepBook:
    """The calls of one step, as `evaluation.calls.CallBook`; used by one lane only.

    `kept` and `dropped` are those that ended since it last asked or told.
    """

    def __init__(self, ask: Callable[[Question], None], tell: Callable[[Paid], None]) -> None:
        self._ask = ask
        self._tell = tell
        self.made = 0
        self.shared = 0
        self.kept: dict[str, dict[str, Any]] = {}
        self.dropped: list[str] = []
        self._replies: dict[str, dict[str, Any]] = {}

    def take(self, key: str) -> dict[str, Any] | None:
        if key in self._replies:
            self.shared += 1
            return self._replies[key]
        question = Question(key, self.kept, self.dropped)
        self.kept, self.dropped = {}, []
        self._ask(question)
        reply = question.wait()
        if reply is None:
            self.made += 1
        else:
            self.shared += 1
        return reply

    def keep(self, key: str, reply: dict[str, Any]) -> None:
        self.kept[key] = self._replies[key] = reply

    def drop(self, key: str) -> None:
        self.kept.pop(key, None)
        self._replies.pop(key, None)
        self.dropped.append(key)

    def pass_on(self) -> None:
        """Have the replies kept now, not when the step ends: the next calls wait for that."""
        if self.kept and not self.dropped:
            self._tell(Paid(self.kept))
            self.kept = {}

    def drop_all(self) -> None:
        """Nothing of what it kept and did not pass on can be stored."""
        for key in list(self.kept):
            self.drop(key)

    def counts(self) -> dict[str, int]:
        return {"made": self.made, "shared": self.shared}


Ended = Question | StepBook | Paid  # what says which calls ended, and how


class RunCalls:
    """The calls of one run as this worker's main thread sees them. `settle` and `reserve` are for
    inside a transaction; what they find out is told to the lanes by `tell`, after it stands.

    At most `most` calls are let go at a time, counted until what they gave is kept: so many are
    made again if the process is killed.
    """

    def __init__(self, run: Run, worker: str, *, most: int = 32) -> None:
        self._run = run
        self._worker = worker
        self._most = most
        self._asked: list[Question] = []
        self._waiting: dict[str, list[Question]] = {}  # for a call of this worker
        self._elsewhere: dict[str, list[Question]] = {}  # for a call of another one
        self._answers: list[tuple[Question, dict[str, Any] | None]] = []
        self._looked_at = 0.0

    @property
    def has_to_look(self) -> bool:
        """Whether there are questions that the rows may answer now."""
        due = time.monotonic() - self._looked_at >= _POLL_S
        may_call = len(self._waiting) < self._most
        return (bool(self._asked) and may_call) or (bool(self._elsewhere) and due)

    def ask(self, questions: Sequence[Question]) -> None:
        for question in questions:
            if question.key in self._waiting:
                self._waiting[question.key].append(question)
            else:
                self._asked.append(question)

    def settle(self, ended: Sequence[Ended]) -> None:
        """Write the replies that could be read, and free the calls whose replies could not."""
        kept = {key: reply for calls in ended for key, reply in calls.kept.items()}
        free = {key for calls in ended for key in calls.dropped} - kept.keys()
        if kept:
            replies = [(key, kept[key]) for key in sorted(kept)]
            self._insert(replies, "(run_id, key) DO UPDATE SET reply = excluded.reply")
        if free:
            mine = Call.objects.filter(run=self._run, key__in=free, worker=self._worker)
            mine.delete()
        for key, reply in kept.items():
            self._answers += [(question, reply) for question in self._waiting.pop(key, ())]
        for key in free:
            self._asked += self._waiting.pop(key, ())

    def reserve(self) -> None:
        """Look open questions up, as many as might be let go; the first asker of a new call gets
        to make it.
        """
        questions = {key: list(asking) for key, asking in self._elsewhere.items()}
        later: list[Question] = []
        room = self._most - len(self._waiting)
        for question in self._asked:
            if question.key in questions or len(questions) < room + len(self._elsewhere):
                questions.setdefault(question.key, []).append(question)
            else:
                later.append(question)
        self._looked_at = time.monotonic()
        if not questions:
            return
        known = self._known(questions)
        # Only rows that are missing are written, and in one order: an insert waits for whoever
        # changes that row, and two workers must not wait for each other.
        while new := sorted(questions.keys() - known.keys()):
            self._insert([(key, None) for key in new], "DO NOTHING")
            known |= self._known(new)  # without what another worker gave up in between
        self._asked, self._elsewhere = later, {}
        for key, asking in questions.items():
            worker, reply = known[key]
            if reply is not None:
                self._answers += [(question, reply) for question in asking]
            elif key in self._waiting:
                self._waiting[key] += asking
            elif worker != self._worker:
                self._elsewhere[key] = asking
            elif len(self._waiting) < self._most:
                self._answers.append((asking[0], None))
                self._waiting[key] = asking[1:]
            else:
                self._asked += asking

    def _known(self, keys: Iterable[str]) -> dict[str, tuple[str, Any]]:
        """The rows of the calls; those of a worker that fell silent are this one's from now on."""
        rows = Call.objects.filter(run=self._run, key__in=list(keys))
        known = {key: (worker, reply) for key, worker, reply in rows.values_list(*_CALL)}
        others = [key for key, (by, reply) in known.items() if reply is None and by != self._worker]
        silent = rows.filter(key__in=others, reply__isnull=True, leased_until__lt=Now())
        if others and silent.update(worker=self._worker, leased_until=lease_end()):
            known |= {key: (by, reply) for key, by, reply in rows.values_list(*_CALL)}
        return known

    def tell(self) -> None:
        """Answer what was found out; after the transaction stands."""
        answers, self._answers = self._answers, []
        for question, reply in answers:
            question.answer(reply)

    def ask_again(self) -> None:
        """The transaction did not stand: what it found out is not told but asked again."""
        answers, self._answers = self._answers, []
        for question, reply in answers:
            self._asked.append(question)
            if reply is None:
                self._asked += self._waiting.pop(question.key, ())

    def give_up(self) -> None:
        """Free the calls that are under way: nobody will take their replies in. It costs at most
        as many calls as may be let go; else others would wait for them until their leases run out.
        """
        mine = Call.objects.filter(run=self._run, worker=self._worker, reply__isnull=True)
        mine.delete()

    def stop(self) -> None:
        """Let go of every lane that waits."""
        for questions in (*self._waiting.values(), *self._elsewhere.values(), self._asked):
            for question in questions:
                question.stop()
        for question, _reply in self._answers:
            question.stop()

    def _insert(self, calls: Iterable[tuple[str, Any]], on_conflict: str) -> None:
        until = database_time() + lease()
        mine: dict[str, Any] = {"run": self._run, "worker": self._worker, "leased_until": until}
        insert(Call, calls, names=("key", "reply"), on_conflict=on_conflict, **mine)
