"""How long an import of what people sealed elsewhere keeps others from writing; no test.

    python -m tests.contracts.importing.speed [sheets|contracts|standalone|paraphrases] [ROWS]

Imports one sealed thing for each of so many requests into a throw-away SQLite file; a sheet and a
contract have two constraints. A second thread saves something small all the time.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.annotation.importing.speed import Locked, Saver, peak, write

SPANS = [
    {"id": "c1", "kind": "referent", "materiality": "critical", "admissible": ["the railway"],
     "span": {"turn": 1, "start": 0, "end": 4}, "value": {"name": "Harbor Rail"}},
    {"id": "c2", "kind": "time", "materiality": "minor", "admissible": [],
     "span": {"turn": 1, "start": 5, "end": 12},
     "value": {"relation": "before", "start": None, "end": "2021"}},
]  # fmt: skip
OF_PEOPLE: dict[str, dict[str, Any]] = {
    "sheets": {"annotator": "anna", "constraints": SPANS, "sealed_at": "2024-05-01T10:00:00Z"},
    "contracts": {"annotators": ["anna", "ben"], "adjudicator": "owner", "constraints": SPANS},
    "standalone": {"author": "anna", "text": "What did Harbor Rail earn before 2021?"},
    "paraphrases": {"author": "anna", "text": "Say what Harbor Rail earned before 2021."},
}


def a_study(folder: Path, rows: int) -> tuple[Any, Any]:
    """A project with so many requests, and its owner; anna and ben annotate."""
    from annotation.models import Person
    from annotation.services.imports import import_file
    from annotation.services.projects import create_project, set_member

    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="speed", name="Speed")
    for name in ("anna", "ben"):
        person = Person.objects.create_user(name)
        set_member(actor=owner, project=project, person=person, roles=["annotator"])
    path = folder / "requests.jsonl"
    write(path, rows, "r")
    data = path.read_bytes()
    import_file(actor=owner, project=project, kind="requests", filename=path.name, data=data)
    return project, owner


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", nargs="?", default="sheets", choices=OF_PEOPLE)
    parser.add_argument("rows", nargs="?", type=int, default=5_000)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INTACT_DATA_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        import django

        django.setup()
        from django.core.management import call_command

        from annotation.services.imports import import_file
        from annotation.services.ledger import first_altered, first_broken

        call_command("migrate", verbosity=0)
        project, owner = a_study(Path(folder), said.rows)
        lines = (json.dumps({"request": f"r{n}", **OF_PEOPLE[said.kind]}) for n in range(said.rows))
        data = "\n".join(lines).encode()
        before, cpu, began = peak(), time.process_time(), time.perf_counter()
        with Locked() as locked, Saver(owner) as saver:
            report = import_file(
                actor=owner, project=project, kind=said.kind, filename="f.jsonl", data=data
            )
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        print(
            f"{report.written:,} rows of {said.kind}: {seconds:.1f} s ({cpu:.1f} s of a "
            f"processor), of them {locked}; peak {peak():.0f} MB (before the import "
            f"{before:.0f} MB); {saver.saves} saves beside it, the longest wait "
            f"{saver.longest:.1f} s; the ledger holds: "
            f"{not (first_broken(project) or first_altered(project))}"
        )


if __name__ == "__main__":
    main()
