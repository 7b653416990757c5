"""Following a run from a terminal: by watching a worker's rows, or by doing the work here when no
worker answers.
"""

import sys
import time
from collections.abc import Callable

from tqdm import tqdm

from annotation.processes import process_name
from config.celery import app
from evaluation.models import Run
from evaluation.runs.execution import work
from evaluation.services.runs import progress

POLL_SECONDS = 0.3


def worker_is_online(*, timeout: float = 2.0) -> bool:
    """Ask the queue whether any worker answers."""
    return bool(app.control.ping(timeout=timeout))


def follow(run: Run, *, here: bool, quiet: bool, say: Callable[[str], None]) -> Run:
    """Show a progress bar until the run is over and return it as it then is.

    `here` does the work in this process; otherwise a worker does it and this only watches.
    """
    total = progress(run).total
    with tqdm(
        total=total, unit="case", disable=quiet, file=sys.stderr, desc=f"run {run.number}"
    ) as bar:

        def show() -> None:
            bar.update(progress(run).closed - bar.n)

        show()
        while not run.is_over:
            before = bar.n
            if here:
                work(run.pk, worker=process_name(), seconds=30.0, report=show)
            show()
            if bar.n == before:  # a worker has the rest, or had it and its lease must run out
                time.sleep(POLL_SECONDS)
            run.refresh_from_db()
    if run.error:
        say(run.error)
    return run
