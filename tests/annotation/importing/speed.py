"""How fast a large file comes in, and how long others wait meanwhile; no test.

    python -m tests.annotation.importing.speed [jsonl|csv] [ROWS] [--full] [--job]

Imports 50,000 requests of about 300 characters into a throw-away SQLite file. `--full`: into a
project that has as many requests and sealed sheets already. `--job`: as a worker does it, from the
stored upload. A second thread saves something small all the time, as a person at the desk does;
its longest wait is what a save waits at most.
"""

import argparse
import csv
import json
import os
import random
import resource
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Self

WORDS = (
    "the revenue of harbor rail in fiscal year before after profit café naïve 東京 report".split()
)


def write(path: Path, rows: int, mark: str) -> None:
    pick = random.Random(1)  # noqa: S311 the same words each time
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        if path.suffix == ".csv":
            table.writerow(["id", "class", "text", "turns", "answers"])
        for n in range(rows):
            text = " ".join(pick.choices(WORDS, k=50))[:200]
            turns = [{"role": "user", "text": " ".join(pick.choices(WORDS, k=20))[:100]}]
            row = {"id": f"{mark}{n}", "class": f"class-{n % 7}", "text": text, "turns": turns,
                   "answers": ["4 million"]}  # fmt: skip
            if path.suffix == ".csv":
                table.writerow([v if isinstance(v, str) else json.dumps(v) for v in row.values()])
            else:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def peak() -> float:
    """The peak of the resident memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Saver(threading.Thread):
    """Saves a person's name twenty times a second and keeps the longest wait."""

    def __init__(self, person: Any) -> None:
        super().__init__(daemon=True)
        self.person, self.longest, self.saves = person, 0.0, 0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.05):
            began = time.perf_counter()
            type(self.person).objects.filter(pk=self.person.pk).update(first_name=str(began))
            self.longest = max(self.longest, time.perf_counter() - began)
            self.saves += 1

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_fault: object) -> None:
        self.over.set()
        self.join()


class Locked:
    """Sums up, while it is open, the seconds for which imports kept their project locked."""

    def __init__(self) -> None:
        self.held = self.busy = 0.0

    def __enter__(self) -> Self:
        from annotation.services import imports

        self._real = imports._written
        imports._written = self._timed
        return self

    def __exit__(self, *_fault: object) -> None:
        from annotation.services import imports

        imports._written = self._real

    def _timed(self, *args: Any, **rest: Any) -> Any:
        began, worked = time.perf_counter(), time.thread_time()
        try:
            return self._real(*args, **rest)
        finally:
            self.held += time.perf_counter() - began
            self.busy += time.thread_time() - worked

    def __str__(self) -> str:
        return f"{self.held:.1f} s ({self.busy:.1f} s of a processor) with the project locked"


def fill(project: Any, owner: Any, path: Path, rows: int) -> None:
    """As many requests and sealed sheets as the file will bring, so that nothing is empty."""
    from django.utils import timezone

    from annotation.models import Seat
    from annotation.services.imports import import_file
    from contracts.models import Sheet

    before = path.with_name("before.jsonl")
    write(before, rows, "old")
    import_file(actor=owner, project=project, kind="requests", filename=before.name,
                data=before.read_bytes())  # fmt: skip
    before.unlink()
    now = timezone.now()
    requests = list(project.requests.only("pk", "position"))
    seats = Seat.objects.bulk_create(
        [Seat(project=project, request=r, kind="sheet", slot=1, position=r.position, holder=owner,
              taken_at=now, leased_until=now, state=Seat.State.SUBMITTED, sealed_at=now)
         for r in requests],
        batch_size=500,
    )  # fmt: skip
    Sheet.objects.bulk_create(
        [Sheet(request=r, annotator=owner, seat=seat, sha256="0" * 64, sealed_at=now)
         for r, seat in zip(requests, seats, strict=True)],
        batch_size=500,
    )  # fmt: skip


def measured(path: Path, project: Any, owner: Any, as_job: bool) -> tuple[int, float]:
    """Import the file; return the rows written and the seconds."""
    from annotation.models import Attempts, ImportJob
    from annotation.services import import_jobs, import_work, imports

    if as_job:
        Attempts.objects.all().delete()
        with path.open("rb") as stream:
            job = import_jobs.upload(
                actor=owner, project=project, kind="requests", filename=path.name, stream=stream
            )
        ImportJob.objects.filter(pk=job.pk).update(state=ImportJob.State.QUEUED)
        began = time.perf_counter()
        import_work.run(job.pk)
        seconds = time.perf_counter() - began
        job.refresh_from_db()
        return job.report["written"], seconds
    began = time.perf_counter()
    report = imports.import_file(
        actor=owner, project=project, kind="requests", filename=path.name, data=path.read_bytes()
    )
    return report.written, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ending", nargs="?", default="jsonl", choices=("jsonl", "csv"))
    parser.add_argument("rows", nargs="?", type=int, default=50_000)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--job", action="store_true")
    said = parser.parse_args()
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
        project = create_project(actor=owner, slug="speed", name="Speed")
        path = Path(folder) / f"requests.{said.ending}"
        if said.full:
            if os.fork() == 0:  # its memory is not the import's
                fill(project, owner, path, said.rows)
                os._exit(0)
            os.wait()
        write(path, said.rows, "r")
        before, cpu = peak(), time.process_time()
        with Locked() as locked, Saver(owner) as saver:
            written, seconds = measured(path, project, owner, said.job)
        print(
            f"{written:,} requests from {path.stat().st_size / 2**20:.1f} MiB of {said.ending}"
            f"{' into a full project' if said.full else ''}{' as a job' if said.job else ''}: "
            f"{seconds:.1f} s ({time.process_time() - cpu:.1f} s of a processor), of them "
            f"{locked}; peak {peak():.0f} MB "
            f"(before the import {before:.0f} MB); {saver.saves} saves beside it, the longest wait "
            f"{saver.longest:.1f} s"
        )


if __name__ == "__main__":
    main()
