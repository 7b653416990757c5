"""How fast a large file comes in; no test. Imports 50,000 requests of about 300 characters.

    python -m tests.annotation.importing.speed [jsonl|csv] [ROWS]

It makes a throw-away database, and prints seconds and the peak of the resident memory.
"""

import csv
import json
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

WORDS = (
    "the revenue of harbor rail in fiscal year before after profit café naïve 東京 report".split()
)


def write(path: Path, rows: int) -> None:
    pick = random.Random(1)  # noqa: S311 the same words each time
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        if path.suffix == ".csv":
            table.writerow(["id", "class", "text", "turns", "answers"])
        for n in range(rows):
            text = " ".join(pick.choices(WORDS, k=50))[:200]
            turns = [{"role": "user", "text": " ".join(pick.choices(WORDS, k=20))[:100]}]
            row = {"id": f"r{n}", "class": f"class-{n % 7}", "text": text, "turns": turns,
                   "answers": ["4 million"]}  # fmt: skip
            if path.suffix == ".csv":
                table.writerow([v if isinstance(v, str) else json.dumps(v) for v in row.values()])
            else:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def peak() -> float:
    """The peak of the resident memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(ending: str = "jsonl", rows: str = "50000") -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INTACT_DATA_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        import django

        django.setup()
        from django.core.management import call_command

        from annotation.models import Person
        from annotation.services.imports import import_file
        from annotation.services.projects import create_project

        call_command("migrate", verbosity=0)
        owner = Person.objects.create_user("owner")
        project = create_project(actor=owner, slug="speed", name="Speed")
        path = Path(folder) / f"requests.{ending}"
        write(path, int(rows))
        before, began = peak(), time.perf_counter()
        report = import_file(
            actor=owner, project=project, kind="requests", filename=path.name,
            data=path.read_bytes(),
        )  # fmt: skip
        seconds = time.perf_counter() - began
        print(
            f"{report.written:,} requests from {path.stat().st_size / 2**20:.1f} MiB of {ending}: "
            f"{seconds:.1f} s, peak {peak():.0f} MB (before the import {before:.0f} MB)"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
