"""Working on an import: whoever claims its row checks and writes the file, and a sweep takes up
what a killed worker left. The rows that an import writes and its end are one transaction, so that a
kill at any point leaves none of them or all.
"""

import logging
from datetime import timedelta
from time import monotonic
from typing import Any
from uuid import uuid4

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as QueueUnreachable

from annotation.importing import uploads
from annotation.importing.mapping import Reading
from annotation.importing.problems import ImportRefused, Problems
from annotation.importing.source import Source
from annotation.languages import STORED
from annotation.models import ImportJob
from annotation.processes import is_gone, process_name
from annotation.services.imports import ImportReport, import_file

State = ImportJob.State
# While it writes, a job renews no lease: it lasts longer than a task may (CELERY_TASK_TIME_LIMIT),
# so that nobody takes up a job on which a living worker is still at work.
LEASE = timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT) + timedelta(minutes=1)
MAX_ATTEMPTS = 3
MAX_WAIT = timedelta(days=1)  # an upload that nobody confirms
MOST_FAULTS = 1_000
LOOK_SECONDS = 0.5  # how often progress is written and a wish to cancel is looked at
OPEN = (State.UPLOADED, State.QUEUED, State.RUNNING)

logger = logging.getLogger(__name__)


class Stopped(Exception):
    """The person cancelled, or somebody else has the job now: nothing is to be written."""


def send(job_id: int) -> None:
    """Tell the workers that there is something to import. Without a queue the row still waits."""
    from annotation.tasks import run_import  # tasks import services, so this one comes late

    try:
        run_import.delay(job_id)
    except (QueueUnreachable, OSError):
        logger.warning(
            "The queue cannot be reached; import %s waits for the sweep.", job_id, exc_info=True
        )


@translation.override(STORED)  # also when a person waits for it in the page
def run(job_id: int) -> bool:
    """Claim the job and work on it to its end; False if it is not to be had."""
    owner = f"{process_name()}:{uuid4().hex[:6]}"
    job = _claimed(job_id, owner)
    if job is None:
        return False
    work = _Work(job, owner)
    try:
        work.do()
    except Stopped:
        work.end(State.CANCELLED, {"said": _("Cancelled. Nothing was written.")})
    except ImportRefused as refused:
        work.refuse(refused.problems)
    except PermissionDenied as denied:
        work.end(State.REFUSED, {"said": str(denied)})
    except FileNotFoundError:
        work.end(State.FAILED, {"said": _("The uploaded file is gone: upload it again.")})
    except OperationalError as fault:  # a locked or full database: not the file's fault
        logger.warning("Import %s was stopped: %s", job.public_id, fault)
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()  # the next statement opens a sound one
        work.give_back(_("The database was busy or full."))
    except SoftTimeLimitExceeded:
        logger.warning("Import %s took longer than a task may.", job.public_id)
        said = _("It took longer than %(minutes)g minutes and was stopped; nothing was written. "
                 "Split the file and import its parts.") % {
            "minutes": settings.CELERY_TASK_SOFT_TIME_LIMIT / 60}  # fmt: skip
        work.end(State.FAILED, {"said": said})
    except Exception:
        logger.exception("Import %s failed.", job.public_id)
        said = _("A fault of ours stopped it (%(id)s); nothing was written. Tell whoever runs this "
                 "server.") % {"id": job.public_id}  # fmt: skip
        work.end(State.FAILED, {"said": said})
    except BaseException:  # the worker is being stopped
        work.give_back("")
        raise
    return True


@translation.override(STORED)
def sweep() -> list[int]:
    """Take up what was left: jobs of processes that are gone, jobs whose lease ran out, uploads
    that nobody confirmed, files that nobody waits for. Returns the jobs to send to workers.
    """
    now = timezone.now()
    running = ImportJob.objects.filter(state=State.RUNNING)
    for pk, owner, until in running.values_list("pk", "lease_owner", "leased_until"):
        if until is None or until < now or is_gone(owner.rpartition(":")[0]):
            running.filter(pk=pk, lease_owner=owner).update(
                state=State.QUEUED, lease_owner="", leased_until=now
            )
    for job in ImportJob.objects.filter(state=State.QUEUED):
        if job.cancel_wanted:
            _end(job, State.CANCELLED, _("Cancelled. Nothing was written."))
        elif job.attempts >= MAX_ATTEMPTS:
            _end(job, State.FAILED, _("It was stopped three times; nothing was written."))
    for job in ImportJob.objects.filter(state=State.UPLOADED, created_at__lt=now - MAX_WAIT):
        _end(job, State.CANCELLED, _("Nobody confirmed it within a day; nothing was written."))
    _remove_files()
    queued = ImportJob.objects.filter(state=State.QUEUED, leased_until__lte=now)
    return list(queued.values_list("pk", flat=True))


def _remove_files() -> None:
    """Delete what a process that died left: files of jobs that ended, and files without a job."""
    waiting = ImportJob.objects.filter(state__in=OPEN)
    ended = ImportJob.objects.filter(public_id__in=uploads.lying()).exclude(state__in=OPEN)
    for public_id in ended.values_list("public_id", flat=True):
        uploads.forget(public_id)
    uploads.remove_orphans(waiting.values_list("public_id", flat=True))


def source_of(job: ImportJob) -> Source:
    """The job's file, as the person said that it is to be read."""
    data = uploads.path_of(job.public_id).read_bytes()
    reading = Reading.from_json(job.mapping)
    return Source(job.filename, data, reading=reading, options=job.mapping.get("options", {}))


def _end(job: ImportJob, state: str, said: str) -> None:
    ended = ImportJob.objects.filter(pk=job.pk, state=job.state).update(
        state=state, ended_at=timezone.now(), report={"said": said}, leased_until=None
    )
    if ended:
        uploads.forget(job.public_id)


def _claimed(job_id: int, owner: str) -> ImportJob | None:
    now = timezone.now()
    free = Q(state=State.QUEUED) | Q(state=State.RUNNING, leased_until__lt=now)
    claimed = ImportJob.objects.filter(free, pk=job_id, attempts__lt=MAX_ATTEMPTS).update(
        state=State.RUNNING,
        lease_owner=owner,
        leased_until=now + LEASE,
        attempts=F("attempts") + 1,
        rows_done=0,
    )
    if not claimed:
        return None
    return ImportJob.objects.select_related("project", "created_by").get(pk=job_id)


class _Work:
    """One claimed job: its progress, and its end."""

    def __init__(self, job: ImportJob, owner: str) -> None:
        self.job = job
        self.final = bool((job.report or {}).get("final"))
        self._mine = ImportJob.objects.filter(
            pk=job.pk, state=State.RUNNING, lease_owner=owner, attempts=job.attempts
        )
        self._looked = monotonic()

    def do(self) -> None:
        job = self.job
        source = source_of(job)
        report = import_file(
            actor=job.created_by,
            project=job.project,
            kind=job.kind,
            filename=job.filename,
            data=source.data,
            target=job.target,
            dry_run=job.dry_run,
            reading=source.reading,
            options=source.options,
            watch=self._look,
            sealed=self._seal,
            most_faults=MOST_FAULTS,
        )
        if job.dry_run:
            state = State.DONE if self.final else State.UPLOADED
            self.end(state, {**report.to_json(), "faults": 0, "problems": []})
        uploads_are_done(job)

    def refuse(self, problems: Problems) -> None:
        """Keep the faults. A file that was only checked waits on, to be read in another way."""
        present = problems.codes["present_id"]
        report = {
            "faults": problems.total,
            "problems": problems.to_json(),
            "warnings": [],
            "notes": problems.notes,
            "all_present": bool(present) and present == problems.total,
        }
        mended = self.job.dry_run and not self.final
        self.end(State.UPLOADED if mended else State.REFUSED, report)

    def end(self, state: str, report: dict[str, Any]) -> None:
        waits = state == State.UPLOADED
        self._mine.update(
            state=state,
            report=report,
            ended_at=None if waits else timezone.now(),
            lease_owner="",
            leased_until=None,
        )
        uploads_are_done(self.job)

    def give_back(self, said: str) -> None:
        """Let another attempt do it, or give up after the third."""
        if self.job.attempts >= MAX_ATTEMPTS:
            self.end(State.FAILED, {"said": f"{said} {_('Nothing was written.')}".strip()})
        else:
            self._mine.update(state=State.QUEUED, lease_owner="", leased_until=timezone.now())

    def _look(self, rows: int) -> None:
        """Between rows: write how many were read, renew the lease, stop if that is wanted."""
        if monotonic() - self._looked < LOOK_SECONDS:
            return
        self._looked = monotonic()
        held = self._mine.filter(cancel_wanted=False).update(
            rows_done=rows, leased_until=timezone.now() + LEASE
        )
        if not held:
            raise Stopped

    def _seal(self, report: ImportReport) -> None:
        """In the transaction that writes the rows: the job ends with them or not at all."""
        ended = self._mine.filter(cancel_wanted=False).update(
            state=State.DONE,
            report={**report.to_json(), "faults": 0, "problems": []},
            rows_done=report.rows,
            ended_at=timezone.now(),
            lease_owner="",
            leased_until=None,
        )
        if not ended:
            raise Stopped


def uploads_are_done(job: ImportJob) -> None:
    """Delete the file once its job has ended."""
    if ImportJob.objects.filter(pk=job.pk).exclude(state__in=OPEN).exists():
        uploads.forget(job.public_id)
