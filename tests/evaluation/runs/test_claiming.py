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
from evaluation.runs import execution, stages
from evaluation.runs.cases import CaseWork
from evaluation.runs.claiming import claim, put_back
from evaluation.runs.execution import work
from evaluation.runs.inputs import read_inputs
from evaluation.runs.keeping import keep
from evaluation.runs.leases import free_abandoned
from evaluation.runs.reading import read_works
from evaluation.runs.tasks import sweep_runs, work_on_run
from tests.evaluation.runs.small_study import begin, engineer_and_study, finish


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original", "human"])


def run_out(case: Case) -> None:
    Case.objects.filter(pk=case.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


def take(run: Run, worker: str) -> Case:
    """Claim one case."""
    (case,) = claim(run, worker)
    return case


def lose(run: Run, worker: str = "lost") -> Case:
    """Claim one case with a worker that then goes silent."""
    case = take(run, worker)
    run_out(case)
    return case


def work_of(run: Run, case: Case) -> CaseWork:
    run = Run.objects.select_related("conditions__corpus").get(pk=run.pk)
    (work,) = read_works(run, [case], read_inputs(run))
    return work


def test_a_claimed_case_is_given_to_nobody_else(run: Run) -> None:
    first, second = take(run, "w1"), take(run, "w2")
    assert first.pk != second.pk


def test_a_batch_holds_different_cases_and_no_more_than_there_are(run: Run) -> None:
    first = claim(run, "w1", most=4)
    second = claim(run, "w2", most=4)
    assert len({case.pk for case in (*first, *second)}) == 6
    assert claim(run, "w3", most=4) == []


def test_a_case_whose_lease_ran_out_is_taken_again(run: Run) -> None:
    case = lose(run)
    again = take(run, "w2")
    assert (again.pk, again.beside_others, again.lease_owner) == (case.pk, 2, "w2")


def test_a_case_whose_workers_were_lost_three_times_is_run_alone(run: Run) -> None:
    for _loss in range(Case.MAX_BESIDE_OTHERS):
        case = lose(run)
    others = claim(run, "w1", most=10)
    assert case.pk not in {other.pk for other in others} and len(others) == 5
    assert claim(run, "w1", most=10, holding=[0]) == []
    (alone,) = claim(run, "w2", most=10)
    assert (alone.pk, alone.must_be_alone, alone.attempts) == (case.pk, True, 1)


def test_a_worker_does_not_take_again_what_it_has_in_hand(run: Run) -> None:
    # Its leases have run out: the machine slept, for example.
    (case,) = held = claim(run, "w1")
    run_out(case)
    assert case not in claim(run, "w1", most=10, holding=[work.pk for work in held])


def test_a_worker_whose_leases_ran_out_in_its_hands_does_not_stumble_over_them(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_by = stages.rewrite_by
    slept = []

    def sleeping(*given):
        if not slept:
            slept.append(run.cases.update(leased_until=timezone.now() - timedelta(hours=1)))
        return rewrite_by(*given)

    monkeypatch.setattr(stages, "rewrite_by", sleeping)
    finished = finish(run)
    assert slept == [6] and finished.state == "finished"
    assert set(run.cases.values_list("beside_others", flat=True)) == {1}


def test_slow_cases_are_kept_as_they_come_and_their_leases_renewed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    judge = stages.judge

    def slow(given, rewrite):
        seen.append(run.cases.filter(state="done").count())
        return judge(given, rewrite)

    monkeypatch.setattr(stages, "judge", slow)
    monkeypatch.setattr(execution, "_AT_ONCE_S", 0.0)  # as if each took longer than that
    finish(run)
    assert seen == list(range(6))


def test_a_case_is_given_up_after_three_attempts_and_the_run_says_so(run: Run) -> None:
    for _loss in range(Case.MAX_BESIDE_OTHERS):
        case = lose(run)
    claim(run, "elsewhere", most=10)
    for _attempt in range(Case.MAX_ATTEMPTS):
        assert lose(run).pk == case.pk
    put_back("elsewhere", [(other.pk, False) for other in run.cases.exclude(pk=case.pk)])
    finished = finish(run)
    case.refresh_from_db()
    assert (case.state, case.status, case.attempts) == ("dead", "not_run", 3)
    assert finished.state == "failed"
    assert finished.error == (
        "given up after 3 attempts: its workers ended before it did. "
        "(1 of 6 cases failed; the others are kept.)"
    )


def test_what_is_given_back_in_good_order_does_not_count(run: Run) -> None:
    for _time in range(10):
        put_back("w1", [(case.pk, case.must_be_alone) for case in claim(run, "w1", most=6)])
    assert set(run.cases.values_list("state", "attempts", "beside_others")) == {("pending", 0, 0)}


def test_a_worker_that_comes_late_changes_nothing(run: Run) -> None:
    late = lose(run, "late")
    work_it = work_of(run, late)
    finish(run, "w2")
    before = list(Case.objects.order_by("pk").values())
    rows = StageResult.objects.count()
    work_it.status, work_it.error, work_it.failed = "not_run", "too late", True
    work_it.done["rewrite"] = {"by": "the late one"}
    assert keep("late", [work_it]) == []
    put_back("late", [(late.pk, False)])
    assert list(Case.objects.order_by("pk").values()) == before
    assert StageResult.objects.count() == rows


def test_a_stage_that_has_its_row_is_read_and_not_written_again(run: Run) -> None:
    case = take(run, "w1")
    StageResult.objects.create(case=case, stage="rewrite", content={"by": "first"})
    work_it = work_of(run, case)
    assert work_it.done == {"rewrite": {"by": "first"}} and work_it.unkept == []
    keep("w1", [work_it])
    assert StageResult.objects.filter(case=case).count() == 1


def test_judgements_are_written_once(run: Run) -> None:
    finish(run)
    assert Judgement.objects.count() == 10  # (2 + 2 + 1 constraints) × 2 arms


def test_an_interrupted_case_is_free_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(stages, "judge", killed)
    with pytest.raises(KeyboardInterrupt):
        work(run.pk, worker="w1", seconds=60.0)
    assert set(run.cases.values_list("state", "lease_owner", "leased_until")) == {
        ("pending", "", None)
    }


def test_a_case_that_breaks_fails_alone_and_is_never_scored(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = stages.judge

    def broken(given, rewrite):
        if given.request.id == "a":
            raise ValueError("a broken matcher")
        return judge(given, rewrite)

    monkeypatch.setattr(stages, "judge", broken)
    finished = finish(run)
    assert finished.state == "failed"
    assert "this case could not be computed (ValueError)" in finished.error
    statuses = Counter(run.cases.values_list("request__key", "status"))
    assert statuses["a", "judge_error"] == 2 and statuses["b", "ok"] == 2


def test_a_case_that_stops_its_worker_three_times_is_given_up_with_the_reason(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = stages.judge

    def broken(given, rewrite):
        if given.request.id == "a":
            raise KeyboardInterrupt("stopped by hand")
        return judge(given, rewrite)

    monkeypatch.setattr(stages, "judge", broken)
    for _attempt in range(2 * Case.MAX_ATTEMPTS):  # the request has a case under each arm
        with pytest.raises(KeyboardInterrupt):
            work(run.pk, worker="w1", seconds=60.0)
    finished = finish(run)
    assert finished.state == "failed"
    assert "given up after 3 attempts: KeyboardInterrupt: stopped by hand" in finished.error
    assert set(run.cases.values_list("request__key", "state")) == {
        ("a", "dead"), ("b", "done"), ("c", "done"),
    }  # fmt: skip


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
    case = take(run, "elsewhere")
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
    case = take(run, name)
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
            while cases := claim(run, name, most=2):
                taken.extend(case.pk for case in cases)
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
    assert set(run.cases.values_list("attempts", "beside_others")) == {(0, 1)}


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
