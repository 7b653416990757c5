"""Real Celery workers on a folder and on Redis: every run gets finished, with the same result."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from tests.services.installation import ROOT, Installation, RunRow, kill

pytestmark = pytest.mark.services


def over(row: RunRow) -> bool:
    return row.is_over


def test_a_worker_on_a_folder_finishes_a_run(on_sqlite: Installation, right_sha256: str) -> None:
    with on_sqlite.worker() as worker:
        on_sqlite.act("start")
        row = on_sqlite.wait_for("the run is over", over, worker)
    assert (row.state, row.error, row.result_sha256) == ("finished", "", right_sha256)


def test_a_run_whose_worker_was_killed_is_finished_by_the_next_one(
    on_sqlite: Installation, right_sha256: str
) -> None:
    on_sqlite.act("start")
    with on_sqlite.worker() as worker:
        on_sqlite.wait_for("some cases are done", lambda row: row.done >= 5, worker)
        kill(worker)
    left = on_sqlite.newest_run()
    assert not left.is_over, f"the run was over before the worker could be killed: {left}"
    with on_sqlite.worker() as worker:
        row = on_sqlite.wait_for("the run is over", over, worker)
    assert (row.state, row.error, row.result_sha256) == ("finished", "", right_sha256)


def test_a_worker_on_redis_and_postgresql_finishes_a_run(
    on_postgres: Callable[..., Installation], redis_url: str, right_sha256: str
) -> None:
    installation = on_postgres(redis_url)
    with installation.worker() as worker:
        installation.act("start")
        row = installation.wait_for("the run is over", over, worker)
    assert (row.state, row.error, row.result_sha256) == ("finished", "", right_sha256)


def test_a_worker_on_redis_shows_that_it_takes_what_is_in_the_queue(
    on_sqlite: Installation, redis_url: str
) -> None:
    on_sqlite.broker_url = redis_url
    on_sqlite.act("start")
    with on_sqlite.worker() as worker:
        on_sqlite.wait_for("the run is over", over, worker)
    asked = on_sqlite.begin("manage", "check_worker", stdout=subprocess.PIPE)
    said, _error = asked.communicate(timeout=60)
    assert (asked.returncode, said[:35]) == (0, "A worker took something from the qu")


def test_a_run_whose_messages_were_lost_is_finished_when_a_worker_starts(
    on_postgres: Callable[..., Installation], redis_url: str, right_sha256: str
) -> None:
    installation = on_postgres(redis_url)
    installation.act("start")
    with redis.Redis.from_url(redis_url) as server:
        assert server.llen("celery") == 2
        server.flushall()
    with installation.worker() as worker:
        row = installation.wait_for("the run is over", over, worker)
    assert (row.state, row.result_sha256) == ("finished", right_sha256)


def test_a_message_on_redis_comes_back_only_after_every_task_is_over(
    on_sqlite: Installation, redis_url: str
) -> None:
    on_sqlite.broker_url = redis_url
    found = on_sqlite.act("celery_settings")
    timeouts = [
        found["broker_transport_options"]["visibility_timeout"],
        found["result_backend_transport_options"]["visibility_timeout"],
        found["visibility_timeout"],
    ]
    assert timeouts == [900, 900, 900]
    assert found["task_time_limit"] <= 900 / 2


def test_a_worker_whose_queue_is_set_wrongly_ends_with_one_sentence(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1"],
        cwd=ROOT,
        env={
            **Installation(tmp_path).environment,
            "DJANGO_SETTINGS_MODULE": "tests.services.wrong_queue",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 1
    assert ended.stderr.strip().splitlines()[-1] == (
        "Intact's worker cannot start: The queue's setting task_acks_late is False: it must be on."
    )


def test_the_web_server_waits_for_nobody_long_on_postgresql(
    on_postgres: Callable[..., Installation],
) -> None:
    installation = on_postgres()
    assert installation.act("database_limits", "web") == ["5s", "30s", "1min"]
    assert installation.act("database_limits", "worker") == ["1min", "0", "5min"]
