"""The same file from two threads, on a database file as in production."""

import io
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from annotation.importing import uploads
from annotation.importing.requests import RequestsFile
from annotation.models import ImportJob, ImportRecord, LedgerEntry, Person, Project, Request
from annotation.services import import_jobs
from annotation.services.imports import ImportReport, import_file
from annotation.services.projects import create_project, set_member
from tests.annotation.conftest import lines
from tests.annotation.importing.conftest import request
from tests.evaluation.runs.fixtures import file_database

__all__ = ["file_database"]


@pytest.mark.django_db(transaction=True)
def test_while_a_file_is_written_others_read_at_once_and_save_after_it(
    file_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one transaction that writes is open while somebody reads, and begins to save."""
    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="study", name="Study")
    done: list[str] = []
    read, saving = threading.Event(), threading.Event()

    def somebody_else() -> None:
        try:
            done.append(f"read {Request.objects.count()}")
            read.set()
            saving.set()
            Person.objects.filter(pk=owner.pk).update(first_name="saved")
            done.append("saved")
        finally:
            connection.close()

    other = threading.Thread(target=somebody_else)
    real = RequestsFile.load

    def load(self: RequestsFile, *rest: Any) -> int:
        written = real(self, *rest)
        other.start()
        assert read.wait(timeout=20) and saving.wait(timeout=20)
        done.append("written")
        return written

    monkeypatch.setattr(RequestsFile, "load", load)
    data = lines([request(id=f"r{n}") for n in range(300)])
    import_file(actor=owner, project=project, kind="requests", filename="f.jsonl", data=data)
    other.join(timeout=30)
    assert done == ["read 0", "written", "saved"]
    assert (Request.objects.count(), Person.objects.get().first_name) == (300, "saved")


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


@pytest.mark.django_db(transaction=True)
def test_d61_of_many_uploads_at_once_a_person_gets_three_and_the_others_leave_nothing(
    file_database: Path,
) -> None:
    owner, somebody = Person.objects.create_user("owner"), Person.objects.create_user("somebody")
    project = create_project(actor=owner, slug="study", name="Study")
    set_member(actor=owner, project=project, person=somebody, roles=["engineer"])
    together = threading.Barrier(9)
    came: list[str] = []

    def send(person: Person, n: int) -> None:
        together.wait(timeout=20)
        try:
            import_jobs.upload(
                actor=person, project=project, filename=f"{n}.jsonl",
                stream=io.BytesIO(lines([request(id=f"r{n}")])), kind="requests",
            )  # fmt: skip
            came.append(person.username)
        except import_jobs.TooManyUploads:
            came.append("refused")
        finally:
            connection.close()

    before = set(uploads.lying())
    people = [owner] * 8 + [somebody]
    threads = [threading.Thread(target=send, args=(who, n)) for n, who in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert Counter(came) == {"owner": import_jobs.MAX_OPEN, "refused": 5, "somebody": 1}
    kept = set(ImportJob.objects.values_list("public_id", flat=True))
    assert set(uploads.lying()) - before == kept and len(kept) == 4
