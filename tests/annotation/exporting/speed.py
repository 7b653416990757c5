"""How fast a large study goes out, and in how much memory; no test. Makes a throw-away database of
50,000 requests with two sheets of three constraints each, and writes every kind of file.

    python -m tests.annotation.exporting.speed [REQUESTS]

It prints the rows, the size, the seconds, the seconds until the first byte, the longest silence
between two pieces, and the peak of the resident memory.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

WORDS = "the revenue of harbor rail in fiscal year before after profit café 東京 report " * 3
BATCH = 5_000
STEPS = (
    "fill", "requests.jsonl", "requests.csv", "sheets.jsonl", "annotations.csv",
    "annotations-wide.csv", "seats.csv",
)  # fmt: skip


def peak() -> float:
    """The peak of the resident memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fill(project: Any, people: list[Any], count: int) -> None:
    from django.utils import timezone

    from annotation.models import Request, RequestClass, Seat, Turn
    from contracts.models import Constraint, Sheet

    one, now = RequestClass.objects.create(project=project, name="fact"), timezone.now()
    for first in range(0, count, BATCH):
        requests = Request.objects.bulk_create(
            Request(project=project, key=f"r{n}", request_class=one, text=WORDS, position=n,
                    sha256="0" * 64, answers=["4 million"], evidence=[["d1"]])
            for n in range(first, min(first + BATCH, count))
        )  # fmt: skip
        Turn.objects.bulk_create(
            Turn(request=r, position=0, role="user", text=WORDS) for r in requests
        )
        seats = Seat.objects.bulk_create(
            Seat(project=project, request=r, kind="sheet", slot=slot, position=r.position,
                 holder=person, state="submitted", taken_at=now, leased_until=now, sealed_at=now)
            for r in requests for slot, person in enumerate(people, start=1)
        )  # fmt: skip
        sheets = Sheet.objects.bulk_create(
            Sheet(request=s.request, annotator=s.holder, seat=s, sealed_at=now, sha256="0" * 64)
            for s in seats
        )
        Constraint.objects.bulk_create(
            Constraint(sheet=sheet, key=f"c{n}", position=n, kind="referent", turn=1,
                       materiality="critical", start=4, end=11, value={"name": "Harbor Rail"})
            for sheet in sheets for n in (1, 2, 3)
        )  # fmt: skip


def watched(pieces: Iterator[bytes]) -> tuple[float, float, float, int]:
    """Seconds in all, until the first byte, of the longest silence; and the bytes."""
    began = last = time.perf_counter()
    first = silence = 0.0
    size = 0
    for piece in pieces:
        now = time.perf_counter()
        first = first or now - began
        silence, last = max(silence, now - last), now
        size += len(piece)
    return time.perf_counter() - began, first, silence, size


def fill_study(count: int) -> None:
    """Make the people, the project and its work; in a process of its own, whose memory is not
    counted.
    """
    from django.core.management import call_command

    from annotation.models import Person
    from annotation.services.projects import create_project, set_member

    call_command("migrate", verbosity=0)
    owner, *people = (Person.objects.create_user(name) for name in ("owner", "a", "b"))
    project = create_project(actor=owner, slug="speed", name="Speed")
    for person in people:
        set_member(actor=owner, project=project, person=person, roles=["annotator"])
    fill(project, people, count)


def measure(kind: str, form: str) -> None:
    from annotation.models import Project
    from annotation.services.exports import begin_export, wanted

    project = Project.objects.get()
    before, began, worked = peak(), time.perf_counter(), time.process_time()
    export = begin_export(actor=project.created_by, project=project, kind_name=kind, form=form)
    begin = time.perf_counter() - began
    seconds, first, silence, size = watched(export.pieces())
    worked, began = time.process_time() - worked, time.perf_counter()
    rows = export.kind.count(wanted(project))
    print(
        f"{export.filename}: {rows:,} rows, {size / 2**20:.1f} MiB in {seconds:.1f} s "
        f"({worked:.1f} s of the processor); first byte after {begin + first:.2f} s, longest "
        f"silence {silence:.2f} s; peak {peak():.0f} MB (before {before:.0f} MB); counted in "
        f"{time.perf_counter() - began:.2f} s",
        flush=True,
    )


def main(requests: str = "50000", only: str = "") -> None:
    """Each step is a process of its own: `only` names it."""
    if only:
        import django

        django.setup()
        kind, _dot, form = only.partition(".")
        fill_study(int(requests)) if kind == "fill" else measure(kind, form)
        return
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ, "INTACT_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "tests.settings",
        }  # fmt: skip
        for step in STEPS:
            module = "tests.annotation.exporting.speed"
            subprocess.run([sys.executable, "-m", module, requests, step], env=env, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
