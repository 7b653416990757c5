"""Whether workers still take what is in the queue: the probe, what it leaves, and who reads it."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotation.models import Heartbeat
from annotation.models.workers import HeartbeatQuerySet
from annotation.processes import process_name, seconds_running
from annotation.services import heartbeats
from annotation.services.ledger import database_time
from annotation.tasks import heartbeat, other_work_is_a_sign_too

pytestmark = pytest.mark.django_db
TASK = SimpleNamespace(name="annotation.sweep_imports", request=SimpleNamespace(is_eager=False))


@pytest.fixture
def probed(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation whose scheduler sends probes, as on Redis; nothing was written yet."""
    settings.CELERY_BEAT_SCHEDULE = {**settings.CELERY_BEAT_SCHEDULE, "heartbeat": {}}
    monkeypatch.setattr(heartbeats, "_wrote", {})


@pytest.fixture
def not_probed(settings: Any) -> None:
    kept = {k: v for k, v in settings.CELERY_BEAT_SCHEDULE.items() if k != "heartbeat"}
    settings.CELERY_BEAT_SCHEDULE = kept


def seen(seconds: float, worker: str = "elsewhere:1:1") -> Heartbeat:
    at = database_time() - timedelta(seconds=seconds)
    return Heartbeat.objects.create(worker=worker, at=at)


def fail(*_args: object, **_named: object) -> None:
    raise OperationalError("gone")


def test_a_probe_leaves_one_row_of_the_process_however_often_it_comes(probed: None) -> None:
    heartbeat()
    first = Heartbeat.objects.get()
    heartbeat()
    second = Heartbeat.objects.get()
    assert first.worker == second.worker == process_name() and second.at > first.at


def test_rows_of_processes_that_are_long_silent_go(probed: None) -> None:
    seen(3601, "old:1:1")
    seen(3500, "recent:1:1")
    heartbeat()
    left = set(Heartbeat.objects.values_list("worker", flat=True))
    assert left == {"recent:1:1", process_name()}


def test_other_work_is_a_sign_too_and_is_written_at_most_every_15_seconds(
    probed: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    other_work_is_a_sign_too(sender=TASK)
    assert Heartbeat.objects.get().worker == process_name()
    with django_assert_num_queries(0):
        other_work_is_a_sign_too(sender=TASK)


def test_a_task_is_not_stopped_by_a_sign_that_cannot_be_written(
    probed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeats, "record_heartbeat", fail)
    other_work_is_a_sign_too(sender=TASK)
    assert not Heartbeat.objects.exists()


def test_on_a_folder_neither_work_nor_health_costs_a_query(
    not_probed: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        other_work_is_a_sign_too(sender=TASK)
        assert heartbeats.seconds_since_heartbeat() is None


def test_the_command_is_content_with_a_sign_90_seconds_old(
    probed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = seen(0)
    monkeypatch.setattr(heartbeats, "database_time", lambda: newest.at + timedelta(seconds=90))
    out = StringIO()
    call_command("check_worker", stdout=out)
    assert out.getvalue() == "A worker took something from the queue 90 seconds ago.\n"


def test_the_command_says_what_to_do_about_a_sign_that_is_older(
    probed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = seen(0)
    monkeypatch.setattr(heartbeats, "database_time", lambda: newest.at + timedelta(seconds=91))
    with pytest.raises(CommandError, match=r"for 91 seconds, over 90\. .* restart the worker"):
        call_command("check_worker")


def test_the_command_says_how_to_start_a_worker_where_none_came(probed: None) -> None:
    with pytest.raises(CommandError, match=r"yet: start one .*`celery -A config worker --beat`"):
        call_command("check_worker")


def test_the_command_says_that_a_folder_is_not_probed(not_probed: None) -> None:
    with pytest.raises(CommandError, match="queue is a folder, where no probes are sent"):
        call_command("check_worker")


def test_a_database_that_is_away_ends_no_worker(
    probed: None, monkeypatch: pytest.MonkeyPatch, killed: list[tuple[int, int]]
) -> None:
    monkeypatch.setattr(HeartbeatQuerySet, "newest_at", fail)
    with pytest.raises(CommandError, match="The database cannot be asked"):
        call_command("check_worker", end=7)
    assert killed == []


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """What was sent to which process, instead of sending it."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append((pid, number)))
    return sent


@pytest.mark.parametrize(
    ("silent", "running", "ended"),
    [(601, 700, True), (500, 700, False), (601, 30, False), (601, None, False)],
)
def test_a_worker_is_ended_when_it_ran_and_nothing_was_taken_for_ten_minutes(
    probed: None,
    monkeypatch: pytest.MonkeyPatch,
    killed: list[tuple[int, int]],
    silent: float,
    running: float | None,
    ended: bool,
) -> None:
    seen(silent)
    command = "annotation.management.commands.check_worker"
    monkeypatch.setattr(f"{command}.seconds_running", lambda pid: running)
    with pytest.raises(CommandError) as told:
        call_command("check_worker", end=7)
    assert killed == ([(7, signal.SIGTERM)] if ended else [])
    assert ("Process 7 was asked to end." in str(told.value)) is ended


def test_how_long_a_process_runs_is_known_until_it_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        young, own = seconds_running(other.pid), seconds_running(os.getpid())
        assert young is not None and own is not None and young <= own
    assert seconds_running(other.pid) is None


def test_health_says_how_old_the_newest_sign_is_and_stays_well(
    probed: None, client: Client
) -> None:
    seen(7200)
    response = client.get("/healthz")
    assert response.status_code == 200 and response.json()["worker_took_seconds_ago"] >= 7200


@pytest.mark.parametrize("table", ["there", "missing"])
def test_health_is_well_without_a_worker_and_without_the_table(
    probed: None, client: Client, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    if table == "missing":
        monkeypatch.setattr(HeartbeatQuerySet, "newest_at", fail)
    response = client.get("/healthz")
    assert response.status_code == 200 and response.json()["worker_took_seconds_ago"] is None
