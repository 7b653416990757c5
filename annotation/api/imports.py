"""Files on their way in: all of a file or nothing. A small file is done at once, a large one by a
worker while its job tells how far it is.
"""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from annotation.api.fields import JSONText, Sent, Shown, Upload
from annotation.api.operations import Answer, Call, operation
from annotation.api.pagination import Page
from annotation.api.problems import Problem
from annotation.importing.kinds import FILE_KINDS
from annotation.models import ImportJob
from annotation.services import import_jobs

State = ImportJob.State
MINE = {"scope": "import", "act": "import"}


class JobLine(Shown):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    target = serializers.CharField(allow_blank=True)
    file = serializers.CharField()
    state = serializers.ChoiceField(State.values)
    dry_run = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class JobShown(JobLine):
    """`rows_total` counts lines and is an estimate; `faults` is null until a check ended, and the
    first hundred are in `problems`.
    """

    rows_total = serializers.IntegerField(allow_null=True)
    rows_done = serializers.IntegerField()
    rows = serializers.IntegerField(allow_null=True)
    written = serializers.IntegerField(allow_null=True)
    already_present = serializers.BooleanField(allow_null=True)
    faults = serializers.IntegerField(allow_null=True)
    problems = serializers.ListField(child=serializers.DictField())
    warned = serializers.IntegerField()
    warnings = serializers.ListField(child=serializers.DictField())
    notes = serializers.ListField(child=serializers.CharField())
    said = serializers.CharField(allow_blank=True)


class FileSent(Sent):
    """A form: the file, what it holds, for the files of an arm the arm's name as `target`, and as
    JSON how it is to be read where its name does not tell (`mapping`).
    """

    kind = serializers.CharField(max_length=20)
    file = Upload(allow_empty_file=True)
    target = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    dry_run = serializers.BooleanField(required=False, default=False)
    mapping = JSONText(required=False)


@operation("GET", **MINE, answer=JobLine, paged=True)
def imports(call: Call) -> Page:
    """My imports, the newest first."""
    rows = call.project.import_jobs.filter(created_by=call.person)
    page = call.page(rows, "pk", newest=True)
    return Page([import_jobs.job_report(job) for job in page.results], page.next, page.previous)


@operation(
    "POST",
    **MINE,
    body=FileSent,
    form=True,
    answer=JobShown,
    status=201,
    also={
        200: "Nothing was written: only checked, or the file is here already.",
        202: "A worker does it: ask for the job.",
    },
    refusals=(429, 507),
)
def file_imported(call: Call) -> Answer:
    """Import a file, or only check it (`dry_run`). A fault anywhere writes nothing and is told
    with its row and column.
    """
    kind = call.body["kind"]
    if kind not in FILE_KINDS:
        raise _unknown_kind()
    job = import_jobs.start_job(
        actor=call.person,
        project=call.project,
        kind=kind,
        filename=call.body["file"].name,
        stream=call.body["file"],
        target=call.body["target"],
        mapping=call.body.get("mapping"),
        dry_run=call.body["dry_run"],
    )
    return _ended(import_jobs.job_report(job))


@operation("GET", **MINE, answer=JobShown)
def import_job(call: Call, job_id: UUID) -> dict[str, Any]:
    """One of my imports: how far it is, and what came of it."""
    return import_jobs.job_report(_own(call, job_id))


@operation("POST", **MINE, answer=JobShown)
def import_cancelled(call: Call, job_id: UUID) -> dict[str, Any]:
    """Stop an import; nothing of it is written. What is written already stays."""
    job = import_jobs.cancel(actor=call.person, job=_own(call, job_id))
    return import_jobs.job_report(job)


def _own(call: Call, job_id: UUID) -> ImportJob:
    return import_jobs.own_job(actor=call.person, project=call.project, job_id=job_id)


def _ended(report: dict[str, Any]) -> Answer:
    """What to answer for a job as it is after it was begun."""
    if report["state"] == State.REFUSED:
        count = report["faults"] or 0
        detail = report["said"] or f"The file has {count} faults; nothing of it was written."
        more = {"job": report["id"], "total": count}
        raise Problem(422, detail, kind="file-refused", errors=report["problems"], more=more)
    if report["state"] == State.FAILED:
        raise Problem(500, report["said"], more={"job": report["id"]})
    if report["state"] in (State.QUEUED, State.RUNNING):
        return Answer(report, 202)
    return Answer(report, 201 if report["written"] else 200)


def _unknown_kind() -> Problem:
    message = f"The kinds of file are: {', '.join(sorted(FILE_KINDS))}."
    error: dict[str, Any] = {"pointer": "/kind", "code": "unknown_kind", "message": message}
    return Problem(400, message, errors=[error])
