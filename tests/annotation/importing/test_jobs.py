"""Imports in the background: claimed once, cancelled between rows, taken up after a crash."""

import io
import os
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.utils import timezone

from annotation.importing import source, uploads
from annotation.models import ImportJob, ImportRecord, Person, Project, Request
from annotation.services import import_jobs, import_work
from annotation.services.projects import Refused, set_member
from tests.annotation.conftest import lines
from tests.annotation.importing.conftest import everything_stored, request

State = ImportJob.State


def rows(count: int = 3, **changed: Any) -> bytes:
    return lines([request(id=f"r{n}", **changed) for n in range(count)])


@pytest.fixture
def upload(project: Project, engineer: Person) -> Any:
    def uploaded(data: bytes, filename: str = "requests.jsonl", **options: Any) -> ImportJob:
        return import_jobs.upload(
            actor=engineer, project=project, filename=filename, stream=io.BytesIO(data), **options
        )

    return uploaded


@pytest.fixture
def queued(upload: Any) -> Any:
    """A job that waits for a worker."""

    def made(data: bytes = b"", **changed: Any) -> ImportJob:
        job = upload(data or rows(), kind="requests")
        changed = {"state": State.QUEUED, "leased_until": timezone.now(), **changed}
        ImportJob.objects.filter(pk=job.pk).update(**changed)
        job.refresh_from_db()
        return job

    return made


def test_start_job_imports_a_small_file_at_once(project: Project, engineer: Person) -> None:
    job = import_jobs.start_job(
        actor=engineer, project=project, kind="requests", filename="r.jsonl",
        stream=io.BytesIO(rows()),
    )  # fmt: skip
    report = import_jobs.job_report(job)
    assert (report["state"], report["written"], report["faults"]) == ("done", 3, 0)
    assert not uploads.path_of(job.public_id).exists()


def test_start_job_reads_by_the_mapping_it_is_given(project: Project, engineer: Person) -> None:
    import_jobs.start_job(
        actor=engineer, project=project, kind="requests", filename="r.csv",
        stream=io.BytesIO(b"Nr;Art;Frage\na;fact;x\n"),
        mapping={"delimiter": ";", "columns": {"Nr": "id", "Art": "class", "Frage": "text"}},
    )  # fmt: skip
    assert Request.objects.get().text == "x"


def test_start_job_ends_with_the_faults_and_keeps_no_file(
    project: Project, engineer: Person
) -> None:
    job = import_jobs.start_job(
        actor=engineer, project=project, kind="requests", filename="r.jsonl",
        stream=io.BytesIO(rows(**{"class": ""})), dry_run=True,
    )  # fmt: skip
    report = import_jobs.job_report(job)
    assert (report["state"], report["faults"]) == ("refused", 3)
    assert report["problems"][0]["column"] == "class"
    assert not uploads.path_of(job.public_id).exists()


def test_a_dry_run_of_start_job_writes_nothing(project: Project, engineer: Person) -> None:
    job = import_jobs.start_job(
        actor=engineer, project=project, kind="requests", filename="r.jsonl",
        stream=io.BytesIO(rows()), dry_run=True,
    )  # fmt: skip
    assert (job.state, Request.objects.count()) == (State.DONE, 0)


@pytest.mark.parametrize(
    "mapping",
    [{"format": "xml"}, {"encoding": "ebcdic"}, {"delimiter": "-"}, {"columns": {"a": 1}}],
)
def test_a_mapping_that_nobody_can_mean_is_refused_and_leaves_nothing(
    mapping: dict[str, Any], project: Project, engineer: Person
) -> None:
    with pytest.raises(Refused):
        import_jobs.start_job(
            actor=engineer, project=project, kind="requests", filename="r.jsonl",
            stream=io.BytesIO(rows()), mapping=mapping,
        )  # fmt: skip
    assert not ImportJob.objects.filter(state__in=import_jobs.OPEN).exists()


def test_an_annotator_imports_nothing(project: Project, annotator_a: Person) -> None:
    with pytest.raises(PermissionDenied):
        import_jobs.upload(
            actor=annotator_a, project=project, filename="f", stream=io.BytesIO(rows())
        )


def test_a_job_is_worked_on_once(queued: Any) -> None:
    job = queued()
    assert [import_work.run(job.pk), import_work.run(job.pk)] == [True, False]
    assert Request.objects.count() == 3


def test_a_job_that_somebody_works_on_is_not_taken(queued: Any) -> None:
    later = timezone.now() + timedelta(minutes=1)
    job = queued(state=State.RUNNING, leased_until=later, lease_owner="host:1:1:x")
    assert import_work.run(job.pk) is False


def test_a_worker_whose_lease_was_taken_writes_nothing(
    queued: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued()
    real = import_work._Work._seal

    def stolen(self: Any, report: Any) -> None:
        ImportJob.objects.filter(pk=job.pk).update(lease_owner="another")
        real(self, report)

    monkeypatch.setattr(import_work._Work, "_seal", stolen)
    import_work.run(job.pk)
    assert (Request.objects.count(), ImportRecord.objects.count()) == (0, 0)


def test_cancel_between_rows_writes_nothing(queued: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    job = queued(rows(20))
    monkeypatch.setattr(source, "WATCHED_EVERY", 5)
    monkeypatch.setattr(import_work, "LOOK_SECONDS", 0)
    before = everything_stored()
    real = import_work._Work._look

    def look(self: Any, count: int) -> None:
        if count == 10:
            import_jobs.cancel(actor=job.created_by, job=job)
        real(self, count)

    monkeypatch.setattr(import_work._Work, "_look", look)
    import_work.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.rows_done) == (State.CANCELLED, 5)
    assert everything_stored() == before and not uploads.path_of(job.public_id).exists()


def test_cancel_after_the_check_but_before_the_write_writes_nothing(
    queued: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued()
    real = import_work._Work._seal

    def cancelled(self: Any, report: Any) -> None:
        ImportJob.objects.filter(pk=job.pk).update(cancel_wanted=True)
        real(self, report)

    monkeypatch.setattr(import_work._Work, "_seal", cancelled)
    import_work.run(job.pk)
    job.refresh_from_db()
    assert (job.state, Request.objects.count()) == (State.CANCELLED, 0)


def test_what_is_written_is_not_cancelled(queued: Any) -> None:
    job = queued()
    import_work.run(job.pk)
    assert import_jobs.cancel(actor=job.created_by, job=job).state == State.DONE


def test_progress_is_written_while_rows_are_read(
    queued: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued(rows(20))
    monkeypatch.setattr(source, "WATCHED_EVERY", 5)
    monkeypatch.setattr(import_work, "LOOK_SECONDS", 0)
    seen: list[int] = []
    real = import_work._Work._look

    def look(self: Any, count: int) -> None:
        real(self, count)
        seen.append(ImportJob.objects.get(pk=job.pk).rows_done)

    monkeypatch.setattr(import_work._Work, "_look", look)
    import_work.run(job.pk)
    assert seen == [5, 10, 15, 20]


def test_the_sweep_takes_up_what_a_dead_process_left(queued: Any) -> None:
    own = import_work.process_name().split(":")
    dead = f"{own[0]}:{os.getpid()}:1"  # our number, but of a process that began earlier
    later = timezone.now() + timedelta(minutes=1)
    job = queued(state=State.RUNNING, leased_until=later, lease_owner=f"{dead}:x", attempts=1)
    assert import_work.sweep() == [job.pk]  # the same sweep that finds it sends it
    import_work.run(job.pk)
    assert Request.objects.count() == 3


def test_the_sweep_leaves_a_living_process_at_work(queued: Any) -> None:
    later = timezone.now() + timedelta(minutes=1)
    owner = f"{import_work.process_name()}:x"
    job = queued(state=State.RUNNING, leased_until=later, lease_owner=owner)
    assert import_work.sweep() == []
    job.refresh_from_db()
    assert job.state == State.RUNNING


def test_the_sweep_sends_what_waits_in_the_queue(queued: Any) -> None:
    job = queued(leased_until=timezone.now() - timedelta(seconds=1))
    assert import_work.sweep() == [job.pk]


def test_after_three_attempts_it_has_failed(queued: Any) -> None:
    job = queued(attempts=3)
    import_work.sweep()
    job.refresh_from_db()
    assert job.state == State.FAILED and "three times" in job.report["said"]
    assert not uploads.path_of(job.public_id).exists()


def test_a_busy_database_gives_the_job_back(queued: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    job = queued()

    def locked(**_rest: Any) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(import_work, "import_file", locked)
    import_work.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (State.QUEUED, 1)


def test_a_fault_of_ours_is_told_with_its_number_and_leaves_nothing(
    queued: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued()

    def broken(*_rest: Any) -> int:
        raise RuntimeError

    monkeypatch.setattr("annotation.importing.requests.RequestsFile.load", broken)
    import_work.run(job.pk)
    job.refresh_from_db()
    assert job.state == State.FAILED and str(job.public_id) in job.report["said"]
    assert not Request.objects.exists()


def test_somebody_who_lost_the_role_meanwhile_imports_nothing(
    queued: Any, owner: Person, engineer: Person, project: Project
) -> None:
    job = queued()
    set_member(actor=owner, project=project, person=engineer, roles=["annotator"])
    import_work.run(job.pk)
    job.refresh_from_db()
    assert job.state == State.REFUSED and not Request.objects.exists()


def test_an_upload_that_nobody_confirms_ends_after_a_day(upload: Any) -> None:
    job = upload(rows())
    ImportJob.objects.update(created_at=timezone.now() - timedelta(days=2))
    import_work.sweep()
    job.refresh_from_db()
    assert job.state == State.CANCELLED and not uploads.path_of(job.public_id).exists()


def test_a_file_without_a_job_is_swept_after_an_hour(upload: Any) -> None:
    job = upload(rows())
    orphan, young = uploads.folder() / "orphan", uploads.folder() / "young"
    orphan.touch()
    young.touch()
    hours_ago = timezone.now().timestamp() - 2 * 3600
    for path in (orphan, uploads.path_of(job.public_id)):
        os.utime(path, (hours_ago, hours_ago))
    import_work.sweep()
    kept = uploads.path_of(job.public_id)
    assert (orphan.exists(), young.exists(), kept.exists()) == (False, True, True)
    young.unlink()


def test_a_stream_over_the_limit_leaves_nothing(
    upload: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_BYTES", 10)
    with pytest.raises(Refused, match="split it"):
        upload(rows())
    assert not ImportJob.objects.exists()


def test_a_sealed_sheet_meanwhile_does_not_make_requests_be_checked_again(
    queued: Any, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Annotators seal all the time: only what a check depends on makes it be done again."""
    from django.db import transaction

    from annotation.importing.requests import RequestsFile
    from annotation.services import ledger

    checks: list[int] = []
    real = RequestsFile.check

    def check(self: Any, *rest: Any) -> Any:
        checks.append(1)
        parsed = real(self, *rest)
        with transaction.atomic():
            ledger.record(project=project, kind="sheet.sealed", subject="x", content={}, actor=None)
        return parsed

    monkeypatch.setattr(RequestsFile, "check", check)
    import_work.run(queued().pk)
    assert (len(checks), Request.objects.count()) == (1, 3)
