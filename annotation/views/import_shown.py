"""What the page of an import shows."""

import threading
from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation.import_forms import ChoicesForm
from annotation.importing import preview
from annotation.importing.archives import ArchiveFault
from annotation.importing.kinds import FILE_KINDS
from annotation.models import ImportJob
from annotation.services import import_jobs, import_work

State = ImportJob.State
ENDED = (State.DONE, State.REFUSED, State.CANCELLED, State.FAILED)
_TELL_SECONDS = 1.0


def job_context(job: ImportJob) -> dict[str, Any]:
    """Everything that the page of the job needs; the form only while the file waits."""
    report = import_jobs.job_report(job)
    context: dict[str, Any] = {
        "project": job.project,
        "job": job,
        "kind": FILE_KINDS[job.kind],
        "report": report,
        "checked": report["faults"] is not None or bool(report["already_present"]),
        "importable": import_jobs.is_checked(job),
        "all_present": bool((job.report or {}).get("all_present")),
        "kept_faults": len((job.report or {}).get("problems", [])),
        "at_work": job.state in (State.QUEUED, State.RUNNING),
        "ended": job.state in ENDED,
        "no_worker": import_jobs.is_waiting_long(job),
        "is_large": (job.rows_total or 0) > import_jobs.INLINE_ROWS,
    }
    if job.state == State.UPLOADED:
        context |= _choices(job)
    return context


def _choices(job: ImportJob) -> dict[str, Any]:
    """The form, and the first rows as they would be read."""
    kind = FILE_KINDS[job.kind]
    try:
        source = import_work.source_of(job)
        source.unpack(folder=kind.folder)
    except (ArchiveFault, FileNotFoundError):
        return {"found": [], "form": ChoicesForm(job, [])}
    if source.members is not None:
        members = sorted((name, len(data)) for name, data in source.members.items())
        return {"found": [], "form": ChoicesForm(job, []), "members": members}
    found = preview.columns(source)
    return {
        "found": found,
        "form": ChoicesForm(job, found),
        "first": preview.first_rows(kind, source),
    }


def streamed(request: HttpRequest, job: ImportJob) -> Iterator[str]:
    """A page that grows while the import runs beside it, and ends when it has ended. Whoever leaves
    the page does not stop the import.
    """
    context = {"project": job.project, "job": job}
    page = render_to_string("annotation/import_here.html", context, request)
    before, _mark, after = page.partition("<!-- lines -->")
    yield before
    worker = threading.Thread(target=_run, args=[job])
    worker.start()
    while worker.is_alive():
        worker.join(_TELL_SECONDS)
        job.refresh_from_db()
        if job.state == State.RUNNING:
            words = {"n": job.rows_done, "of": job.rows_total}
            yield f"<li>{_('%(n)d of about %(of)d rows read') % words}</li>\n"
    yield after


def _run(job: ImportJob) -> None:
    try:
        import_jobs.run_here(actor=job.created_by, job=job)
    finally:
        connection.close()
