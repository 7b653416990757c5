"""A case that closes while rules are registered is before them or after them, never between."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from annotation.models import Project
from annotation.services.projects import Refused
from evaluation.models import Case, Run
from evaluation.runs.claiming import claim, held_of
from evaluation.runs.seen import first_results
from evaluation.services.protocols import REGISTERED
from tests.evaluation.runs.small_study import begin, engineer_and_study, register

LONGEST = 30.0


def close(run: Run, case: Case, worker: str = "w") -> None:
    """Close one case as `keeping.keep` does: held first, then by the database's clock."""
    assert held_of(worker, [case.pk]) == {case.pk}
    Case.objects.filter(pk=case.pk).update(state=Case.State.DONE, closed_at=Now())


def beside(act: Callable[[], Any], faults: list[str]) -> threading.Thread:
    """Do the act in a thread; what goes wrong is told in `faults`."""

    def do() -> None:
        try:
            act()
        except Refused as refusal:
            faults.append(str(refusal))
        except Exception as fault:  # shown by the assert, in the test's own thread
            faults.append(repr(fault))
        finally:
            connection.close()

    thread = threading.Thread(target=do)
    thread.start()
    return thread


def require_exact_counts(project: Project) -> None:
    """What the Ledger says had a result is what had one by the moment of registration."""
    for protocol in project.protocols.all():
        told = project.ledger.get(kind=REGISTERED, subject=str(protocol)).content["seen_requests"]
        assert told == len(first_results(project, until=protocol.registered_at)), str(protocol)


def test_registrations_beside_a_worker_count_exactly_what_was_there(file_database: Path) -> None:
    engineer, project = engineer_and_study()
    run = begin(engineer, project, ["original", "human"])
    faults: list[str] = []

    def closing() -> None:
        while cases := claim(run, "w", most=1):
            with transaction.atomic():
                close(run, cases[0])

    worker = beside(closing, faults)
    for number in range(30):
        try:
            register(engineer, project, audit_per_kind=100 + number)
        except Refused as refusal:
            assert "all 3 requests that they would decide have a result" in str(refusal)
            break
    worker.join(timeout=LONGEST)
    assert faults == []
    require_exact_counts(project)


@pytest.mark.django_db(transaction=True)
def test_a_registration_waits_for_a_case_that_is_being_closed() -> None:
    """On PostgreSQL, where writers of one project do not wait for each other by themselves."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time")
    engineer, project = engineer_and_study()
    run = begin(engineer, project, ["original"])
    case = claim(run, "w", most=1)[0]
    faults: list[str] = []
    with transaction.atomic():
        close(run, case)
        registering = beside(lambda: register(engineer, project, audit_per_kind=9), faults)
        _until_somebody_waits()
        assert project.protocols.count() == 1
    registering.join(timeout=LONGEST)
    assert (faults, project.protocols.count()) == ([], 2)
    assert project.ledger.get(subject="gate 2").content["seen_requests"] == 1
    require_exact_counts(project)


def _until_somebody_waits() -> None:
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    for _try in range(20_000):
        with connection.cursor() as cursor:
            # Within a transaction the server keeps its first look at who does what.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
    raise AssertionError("the registration did not wait")
