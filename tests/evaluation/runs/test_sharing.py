"""Equal calls of a run are made once: by one worker, by several, and across a kill."""

import threading

import pytest
from django.db import DataError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.models import Person, Project
from evaluation.models import Call, Run
from evaluation.runs import execution, sharing, stages
from evaluation.runs.claiming import claim
from evaluation.runs.leases import free_abandoned
from evaluation.runs.sharing import Question, RunCalls, StepBook, Stopped
from tests.evaluation.generation.fake_endpoint import fake_endpoint, says
from tests.evaluation.runs.small_study import REFERENCES, begin, case_of, finish

KEY, REPLY = "a" * 64, {"body": {"text": "yes"}, "latency_ms": 5.0}


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original"])


class Asker:
    """A lane that asks in a thread of its own; the test is the worker's main thread."""

    def __init__(self, calls: RunCalls) -> None:
        self.calls = calls
        self.asked: list[Question] = []
        self.heard: list[object] = []
        self._told: list[Question] = []
        self._ready = threading.Semaphore(0)
        self.threads: list[threading.Thread] = []

    def ask(self, book: StepBook | None = None, *, key: str = KEY) -> StepBook:
        mine = book or StepBook(self._put, self._put)

        def wait() -> None:
            try:
                self.heard.append(mine.take(key))
            except Stopped:
                self.heard.append("stopped")

        thread = threading.Thread(target=wait, daemon=True)
        self.threads.append(thread)
        thread.start()
        self._ready.acquire(timeout=10)
        question = self.asked.pop()
        self.calls.ask([question])
        self._told.append(question)
        return mine

    def _put(self, question: Question) -> None:
        self.asked.append(question)
        self._ready.release()

    def look(self, *books: StepBook) -> list[object]:
        with transaction.atomic():
            self.calls.settle([*self._told, *books])
            self.calls.reserve()
        self._told.clear()
        self.calls.tell()
        for thread in self.threads:
            thread.join(timeout=0.2)
        return self.heard


def test_the_first_to_ask_makes_the_call_and_its_row_is_there_before(run: Run) -> None:
    lane = Asker(RunCalls(run, "w1"))
    lane.ask()
    assert lane.look() == [None]
    assert Call.objects.get(run=run).reply is None


def test_whoever_asks_meanwhile_gets_the_reply_of_the_call_under_way(run: Run) -> None:
    lane = Asker(RunCalls(run, "w1"))
    book = lane.ask()
    lane.look()
    lane.ask()
    assert lane.look() == [None]
    book.keep(KEY, REPLY)
    assert lane.look(book) == [None, REPLY]
    assert Call.objects.get(run=run).reply == REPLY


def test_another_worker_waits_for_the_call_and_gets_its_reply(run: Run) -> None:
    here, there = Asker(RunCalls(run, "w1")), Asker(RunCalls(run, "w2"))
    book = here.ask()
    here.look()
    there.ask()
    assert there.look() == []
    book.keep(KEY, REPLY)
    here.look(book)
    assert there.look() == [REPLY]


def test_a_reply_that_could_not_be_read_is_not_kept_and_the_next_makes_the_call(run: Run) -> None:
    lane = Asker(RunCalls(run, "w1"))
    book = lane.ask()
    lane.look()
    lane.ask()
    lane.look()
    book.keep(KEY, REPLY)
    book.drop(KEY)
    assert lane.look(book) == [None, None]
    assert Call.objects.get(run=run).reply is None


def test_a_transaction_that_does_not_stand_tells_nobody_anything(run: Run) -> None:
    calls = RunCalls(run, "w1")
    lane = Asker(calls)
    lane.ask()
    with pytest.raises(RuntimeError), transaction.atomic():
        calls.reserve()
        raise RuntimeError
    calls.ask_again()
    assert lane.heard == [] and not Call.objects.exists()
    assert lane.look() == [None]


def test_the_call_of_a_worker_that_fell_silent_is_made_by_another(
    run: Run,
) -> None:
    lost = Asker(RunCalls(run, "lost"))
    lost.ask()
    lost.look()
    Call.objects.update(leased_until="2026-01-01T00:00:00Z")
    lane = Asker(RunCalls(run, "w2"))
    lane.ask()
    assert lane.look() == [None]
    assert Call.objects.get().worker == "w2"


def test_the_calls_of_a_killed_process_are_free_at_once(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = Asker(RunCalls(run, "lost"))
    lost.ask()
    lost.look()
    monkeypatch.setattr("evaluation.runs.leases.is_gone", lambda name: name == "lost")
    claim(run, "lost")
    assert free_abandoned() == 1 and not Call.objects.exists()


def test_lanes_that_wait_are_let_go_when_the_worker_ends(run: Run) -> None:
    here, there = Asker(RunCalls(run, "w1")), Asker(RunCalls(run, "w2"))
    here.ask()
    here.look()
    there.ask()
    there.look()
    there.calls.stop()
    there.threads[0].join(timeout=5)
    assert there.heard == ["stopped"]


def test_equal_questions_of_two_arms_cost_one_call(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of each request both arms put the same question over the same passages; "c" finds none.
    with fake_endpoint(*[says("Something [1]")] * 2) as endpoint:
        monkeypatch.setenv("INTACT_LLM_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
        run = finish(begin(engineer, study, ["original", "unchanged"], reader="endpoint"))
        assert run.state == "finished" and len(endpoint.requests) == 2
    calls = [
        case_of(run, arm, key).stages.get(stage="answer").content["calls"]
        for arm in ("original", "unchanged")
        for key in "ab"
    ]
    assert sum(call["made"] for call in calls) == sum(call["shared"] for call in calls) == 2


def test_a_paid_reply_is_not_paid_for_again_after_a_kill(
    study: Project,
    engineer: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def killed(*_args: object) -> None:
        raise KeyboardInterrupt

    script = [says(REFERENCES[key]) for key in "abc"]
    with fake_endpoint(*script) as endpoint:
        monkeypatch.setenv("INTACT_LLM_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
        monkeypatch.setattr(execution, "lanes_wanted", lambda _run: 1)  # nothing else under way
        run = begin(engineer, study, ["original", "prompt"])
        for _case in range(len(script)):
            with monkeypatch.context() as killing, pytest.raises(KeyboardInterrupt):
                killing.setattr(stages, "judge", killed)
                finish(run)
        assert finish(run, "w2").state == "finished"
        assert len(endpoint.requests) == 3


def test_a_reply_that_no_database_keeps_is_not_shared_and_its_case_goes_on(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = sharing.insert

    def refuses(model, rows, **more):
        rows = list(rows)
        if any(reply is not None and "Nothing" in str(reply) for _key, reply in rows):
            raise DataError("no such number")
        insert(model, rows, **more)

    monkeypatch.setattr(sharing, "insert", refuses)
    with fake_endpoint(says("Something [1]"), says("Nothing [1]")) as endpoint:
        monkeypatch.setenv("INTACT_LLM_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
        run = finish(begin(engineer, study, ["original"], reader="endpoint"))
    assert run.state == "finished" and run.cases.filter(state="done").count() == 3
    assert [call.reply is not None for call in Call.objects.all()] == [True]


def test_no_more_calls_are_let_go_than_may_be_lost(run: Run) -> None:
    lane = Asker(RunCalls(run, "w1", most=1))
    first = lane.ask(key="a")
    lane.ask(key="b")
    assert lane.look() == [None]
    assert Call.objects.count() == 1 and lane.look() == [None]
    first.keep("a", REPLY)
    assert lane.look(first) == [None, None]


def test_a_step_that_asks_a_second_time_gives_the_first_reply_to_others(run: Run) -> None:
    # Else two steps that want the same two calls in another order wait for each other for ever.
    lane = Asker(RunCalls(run, "w1"))
    first, second = lane.ask(key="a"), lane.ask(key="b")
    assert lane.look() == [None, None]
    first.keep("a", REPLY)
    second.keep("b", REPLY)
    lane.ask(first, key="b")
    lane.ask(second, key="a")
    assert lane.look() == [None, None, REPLY, REPLY]


def test_a_step_may_make_a_call_again_that_failed_it(run: Run) -> None:
    lane = Asker(RunCalls(run, "w1"))
    book = lane.ask()
    lane.look()
    book.drop(KEY)
    lane.ask(book)
    assert lane.look() == [None, None]


def test_a_reply_that_turns_out_unreadable_after_the_next_question_is_not_kept(run: Run) -> None:
    lane = Asker(RunCalls(run, "w1"))
    book = lane.ask(key="a")
    lane.look()
    book.keep("a", REPLY)
    lane.ask(book, key="b")
    lane.look()
    book.drop("a")
    lane.look(book)
    assert set(Call.objects.values_list("key", flat=True)) == {"b"}


def test_a_row_that_is_there_is_not_written_again(
    run: Run,
) -> None:
    # On PostgreSQL an insert waits for whoever changes the row: two workers for each other.
    here, there = Asker(RunCalls(run, "w1")), Asker(RunCalls(run, "w2"))
    here.ask()
    here.look()
    there.ask()
    with CaptureQueriesContext(connection) as asked:
        there.look()
    assert not any(query["sql"].startswith("INSERT") for query in asked)
