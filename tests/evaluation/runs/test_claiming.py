"""Who has which case: leases, attempts, and workers that end or come late."""

import os
import socket
import subprocess
import sys
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from annotation import processes
from annotation.models import Person, Project
from annotation.processes import process_name
from evaluation.models import Case, Judgement, Run, StageResult
from evaluation.retrieval.bm25 import Bm25Retriever
from evaluation.runs import execution
from evaluation.runs.execution import claim, work
from evaluation.runs.leases import free_abandoned
from evaluation.runs.tasks import sweep_runs, work_on_run
from tests.evaluation.runs.small_study import begin, case_of, engineer_and_study, finish


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original", "human"])


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each query was searched; the search itself is the product's."""
    counted: Counter[str] = Counter()
    search = Bm25Retriever.search

    def counting(self, queries, **options):
        counted.update(queries)
        return search(self, queries, **options)

    monkeypatch.setattr(Bm25Retriever, "search", counting)
    return counted


def run_out(case: Case) -> None:
    Case.objects.filter(pk=case.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_a_claimed_case_is_given_to_nobody_else(run: Run) -> None:
    first, second = claim(run, "w1"), claim(run, "w2")
    assert first and second and first.pk != second.pk


def test_a_case_whose_lease_ran_out_is_taken_again(run: Run) -> None:
    case = claim(run, "w1")
    run_out(case)
    again = claim(run, "w2")
    assert (again.pk, again.attempts, again.lease_owner) == (case.pk, 2, "w2")


def test_a_case_is_given_up_after_three_attempts_and_the_run_says_so(run: Run) -> None:
    for _attempt in range(3):
        case = claim(run, "w1")
        run_out(case)
    finished = finish(run)
    case.refresh_from_db()
    assert (case.state, case.status, case.attempts) == ("failed", "not_run", 3)
    assert finished.state == "failed"
    assert finished.error == (
        "given up after 3 attempts: its workers ended before it did. "
        "(1 of 6 cases failed; the others are kept.)"
    )


def test_a_worker_that_comes_late_changes_nothing(run: Run) -> None:
    late = claim(run, "late")
    run_out(late)
    finish(run, "w2")
    before = list(Case.objects.order_by("pk").values())
    execution._finish(late, "late", state="failed", status="not_run", error="too late")
    assert list(Case.objects.order_by("pk").values()) == before


def test_a_stage_that_another_worker_kept_first_holds(run: Run) -> None:
    case = claim(run, "w1")
    kept = execution._keep(case, "rewrite", {"by": "first"})
    assert execution._keep(case, "rewrite", {"by": "second"}) == kept == {"by": "first"}
    assert StageResult.objects.filter(case=case).count() == 1


def test_judgements_are_not_written_twice(run: Run) -> None:
    finish(run)
    case = case_of(run, "original", "a")
    before = Judgement.objects.count()
    execution._keep_judgements(case, {"judgements": [], "added": [], "foreign": {}})
    assert Judgement.objects.count() == before == 10  # (2 + 2 + 1 constraints) × 2 arms


def test_what_was_kept_before_a_worker_died_is_not_computed_again(
    run: Run, searches: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = execution.stages.answer

    def killed(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(execution.stages, "answer", killed)
    with pytest.raises(KeyboardInterrupt):
        work(run.pk, worker="w1", seconds=60.0)
    assert sum(searches.values()) == 1
    monkeypatch.setattr(execution.stages, "answer", answer)
    assert finish(run, "w2").state == "finished"
    assert set(searches.values()) == {1}
    assert sum(searches.values()) == 6


def test_an_interrupted_case_is_free_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(execution.stages, "judge", killed)
    with pytest.raises(KeyboardInterrupt):
        work(run.pk, worker="w1", seconds=60.0)
    case = run.cases.order_by("pk").first()
    assert (case.state, case.lease_owner, case.leased_until) == ("pending", "", None)


def test_a_case_that_breaks_fails_alone_and_is_never_scored(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = execution.stages.judge

    def broken(given, rewrite):
        if given.request.id == "a":
            raise ValueError("a broken matcher")
        return judge(given, rewrite)

    monkeypatch.setattr(execution.stages, "judge", broken)
    finished = finish(run)
    assert finished.state == "failed"
    assert "this case could not be computed (ValueError)" in finished.error
    statuses = Counter(run.cases.values_list("request__key", "status"))
    assert statuses["a", "judge_error"] == 2 and statuses["b", "ok"] == 2


def test_a_case_that_stops_its_worker_three_times_is_given_up_with_the_reason(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt("stopped by hand")

    monkeypatch.setattr(execution.stages, "judge", broken)
    for _attempt in range(3):
        with pytest.raises(KeyboardInterrupt):
            work(run.pk, worker="w1", seconds=60.0)
    monkeypatch.undo()
    finished = finish(run)
    assert finished.state == "failed"
    assert "given up after 3 attempts: KeyboardInterrupt: stopped by hand" in finished.error
    assert run.cases.filter(state="done").count() == 5


def test_work_on_a_run_that_is_over_does_nothing(run: Run, searches: Counter[str]) -> None:
    finish(run)
    searches.clear()
    assert work(run.pk, worker="w2", seconds=60.0) is False
    assert not searches


def test_a_message_delivered_twice_computes_nothing_twice(run: Run, searches: Counter[str]) -> None:
    work_on_run(run.pk)
    work_on_run(run.pk)
    assert set(searches.values()) == {1}


def test_a_run_with_a_live_lease_is_attended(run: Run) -> None:
    assert run in Run.objects.unattended()
    case = claim(run, "elsewhere")
    assert run not in Run.objects.unattended()
    run_out(case)
    assert run in Run.objects.unattended()


def test_the_sweeper_sends_what_nobody_works_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []
    monkeypatch.setattr(work_on_run, "delay", lambda *args: sent.append(args))
    sweep_runs()
    finish(run)
    sweep_runs()
    assert sent == [(run.pk,)]


def test_the_cases_of_a_dead_process_of_this_machine_are_freed(run: Run) -> None:
    gone = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    name = processes._name_of(gone.pid)
    gone.communicate(b"\n")
    case = claim(run, name)
    assert free_abandoned() == 1
    case.refresh_from_db()
    assert case.state == "pending"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")
def test_a_killed_process_that_nobody_asked_for_yet_counts_as_gone(run: Run) -> None:
    killed = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    claim(run, processes._name_of(killed.pid))
    killed.kill()
    os.waitid(os.P_PID, killed.pid, os.WEXITED | os.WNOWAIT)  # dead, and still in the table
    assert free_abandoned() == 1
    killed.communicate()


def test_a_later_process_with_the_same_id_is_not_the_one_that_took_the_case(run: Run) -> None:
    host, pid, started = process_name().split(":")
    claim(run, f"{host}:{pid}:{int(started) + 1}")
    assert free_abandoned() == 1


def test_the_cases_of_live_processes_and_other_machines_stay(run: Run) -> None:
    assert process_name().startswith(f"{socket.gethostname()[:50]}:{os.getpid()}:")
    claim(run, process_name())
    claim(run, "another-machine:1:1")
    assert free_abandoned() == 0


def test_two_claimers_never_get_one_case(file_database: Path) -> None:
    engineer, study = engineer_and_study()
    run = begin(engineer, study, ["original", "human", "keywords"])
    start, taken, faults = threading.Barrier(4), [], []

    def claimer(name: str) -> None:
        try:
            start.wait(timeout=30)
            while (case := claim(run, name)) is not None:
                taken.append(case.pk)
        except Exception as fault:  # shown by the assert below, in the test's own thread
            faults.append(repr(fault))
        finally:
            connection.close()

    threads = [threading.Thread(target=claimer, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert faults == []
    assert sorted(taken) == sorted(run.cases.values_list("pk", flat=True))
    assert set(run.cases.values_list("attempts", flat=True)) == {1}


def test_two_workers_at_once_give_the_result_of_one(file_database: Path) -> None:
    engineer, study = engineer_and_study()
    alone = finish(begin(engineer, study, ["original", "human", "keywords"]))
    run = begin(engineer, study, ["original", "human", "keywords"])
    start, faults = threading.Barrier(2), []

    def worker(name: str) -> None:
        try:
            start.wait(timeout=30)
            while work(run.pk, worker=name, seconds=30.0):
                pass
        except Exception as fault:  # shown by the assert below, in the test's own thread
            faults.append(repr(fault))
        finally:
            connection.close()

    threads = [threading.Thread(target=worker, args=(f"w{n}",)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    run.refresh_from_db()
    assert faults == []
    assert (run.state, run.result_sha256) == ("finished", alone.result_sha256)


def test_a_worker_with_other_code_fails_the_run_before_any_case(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "code_sha256", lambda: "0" * 64)
    assert work(run.pk, worker="w1", seconds=5) is False
    run.refresh_from_db()
    assert run.state == Run.State.FAILED and "not the code of these Conditions" in run.error
    assert not StageResult.objects.exists()
