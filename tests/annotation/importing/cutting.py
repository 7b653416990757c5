"""A database on PostgreSQL that goes away while a file is read; no test by itself.

`python -m tests.annotation.importing.cutting` prints what came of the import as a line of JSON.
"""

import json
import os
from typing import Any

import django

django.setup()

import psycopg  # noqa: E402 after django.setup()
from django.db import connection  # noqa: E402

from annotation.importing import source  # noqa: E402
from annotation.models import Person  # noqa: E402
from annotation.services import import_work  # noqa: E402
from evaluation.demo.loading import load_demo  # noqa: E402
from tests.annotation.importing.killing import queued  # noqa: E402


def cut_off() -> None:
    """What a restart of the database does to whoever is connected."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        own = cursor.fetchone()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as another:
        another.execute("SELECT pg_terminate_backend(%s)", own)


def main() -> None:
    project, engineer = load_demo(), Person.objects.get(username="engineer")
    job = queued(engineer, project, "cut", 3)
    real = import_work._Work._look

    def look(self: Any, rows: int) -> None:
        if rows == 2 and self.job.attempts == 1:
            cut_off()
        real(self, rows)

    source.WATCHED_EVERY, import_work.LOOK_SECONDS = 1, 0.0
    import_work._Work._look = look  # type: ignore[method-assign]
    found: list[Any] = []
    for _attempt in range(2):
        import_work.run(job.pk)
        job.refresh_from_db()
        found += [job.state, project.requests.filter(key__startswith="cut-").count()]
    print(json.dumps([*found, job.attempts]))


if __name__ == "__main__":
    main()
