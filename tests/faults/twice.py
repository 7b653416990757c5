"""The product's Celery application, whose every message goes out twice:
`celery -A tests.faults.twice worker`.
"""

from typing import Any

from config.celery import app

_send_once = app.amqp.send_task_message


def _send_twice(*args: Any, **options: Any) -> Any:
    _send_once(*args, **options)
    return _send_once(*args, **options)


def send(times: int) -> None:
    """From now on, send every message so often: once or twice."""
    app.amqp.__dict__["send_task_message"] = _send_once if times == 1 else _send_twice


send(2)
