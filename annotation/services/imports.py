"""Taking a file in: all of it or nothing."""

import hashlib
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from annotation.importing.kinds import FILE_KINDS
from annotation.importing.problems import ImportRefused, Problems
from annotation.importing.reading import read_rows
from annotation.models import ImportRecord, Person, Project
from annotation.permissions import require


@dataclass(frozen=True)
class ImportReport:
    """What an import did, or would do (`dry_run`)."""

    kind: str
    filename: str
    rows: int
    written: int
    dry_run: bool
    already_present: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "file": self.filename,
            "rows": self.rows,
            "written": self.written,
            "dry_run": self.dry_run,
            "already_present": self.already_present,
        }


def import_file(
    *,
    actor: Person,
    project: Project,
    kind: str,
    filename: str,
    data: bytes,
    target: str = "",
    dry_run: bool = False,
) -> ImportReport:
    """Check the whole file, then write it in one transaction; raise ImportRefused with every fault.

    The same bytes for the same target are recognised and change nothing.
    """
    file_kind = FILE_KINDS[kind]
    require(actor, file_kind.act, project)
    sha256 = hashlib.sha256(data).hexdigest()
    earlier = ImportRecord.objects.filter(
        project=project, kind=kind, target=target, sha256=sha256
    ).first()
    if earlier:
        return ImportReport(kind, filename, earlier.row_count, 0, dry_run, already_present=True)
    problems = Problems(filename)
    rows = read_rows(data, filename, problems)
    parsed = file_kind.check(project, rows, problems, target) if rows else []
    if problems.total:
        problems.shown.sort(key=lambda problem: problem.row or 0)  # the file's own order
        raise ImportRefused(problems)
    if dry_run:
        return ImportReport(kind, filename, len(rows), 0, dry_run)
    record = ImportRecord(
        project=project,
        kind=kind,
        target=target,
        filename=filename[-255:],
        sha256=sha256,
        row_count=len(rows),
        created_by=actor,
    )
    try:
        with transaction.atomic():
            written = file_kind.load(project, parsed, actor, target)
            record.save()
    except IntegrityError as clash:  # another import wrote between the check and now
        message = "the project changed while this file was checked: import it again."
        problems.add(None, "", "project_changed", message)
        raise ImportRefused(problems) from clash
    return ImportReport(kind, filename, len(rows), written, dry_run)
