"""A worker that is killed in the middle of an import, again and again; no test by itself.

    python -m tests.annotation.importing.killing [POINTS] [ROWS]

A child process dies by SIGKILL just before one of the statements that it sends to the database,
chosen at random among all of them. What it leaves must be no row or every row, and the sweep and
another attempt must end with every row.
"""

import io
import os
import random
import signal
import sys
import tempfile
from typing import Any


def rows_of(count: int, mark: str) -> bytes:
    line = '{"id": "%s-%d", "class": "fact", "text": "What was the profit?", "turns": [{"role": "user", "text": "x"}]}\n'  # noqa: E501
    return "".join(line % (mark, n) for n in range(count)).encode()


class Killer:
    """Counts the statements of this process, and kills it before the one of that number."""

    def __init__(self, at: int | None = None) -> None:
        self.at, self.count = at, 0

    def __call__(self, execute: Any, *rest: Any) -> Any:
        self.count += 1
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*rest)


def work_in_a_child(job_id: int, at: int | None) -> int:
    """Run the job in a child process that dies before its statement `at`; return its wait status.

    Without `at` the child lives, and leaves the number of its statements in the exit status of a
    pipe: it is returned.
    """
    from django.db import connection

    from annotation.services import import_work

    connection.close()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        import_work.LOOK_SECONDS = 0.0  # or the number of statements would hang on the clock
        killer = Killer(at)
        with connection.execute_wrapper(killer):
            import_work.run(job_id)
        os.write(writer, str(killer.count).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as said:
        text = said.read()
    _pid, status = os.waitpid(child, 0)
    return int(text) if text else -os.WTERMSIG(status)


def killed_and_taken_up(actor: Any, project: Any, mark: str, rows: int, at: int) -> tuple[int, int]:
    """Kill an import before its statement `at`, then sweep and work again; return how many rows
    stood after the kill, and how many at the end.
    """
    from annotation.importing import uploads
    from annotation.models import ImportJob
    from annotation.services import import_work

    job = queued(actor, project, mark, rows)
    status = work_in_a_child(job.pk, at)
    assert status == -signal.SIGKILL, f"the child ended with {status}"
    own = project.requests.filter(key__startswith=f"{mark}-")
    after_kill = own.count()
    import_work.sweep()
    work_in_a_child(job.pk, None)
    job.refresh_from_db()
    assert job.state == ImportJob.State.DONE, job.report
    import_work.sweep()
    assert not uploads.path_of(job.public_id).exists()
    return after_kill, own.count()


def queued(actor: Any, project: Any, mark: str, rows: int) -> Any:
    from annotation.models import Attempts, ImportJob
    from annotation.services import import_jobs

    Attempts.objects.all().delete()
    job = import_jobs.upload(
        actor=actor, project=project, kind="requests", filename=f"{mark}.jsonl",
        stream=io.BytesIO(rows_of(rows, mark)),
    )  # fmt: skip
    ImportJob.objects.filter(pk=job.pk).update(state=ImportJob.State.QUEUED)
    return job


def statements(actor: Any, project: Any, rows: int) -> int:
    """How many statements an import of so many rows sends, once its class is there."""
    work_in_a_child(queued(actor, project, "before", 1).pk, None)
    return work_in_a_child(queued(actor, project, "whole", rows).pk, None)


def main(points: str = "30", rows: str = "50000") -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INTACT_DATA_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        import django

        django.setup()
        from django.core.management import call_command

        from annotation.models import Person
        from annotation.services.projects import create_project

        call_command("migrate", verbosity=0)
        owner = Person.objects.create_user("owner")
        project = create_project(actor=owner, slug="killing", name="Killing")
        total = statements(owner, project, int(rows))
        pick = random.Random(7)  # noqa: S311 the same points each time
        print(f"{total} statements for {rows} rows")
        for n in range(int(points)):
            at = pick.randint(1, total)
            after, end = killed_and_taken_up(owner, project, f"k{n}", int(rows), at)
            assert after in (0, int(rows)) and end == int(rows), (after, end)
            print(f"killed before statement {at}: {after} rows, then {end}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
