"""The settings that hold, read back from where they work: one that is only written down is none."""

from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from config.celery import app


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("task_acks_late", True),
        ("task_reject_on_worker_lost", True),
        ("worker_prefetch_multiplier", 1),
        ("worker_cancel_long_running_tasks_on_connection_loss", True),
        ("accept_content", ["json"]),
        ("task_serializer", "json"),
        ("task_ignore_result", True),
        ("task_time_limit", 300),
        ("task_soft_time_limit", 270),
        ("broker_connection_retry_on_startup", True),
        ("broker_connection_max_retries", None),
    ],
)
def test_celery_has_the_setting(name: str, value: object) -> None:
    assert app.conf[name] == value


def test_a_publisher_gives_up_soon_when_the_broker_is_away() -> None:
    assert app.conf.task_publish_retry_policy["max_retries"] <= 3


def test_the_sweepers_are_scheduled() -> None:
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert scheduled == {
        "evaluation.sweep_runs",
        "annotation.sweep_imports",
        "contracts.approve_agreed",
    }


def test_every_task_is_found_by_its_name() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if not name.startswith("celery.")}
    assert ours == {
        "annotation.run_import",
        "annotation.sweep_imports",
        "contracts.approve_agreed",
        "contracts.check_blindness",
        "contracts.freeze_agreement",
        "evaluation.work_on_run",
        "evaluation.conclude_run",
        "evaluation.sweep_runs",
    }


def test_the_folder_queue_is_polled_ten_times_a_second_and_its_folders_exist() -> None:
    options = app.conf.broker_transport_options
    assert options["polling_interval"] == 0.1
    for folder in ("data_folder_in", "data_folder_out", "control_folder"):
        assert Path(options[folder]).is_dir()


def test_the_folder_queue_reads_what_it_writes() -> None:
    options = app.conf.broker_transport_options
    assert options["data_folder_in"] == options["data_folder_out"]


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 1), ("busy_timeout", 20_000)]
)
def test_sqlite_has_the_pragma_on_a_file(file_database: Path, pragma: str, value: object) -> None:
    with connection.cursor() as cursor:
        assert cursor.execute(f"PRAGMA {pragma}").fetchone()[0] == value


@pytest.mark.sqlite
def test_sqlite_takes_the_write_lock_when_a_transaction_begins() -> None:
    assert settings.DATABASES["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
