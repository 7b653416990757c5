"""The same file from two threads, on a database file as in production."""

import threading
from pathlib import Path

import pytest
from django.db import connection

from annotation.models import ImportRecord, LedgerEntry, Person, Project, Request
from annotation.services.imports import ImportReport, import_file
from annotation.services.projects import create_project
from tests.annotation.conftest import lines
from tests.annotation.importing.conftest import request
from tests.evaluation.runs.fixtures import file_database

__all__ = ["file_database"]


@pytest.mark.django_db(transaction=True)  # without the mark no database is made for a lone test
def test_the_same_file_from_two_threads_comes_in_once(file_database: Path) -> None:
    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="study", name="Study")
    data = lines([request(id=f"r{n}") for n in range(300)])
    together = threading.Barrier(2)
    reports: list[ImportReport] = []

    def take_in() -> None:
        try:
            mine = Project.objects.get(pk=project.pk)
            together.wait(timeout=20)
            reports.append(
                import_file(
                    actor=owner, project=mine, kind="requests", filename="f.jsonl", data=data
                )
            )
        finally:
            connection.close()

    threads = [threading.Thread(target=take_in) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(report.written for report in reports) == [0, 300]
    assert sum(report.already_present for report in reports) == 1
    assert (Request.objects.count(), ImportRecord.objects.count()) == (300, 1)
    assert LedgerEntry.objects.filter(kind="requests.imported").count() == 1
