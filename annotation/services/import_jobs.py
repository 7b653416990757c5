"""What people do with a file that they bring: send it, say how it is to be read, check it, import
it, cancel it.
"""

import errno
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import IO, Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotation.importing import preview, uploads
from annotation.importing.archives import ArchiveFault
from annotation.importing.kinds import FILE_KINDS, FileKind
from annotation.importing.mapping import Reading
from annotation.importing.problems import SHOWN
from annotation.importing.reading import MAX_BYTES
from annotation.importing.showing import kept_filename
from annotation.importing.source import Source
from annotation.models import Attempts, ImportJob, Person, Project
from annotation.permissions import may, require
from annotation.services import import_work
from annotation.services.projects import Refused

State = ImportJob.State
OPEN = import_work.OPEN
MAX_OPEN = 3  # files that one person may have on their way
UPLOADS_A_MINUTE = 20
INLINE_ROWS = 5_000
TAKEN_WITHIN = timedelta(seconds=5)  # how soon a free worker takes a job


class NoRoom(Refused):
    """The server cannot keep the file."""


class TooManyUploads(Refused):
    """The person has as many files on their way as one person may have."""


class OnItsWay(Refused):
    """The same person sent the same file, and that one has not ended: `job` is its import."""

    def __init__(self, job: ImportJob) -> None:
        super().__init__(
            _("%(file)s is on its way already: this is its import. Cancel it to send it anew.")
            % {"file": job.filename}
        )
        self.job = job


def upload(
    *,
    actor: Person,
    project: Project,
    filename: str,
    stream: IO[bytes],
    kind: str = "",
    target: str = "",
    unless: Sequence[str] = OPEN,
) -> ImportJob:
    """Keep the file and propose how it is read; nothing is imported yet.

    Without a `kind` the most likely one that the person may import is taken. Raises OnItsWay if
    they sent the same file before and its import is in one of the states `unless`; else Refused.
    """
    require(actor, "import", project)
    if kind and kind not in FILE_KINDS:
        raise Refused(_("The kinds of file are: %(kinds)s.") % {"kinds": ", ".join(FILE_KINDS)})
    if kind:
        require(actor, FILE_KINDS[kind].act, project)
    _count_upload(actor)
    _check_open(actor)
    public_id = uuid4()
    size, sha256 = _kept(public_id, stream)
    try:
        job = ImportJob(
            public_id=public_id,
            project=project,
            kind=kind,
            target=target.strip(),
            filename=kept_filename(filename),
            size=size,
            sha256=sha256,
            created_by=actor,
        )
        _propose(job)
        with transaction.atomic():
            # One upload of a person at a time is counted, so that many at once cannot pass.
            Person.objects.select_for_update().get(pk=actor.pk)
            _check_on_its_way(job, unless)
            _check_open(actor)
            job.save()
    except BaseException:
        uploads.forget(public_id)
        raise
    return job


def start_job(
    *,
    actor: Person,
    project: Project,
    kind: str,
    filename: str,
    stream: IO[bytes],
    target: str = "",
    mapping: Mapping[str, Any] | None = None,
    dry_run: bool = False,
) -> ImportJob:
    """Keep the file and import it (or only check it), at once if it is small, else by a worker.

    `mapping` may have `format`, `encoding`, `delimiter`, `columns` (the file's → ours; None: as
    they seem) and `options`; what it leaves out is as the file's name says. `job_report` tells what
    came of it. Raises Refused.
    """
    job = upload(
        actor=actor, project=project, filename=filename, stream=stream, kind=kind, target=target,
        unless=(State.QUEUED, State.RUNNING),  # what waits for columns waits on its page
    )  # fmt: skip
    try:
        job = change(actor=actor, job=job, kind=kind, target=target, mapping=mapping or {})
    except Refused:
        cancel(actor=actor, job=job)
        raise
    return begin(actor=actor, job=job, dry_run=dry_run, keep=False)


def look(*, actor: Person, job: ImportJob) -> ImportJob:
    """Check the file at once if that is quick; a larger one waits until somebody asks for it."""
    lacks_target = FILE_KINDS[job.kind].target and not job.target
    if job.state != State.UPLOADED or (job.rows_total or 0) > INLINE_ROWS or lacks_target:
        return job
    return begin(actor=actor, job=job, dry_run=True)


def go_on(
    *,
    actor: Person,
    job: ImportJob,
    kind: str,
    target: str,
    mapping: Mapping[str, Any],
    act: str = "",
) -> ImportJob:
    """Take what the person said of the file, then check it, or import it if a check of exactly that
    found no fault. Without an `act` a small file is checked.
    """
    job = change(actor=actor, job=job, kind=kind, target=target, mapping=mapping)
    if act == "import" and is_checked(job):
        return begin(actor=actor, job=job, dry_run=False)
    if act:
        return begin(actor=actor, job=job, dry_run=True)
    return look(actor=actor, job=job)


def is_checked(job: ImportJob) -> bool:
    """Whether the file, as it is read now, was checked and has no fault and something new."""
    report = job.report or {}
    return report.get("faults") == 0 and not report.get("already_present")


def change(
    *, actor: Person, job: ImportJob, kind: str, target: str, mapping: Mapping[str, Any]
) -> ImportJob:
    """Say what the file is and how it is read; what an earlier check found is forgotten if that
    changes anything.
    """
    _own(actor, job)
    require(actor, FILE_KINDS[kind].act, job.project)
    target = target.strip() if FILE_KINDS[kind].target else ""
    said = _said(FILE_KINDS[kind], mapping)
    if "columns" in mapping and mapping["columns"] is None:
        said = _proposed_anew(job, FILE_KINDS[kind], said)
    if (kind, target, said) == (job.kind, job.target, job.mapping):
        return job
    moved = ImportJob.objects.filter(pk=job.pk, state=State.UPLOADED).update(
        kind=kind, target=target, mapping=said, report=None, rows_done=0
    )
    job.refresh_from_db()
    if not moved:
        raise Refused(_("This import goes on already: its columns can no longer be changed."))
    return job


def begin(*, actor: Person, job: ImportJob, dry_run: bool, keep: bool = True) -> ImportJob:
    """Check the file (`dry_run`) or import it: here if it is small, else by a worker.

    A file that was only checked waits on, unless it is not to be kept.
    """
    _own(actor, job)
    require(actor, FILE_KINDS[job.kind].act, job.project)
    # A worker should have taken it by the end of this lease; then the page says that none did.
    moved = ImportJob.objects.filter(pk=job.pk, state=State.UPLOADED).update(
        state=State.QUEUED,
        dry_run=dry_run,
        cancel_wanted=False,
        attempts=0,
        rows_done=0,
        report=None if keep else {"final": True},
        lease_owner="",
        leased_until=timezone.now() + TAKEN_WITHIN,
    )
    if not moved:
        raise Refused(_("This import goes on already, or it has ended."))
    if (job.rows_total or 0) <= INLINE_ROWS:
        import_work.run(job.pk)
    else:
        transaction.on_commit(lambda: import_work.send(job.pk))
    job.refresh_from_db()
    return job


def run_here(*, actor: Person, job: ImportJob) -> bool:
    """Do in this process what no worker takes; False if somebody else has it now."""
    _own(actor, job)
    return import_work.run(job.pk)


def cancel(*, actor: Person, job: ImportJob) -> ImportJob:
    """Stop the import; nothing of it is written. Whoever is at work on it stops at the next look.

    What is written already is not taken back.
    """
    _own(actor, job)
    ImportJob.objects.filter(pk=job.pk, state=State.RUNNING).update(cancel_wanted=True)
    ended = ImportJob.objects.filter(pk=job.pk, state__in=(State.UPLOADED, State.QUEUED)).update(
        state=State.CANCELLED, ended_at=timezone.now(), lease_owner="", leased_until=None
    )
    if ended:
        uploads.forget(job.public_id)
    job.refresh_from_db()
    return job


def own_job(*, actor: Person, project: Project, job_id: UUID) -> ImportJob:
    """The person's own job: its faults quote the file, which may hold what others must not read.

    Raises ImportJob.DoesNotExist.
    """
    require(actor, "import", project)
    return ImportJob.objects.select_related("project", "created_by").get(
        project=project, public_id=job_id, created_by=actor
    )


def is_waiting_long(job: ImportJob) -> bool:
    """Whether a worker should have taken it by now."""
    late = job.leased_until is not None and job.leased_until < timezone.now()
    return job.state == State.QUEUED and late


def job_report(job: ImportJob) -> dict[str, Any]:
    """What came of a job so far, as the API and the page show it. `rows_total` counts lines and is
    an estimate; `faults` is None until a check ended.
    """
    report = job.report or {}
    return {
        "id": str(job.public_id),
        "kind": job.kind,
        "target": job.target,
        "file": job.filename,
        "state": job.state,
        "dry_run": job.dry_run,
        "rows_total": job.rows_total,
        "rows_done": job.rows_done,
        "rows": report.get("rows"),
        "written": report.get("written"),
        "already_present": report.get("already_present"),
        "faults": report.get("faults"),
        "problems": report.get("problems", [])[:SHOWN],
        "warned": report.get("warned", 0),
        "warnings": report.get("warnings", []),
        "notes": report.get("notes", []),
        "said": report.get("said", ""),
        "created_at": job.created_at.isoformat(),
        "ended_at": job.ended_at.isoformat() if job.ended_at else None,
    }


def _proposed_anew(job: ImportJob, kind: FileKind, said: dict[str, Any]) -> dict[str, Any]:
    """Another kind or form has other columns: those that nobody could choose yet are proposed."""
    if kind.formats and said["format"] not in kind.formats:
        said = {**said, "format": kind.formats[0] if said["format"] else ""}
    if kind.folder:
        return {**said, "format": "", "columns": {}}
    source = Source(job.filename, uploads.path_of(job.public_id).read_bytes())
    source.reading = Reading.from_json({**said, "columns": {}})
    try:
        source.unpack(folder=False)
    except ArchiveFault:
        return {**said, "columns": {}}
    return {**said, "columns": preview.proposed_columns(kind, preview.columns(source))}


def _own(actor: Person, job: ImportJob) -> None:
    require(actor, "import", job.project)
    if job.created_by_id != actor.pk:
        raise Refused(_("This import is somebody else's."))


def _kept(public_id: UUID, stream: IO[bytes]) -> tuple[int, str]:
    try:
        return uploads.keep(public_id, stream)
    except uploads.TooLarge as fault:
        limit = {"limit": MAX_BYTES // 2**20}
        raise Refused(_("The file is over %(limit)d MiB: split it.") % limit) from fault
    except OSError as fault:
        if fault.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NoRoom(
                _("The server's disk is full: nothing was kept. Tell whoever runs this server.")
            ) from fault
        raise


def _propose(job: ImportJob) -> None:
    """Fill in what the file most likely is, and how many rows it has about."""
    data = uploads.path_of(job.public_id).read_bytes()
    kinds = [k for k in FILE_KINDS.values() if may(job.created_by, k.act, job.project).allowed]
    asked = [FILE_KINDS[job.kind]] if job.kind else kinds
    proposal = preview.proposal(job.filename, data, asked)
    job.kind, job.rows_total = proposal.kind, proposal.lines
    job.mapping = _said(FILE_KINDS[job.kind], proposal.reading.to_json())


def _said(kind: FileKind, mapping: Mapping[str, Any]) -> dict[str, Any]:
    """What the person said, in the one form in which it is kept."""
    try:
        reading = Reading.from_json(mapping)
    except ValueError as fault:
        raise Refused(str(fault)) from fault
    given = mapping.get("options") or {}
    options = {option.name: str(given.get(option.name, "")) for option in kind.options}
    said = reading.to_json()
    # A name with a NUL is that of no column (a file read in the wrong encoding), and PostgreSQL
    # keeps none.
    said["columns"] = {a: b for a, b in said["columns"].items() if "\0" not in f"{a}{b}"}
    return {**said, "options": options}


def _check_on_its_way(job: ImportJob, states: Sequence[str]) -> None:
    """Refuse bytes that the person is importing already as the same thing under the same name."""
    same = ImportJob.objects.filter(
        project=job.project,
        created_by=job.created_by,
        sha256=job.sha256,
        filename=job.filename,
        kind=job.kind,
        target=job.target,
        state__in=states,
    )
    found = same.first()
    if found:
        raise OnItsWay(found)


def _check_open(actor: Person) -> None:
    if ImportJob.objects.filter(created_by=actor, state__in=OPEN).count() >= MAX_OPEN:
        raise TooManyUploads(
            _("You have %(most)d files on their way already: import or cancel one of them first.")
            % {"most": MAX_OPEN}
        )


@transaction.atomic
def _count_upload(actor: Person) -> None:
    """Count one upload; the database decides, so that many at once cannot pass together."""
    now = timezone.now()
    subject = salted_hmac("annotation.import", str(actor.pk), algorithm="sha256").hexdigest()
    Attempts.objects.get_or_create(subject=subject, defaults={"window_from": now})
    rows = Attempts.objects.filter(subject=subject)
    rows.filter(window_from__lte=now - timedelta(minutes=1)).update(window_from=now, count=0)
    if not rows.filter(count__lt=UPLOADS_A_MINUTE).update(count=F("count") + 1):
        raise TooManyUploads(
            _("You sent %(most)d files within a minute: wait a minute, then go on.")
            % {"most": UPLOADS_A_MINUTE}
        )
