import os
import signal
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError

from annotation.management.sentences import SentenceCommand
from annotation.processes import seconds_running
from annotation.services.heartbeats import RECENT_S, is_probed, seconds_since_heartbeat

END_AFTER_S = 600.0  # no task takes so long


class Command(SentenceCommand):
    help = (
        "Say whether this installation's workers take what is in the queue; exit with 1 if none "
        f"did for {RECENT_S:g} seconds."
    )
    requires_system_checks = ()  # it is asked every minute

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--end",
            type=int,
            metavar="PID",
            help=f"the worker's process: asked to end if it has run for {END_AFTER_S:g} seconds "
            "and nothing was taken for so long; what started it starts it again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_probed():
            raise CommandError(
                "This installation's queue is a folder, where no probes are sent: see the "
                "worker's own output, or ask it with `celery -A config inspect ping`."
            )
        try:
            seconds = seconds_since_heartbeat()
        except DatabaseError as fault:
            raise CommandError(
                "The database cannot be asked when a worker last took something: see that it "
                "runs, that DATABASE_URL is right, and that `manage.py migrate` was done."
            ) from fault
        if seconds is not None and seconds <= RECENT_S:
            return self.stdout.write(
                f"A worker took something from the queue {seconds:.0f} seconds ago."
            )
        told = _what_to_do(seconds)
        if options["end"] and (seconds is None or seconds > END_AFTER_S):
            told += _end(options["end"])
        raise CommandError(told)


def _what_to_do(seconds: float | None) -> str:
    if seconds is None:
        return (
            "No worker has taken anything from the queue yet: start one with its scheduler, "
            "`celery -A config worker --beat`."
        )
    return (
        f"No worker has taken anything from the queue for {seconds:.0f} seconds, over "
        f"{RECENT_S:g}. Long work takes a process at most {settings.CELERY_TASK_TIME_LIMIT} "
        "seconds; after that restart the worker, and see that the queue (CELERY_BROKER_URL) can "
        "be reached and that one worker has --beat."
    )


def _end(pid: int) -> str:
    """Ask the process to end if it had the time to take something; say what was done."""
    running = seconds_running(pid)
    if running is None or running <= END_AFTER_S:
        return ""
    try:
        os.kill(pid, signal.SIGTERM)
    except OSError as fault:
        return f" Process {pid} cannot be ended: {fault.strerror}."
    return f" Process {pid} was asked to end."
