"""The settings that hold, read back from where they work: one that is only written down is none."""

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery import Celery
from django.conf import settings
from django.core import checks
from django.db import connection, transaction

from annotation.queue import Hint, check_queue, refuse_a_wrong_queue, survive_a_lost_broker
from config.celery import app

WRONG = {
    "task_acks_late": False,
    "task_reject_on_worker_lost": False,
    "worker_cancel_long_running_tasks_on_connection_loss": False,
    "task_ignore_result": False,
    "broker_connection_retry_on_startup": False,
    "worker_prefetch_multiplier": 4,
    "worker_soft_shutdown_timeout": 0.0,
    "task_time_limit": 600,
    "task_soft_time_limit": None,
    "broker_pool_acquire_timeout": None,
    "broker_connection_max_retries": 100,
    "accept_content": ["json", "pickle"],
    "task_serializer": "pickle",
    "task_publish_retry_policy": {"max_retries": None},
}
ON_REDIS: dict[str, Any] = {
    "broker_url": "redis://127.0.0.1:1/0",
    "broker_transport_options": {"visibility_timeout": 900},
    "result_backend_transport_options": {"visibility_timeout": 900},
    "visibility_timeout": 900,
}


def changed(**wrong: Any) -> Celery:
    """An application with the product's settings but for these."""
    other = Celery("other", set_as_current=False)
    other.config_from_object("django.conf:settings", namespace="CELERY")
    other.conf.update(wrong)
    return other


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
        ("broker_pool_acquire_timeout", 5),
        ("worker_soft_shutdown_timeout", 30),
    ],
)
def test_celery_has_the_setting(name: str, value: object) -> None:
    assert app.conf[name] == value


def test_the_settings_that_hold_are_those_that_are_wanted() -> None:
    assert check_queue(app) == []


@pytest.mark.parametrize("name", sorted(WRONG))
def test_a_wrong_setting_is_named_with_its_value(name: str) -> None:
    (sentence,) = check_queue(changed(**{name: WRONG[name]}))
    assert sentence.startswith(f"The queue's setting {name} is {WRONG[name]!r}: it must be ")


def test_a_soft_limit_after_the_hard_one_is_named() -> None:
    (sentence,) = check_queue(changed(task_soft_time_limit=300))
    assert sentence.endswith("it must be less than task_time_limit, which is 300.")


def test_on_redis_a_message_comes_back_after_the_same_time_in_three_places() -> None:
    assert check_queue(changed(**ON_REDIS)) == []


@pytest.mark.parametrize("name", sorted({*ON_REDIS} - {"broker_url"}))
def test_on_redis_each_of_the_three_places_is_wanted(name: str) -> None:
    wrong = {} if name.endswith("options") else 3600
    (sentence,) = check_queue(changed(**{**ON_REDIS, name: wrong}))
    assert name in sentence and sentence.endswith("it must be 900.")


def test_a_worker_with_a_wrong_setting_does_not_start() -> None:
    class Worker:
        app = changed(task_acks_late=False)

    with pytest.raises(SystemExit, match="cannot start: The queue's setting task_acks_late is Fal"):
        refuse_a_wrong_queue(sender=Worker())


def test_the_check_of_every_command_names_a_wrong_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.queue.current_app", changed(task_acks_late=False))
    (fault,) = checks.run_checks(tags=["queue"])
    assert (fault.id, "task_acks_late" in fault.msg) == ("intact.queue", True)


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_stops_no_act_that_stands(caplog: pytest.LogCaptureFixture) -> None:
    away = changed(broker_url="redis://127.0.0.1:1/0", broker_transport_options={})
    task = away.task(name="any", base=Hint, shared=False)(check_queue)
    with transaction.atomic():
        task.delay_on_commit()
    assert "on_commit" in caplog.text


def test_the_messages_of_a_connection_that_is_gone_are_not_put_back_over_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from kombu.transport import redis
    from redis.exceptions import ConnectionError as RedisConnectionError

    monkeypatch.setattr(redis.Channel, "QoS", redis.QoS)
    monkeypatch.setattr(redis.Channel, "_connparams", redis.Channel._connparams)
    survive_a_lost_broker()
    channel = SimpleNamespace(connection=SimpleNamespace(client=None), do_restore=True)
    left = redis.Channel.QoS(channel, 1)
    left._delivered["tag"] = "message"
    left.restore_unacked_once()
    assert not left._delivered
    with pytest.raises(RedisConnectionError, match="closed"):
        redis.Channel._connparams(channel)


def test_a_publisher_gives_up_soon_when_the_broker_is_away() -> None:
    assert app.conf.task_publish_retry_policy["max_retries"] <= 3


def test_the_sweepers_are_scheduled() -> None:
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert scheduled == {
        "evaluation.sweep_runs",
        "evaluation.sweep_suites",
        "evaluation.sweep_variation_sets",
        "annotation.sweep_imports",
        "contracts.approve_agreed",
    }


@pytest.mark.parametrize(
    ("broker", "probe"),
    [
        ("filesystem://", None),
        (
            "redis://127.0.0.1:1/0",
            # it comes again before an earlier one expires, and never piles up
            {"task": "annotation.heartbeat", "schedule": 30.0, "options": {"expires": 60.0}},
        ),
    ],
)
def test_workers_on_redis_are_probed_and_those_on_a_folder_are_not(
    monkeypatch: pytest.MonkeyPatch, broker: str, probe: dict[str, Any] | None
) -> None:
    monkeypatch.setenv("CELERY_BROKER_URL", broker)
    read = runpy.run_path(str(settings.BASE_DIR / "config" / "settings.py"))
    assert read["CELERY_BEAT_SCHEDULE"].get("heartbeat") == probe


def test_every_task_is_found_by_its_name() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if not name.startswith("celery.")}
    assert ours == {
        "annotation.heartbeat",
        "annotation.run_import",
        "annotation.sweep_imports",
        "contracts.approve_agreed",
        "contracts.check_blindness",
        "contracts.freeze_agreement",
        "evaluation.work_on_run",
        "evaluation.conclude_run",
        "evaluation.draw_charts",
        "evaluation.sweep_runs",
        "evaluation.fill_variation_set",
        "evaluation.sweep_variation_sets",
        "evaluation.work_on_suite",
        "evaluation.sweep_suites",
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
