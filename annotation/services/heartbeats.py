"""Whether workers still take what is in the queue: each process says when it last did.

After a lost connection a worker may live, answer a ping and take nothing. So what counts is that
one of its processes begins a task: the scheduler's probe, or any other, since a probe that waits
behind much work expires. A folder as queue has no connection to lose and is not probed.
"""

import time
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError

from annotation.models import Heartbeat
from annotation.processes import process_name
from annotation.services.ledger import database_time

RECENT_S = 90.0  # three probes
KEPT = timedelta(hours=1)
APART_S = 15.0  # a process with many short tasks writes no more often

_wrote: dict[str, float] = {}


def is_probed() -> bool:
    """Whether this installation's scheduler sends probes."""
    return "heartbeat" in settings.CELERY_BEAT_SCHEDULE


def record_heartbeat() -> None:
    """Write that this process took something now, and forget processes long silent."""
    worker, now = process_name(), database_time()
    _wrote[worker] = time.monotonic()
    Heartbeat.objects.bulk_create(
        [Heartbeat(worker=worker, at=now)],
        update_conflicts=True,
        unique_fields=["worker"],
        update_fields=["at"],
    )
    Heartbeat.objects.filter(at__lt=now - KEPT).delete()


def record_other_work() -> None:
    """The same for a task that is no probe, where probes are sent, at most every 15 s."""
    last = _wrote.get(process_name())
    if not is_probed() or (last is not None and time.monotonic() - last < APART_S):
        return
    _wrote[process_name()] = time.monotonic()  # also if it fails: the task must not wait each time
    try:
        record_heartbeat()
    except DatabaseError:
        return  # no sign is the truth, and the task itself meets the fault


def seconds_since_heartbeat() -> float | None:
    """Seconds since any process of a worker took something; None if none did, or none is probed.
    Raises DatabaseError.
    """
    newest = Heartbeat.objects.newest_at() if is_probed() else None
    return None if newest is None else max(0.0, (database_time() - newest).total_seconds())
