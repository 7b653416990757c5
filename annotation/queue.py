"""What the queue must be set to, read back from where it works: a setting that is only written down
is none.

A worker that finds another value ends with one sentence; `manage.py check` says the same of the web
server's side.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from celery import Celery, current_app
from celery.contrib.django.task import DjangoTask
from celery.signals import worker_init
from django.core import checks
from django.db import transaction

VISIBILITY_S = 900
REDIS = ("redis://", "rediss://", "sentinel://")


class Wanted(NamedTuple):
    """A setting by its name in `app.conf`, what it must be, and whether a value is that."""

    name: str
    words: str
    holds: Callable[[Any], bool]


def _on(name: str) -> Wanted:
    return Wanted(name, "on", lambda value: value is True)


def _between(name: str, least: float, most: float) -> Wanted:
    def holds(value: Any) -> bool:
        return isinstance(value, int | float) and least <= value <= most

    return Wanted(name, f"from {least:g} to {most:g}", holds)


WANTED = (
    _on("task_acks_late"),
    _on("task_reject_on_worker_lost"),
    _on("worker_cancel_long_running_tasks_on_connection_loss"),
    _on("task_ignore_result"),
    _on("broker_connection_retry_on_startup"),
    _between("worker_prefetch_multiplier", 1, 1),
    _between("worker_soft_shutdown_timeout", 1, 60),
    # A message must not come back while its task may still be running.
    _between("task_time_limit", 1, VISIBILITY_S / 2),
    _between("task_soft_time_limit", 1, VISIBILITY_S / 2),
    _between("broker_pool_acquire_timeout", 0.1, 10),
    Wanted("broker_connection_max_retries", "None (for ever)", lambda value: value is None),
    Wanted("accept_content", "json alone", lambda value: list(value or ()) == ["json"]),
    Wanted("task_serializer", "json", lambda value: value == "json"),
    Wanted(
        "task_publish_retry_policy",
        "at most 3 under max_retries",
        lambda value: (
            isinstance((value or {}).get("max_retries"), int) and 0 <= value["max_retries"] <= 3
        ),
    ),
)
# Where a message that nobody acknowledged comes back after a time; the shortest one counts.
VISIBLE_IN = ("broker_transport_options", "result_backend_transport_options")


class Hint(DjangoTask):  # type: ignore[misc] # Celery has no types
    """A task whose message only says "there is work": the rows say so too, and a sweep finds them.

    So a broker that is away stops nobody's act once that stands in the database; it is logged.
    """

    def delay_on_commit(self, *args: Any, **kwargs: Any) -> None:
        transaction.on_commit(lambda: self.delay(*args, **kwargs), robust=True)

    def apply_async_on_commit(self, *args: Any, **kwargs: Any) -> None:
        transaction.on_commit(lambda: self.apply_async(*args, **kwargs), robust=True)


def check_queue(app: Celery) -> list[str]:
    """Return a sentence for each setting of `app` that is not as it must be, with its value."""
    conf = app.conf
    found = [
        f"The queue's setting {wanted.name} is {conf[wanted.name]!r}: it must be {wanted.words}."
        for wanted in WANTED
        if not wanted.holds(conf[wanted.name])
    ]
    soft, hard = conf.task_soft_time_limit, conf.task_time_limit
    if soft and hard and soft >= hard:
        found.append(
            f"The queue's setting task_soft_time_limit is {soft!r}: it must be less than"
            f" task_time_limit, which is {hard!r}."
        )
    if str(conf.broker_url or "").startswith(REDIS):
        found += _visibility(conf)
    return found


def _visibility(conf: Mapping[str, Any]) -> list[str]:
    places = {f"{name}.visibility_timeout": (conf[name] or {}) for name in VISIBLE_IN}
    values = {name: options.get("visibility_timeout") for name, options in places.items()}
    values["visibility_timeout"] = conf.get("visibility_timeout")
    return [
        f"The queue's setting {name} is {value!r}: it must be {VISIBILITY_S}."
        for name, value in values.items()
        if value != VISIBILITY_S
    ]


def survive_a_lost_broker() -> None:
    """Let a worker go on when Redis goes away while it has messages that are not acknowledged.

    kombu 5.7.0 puts those back, or acknowledges them, over a connection that is gone by then, and
    Celery ends the worker with "NoneType has no attribute hostname" or "client". They need not be
    put back: they stand in Redis and come back after a time, and the rows bring their work back
    earlier. An acknowledgement that cannot be sent is a lost connection, which Celery logs.
    """
    from kombu.transport import redis
    from redis.exceptions import ConnectionError as RedisConnectionError

    parameters = redis.Channel._connparams

    def is_gone(channel: Any) -> bool:
        return getattr(channel.connection, "client", None) is None

    def checked_parameters(channel: Any, asynchronous: bool = False) -> Any:
        if is_gone(channel):
            raise RedisConnectionError("The connection of this channel is closed.")
        return parameters(channel, asynchronous=asynchronous)

    class LastingQoS(redis.QoS):  # type: ignore[misc]
        def restore_unacked(self, client: Any = None) -> None:
            if is_gone(self.channel):
                self._delivered.clear()
            else:
                super().restore_unacked(client)

    redis.Channel._connparams = checked_parameters
    redis.Channel.QoS = LastingQoS


@worker_init.connect(weak=False)  # type: ignore[untyped-decorator]
def refuse_a_wrong_queue(sender: Any = None, **_kwargs: object) -> None:
    """End the worker before it takes anything, if its queue is not set as it must be.

    Celery logs what a receiver raises and goes on; it stops for SystemExit alone.
    """
    faults = check_queue(getattr(sender, "app", None) or current_app)
    if faults:
        raise SystemExit(f"Intact's worker cannot start: {faults[0]}")
    survive_a_lost_broker()


@checks.register("queue")
def queue_is_as_it_must_be(**_kwargs: object) -> list[checks.CheckMessage]:
    """The same for the web server and every command."""
    return [
        checks.Error(sentence, id="intact.queue", hint="See CELERY_* in config/settings.py.")
        for sentence in check_queue(current_app)
    ]
