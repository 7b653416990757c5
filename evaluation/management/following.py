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
    """Show a progress bar until nobody works on the run any more, and return it as it then is.

    `here` does the work in this process; otherwise a worker does it and this only watches. What
    the run waits for is said when it changes, and in the end why there is no result, if so.
    """
    total = progress(run).total
    told = ""
    with tqdm(
        total=total, unit="case", disable=quiet, file=sys.stderr, desc=f"run {run.number}"
    ) as bar:

        def show() -> None:
            bar.update(progress(run).closed - bar.n)

        show()
        while run.is_worked_on:
            before = bar.n
            if here:
                work(run.pk, worker=process_name(), seconds=30.0, report=show)
            show()
            if bar.n == before:  # a worker has the rest, or had it and its lease must run out
                time.sleep(POLL_SECONDS)
            run.refresh_from_db()
            if run.notice and run.notice != told:
                say(run.notice)
            told = run.notice
    if why := standing(run):
        say(why)
    return run


def standing(run: Run) -> str:
    """Why a run that nobody works on has no verdict, in a sentence; "" when it is finished."""
    name = f"{run.project.slug} {run.number}"
    if run.state == Run.State.PAUSED:
        counted = progress(run)
        return (
            f"Run {run.number} is paused: {counted.closed} of {counted.total} cases are closed. "
            f"Go on with `python manage.py runs {name} --resume`."
        )
    if run.state == Run.State.CANCELLED:
        return f"Run {run.number} was cancelled: it has no verdict."
    if run.state != Run.State.FAILED:
        return ""
    lost = run.cases.lost().count()
    if not lost:  # the fault is the run's, and its sentence says what to do
        return run.error
    return (
        f"{run.error} Try the failed cases again with `python manage.py runs {name} --retry`, or "
        f"conclude without {lost} of {run.cases.count()} cases: "
        f"`python manage.py runs {name} --without-failed --reason WHY`."
    )
