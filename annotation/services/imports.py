"""Taking a file in: all of it or nothing."""

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Any

from django.db import IntegrityError, transaction

from annotation.importing.kinds import FILE_KINDS, FileKind
from annotation.importing.problems import ImportRefused, Problem, Problems
from annotation.importing.reading import Row, stream_rows
from annotation.importing.showing import kept_filename
from annotation.models import ImportRecord, Person, Project
from annotation.permissions import require


@dataclass(frozen=True)
class ImportReport:
    """What an import did, or would do (`dry_run`). The first hundred warnings are listed, all of
    them counted; they never keep a file out.
    """

    kind: str
    filename: str
    rows: int
    written: int
    dry_run: bool
    already_present: bool = False
    warnings: list[Problem] = field(default_factory=list)
    warned: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "file": self.filename,
            "rows": self.rows,
            "written": self.written,
            "dry_run": self.dry_run,
            "already_present": self.already_present,
            "warned": self.warned,
            "warnings": [asdict(warning) for warning in self.warnings],
        }


class _Counted:
    """Rows that are gone through once, and how many came."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self.count = 0

    def any(self) -> bool:
        """Whether there is a row; it is not lost."""
        first = next(self._rows, None)
        if first is None:
            return False
        self._rows = chain([first], self._rows)
        return True

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self.count += 1
            yield row


@dataclass(frozen=True)
class _Import:
    """One file on its way in."""

    actor: Person
    project: Project
    kind: FileKind
    target: str
    filename: str
    data: bytes
    sha256: str
    problems: Problems

    def earlier(self) -> ImportRecord | None:
        """The record of the same bytes for the same target, if they came in before."""
        return ImportRecord.objects.filter(
            project=self.project, kind=self.kind.name, target=self.target, sha256=self.sha256
        ).first()

    def checked(self) -> tuple[list[Any], int]:
        """Return the parsed rows and how many rows there were; raise ImportRefused if the file
        has any fault.
        """
        rows = _Counted(stream_rows(self.data, self.filename, self.problems, self.kind.shape))
        parsed: list[Any] = []
        if rows.any():
            parsed = self.kind.check(self.project, rows, self.problems, self.target)
        if self.problems.total:
            raise self.refused()
        return parsed, rows.count

    def refused(self) -> ImportRefused:
        self.problems.shown.sort(key=lambda problem: problem.row or 0)  # the file's own order
        return ImportRefused(self.problems)

    def report(self, rows: int, written: int, dry_run: bool = False) -> ImportReport:
        return ImportReport(
            self.kind.name,
            self.filename,
            rows,
            written,
            dry_run,
            warnings=self.problems.warnings,
            warned=self.problems.warned,
        )

    def present(self, record: ImportRecord, dry_run: bool = False) -> ImportReport:
        return ImportReport(
            self.kind.name, self.filename, record.row_count, 0, dry_run, already_present=True
        )


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
    name = kept_filename(filename)
    target = target if file_kind.target else ""
    sha256 = hashlib.sha256(data).hexdigest()
    file = _Import(actor, project, file_kind, target, name, data, sha256, Problems(name))
    if fault := file_kind.target_fault(target):
        file.problems.add(None, "", *fault)
        raise file.refused()
    if earlier := file.earlier():
        return file.present(earlier, dry_run)
    before = _last_entry(project)
    parsed, count = file.checked()
    if dry_run:
        return file.report(count, 0, dry_run)
    try:
        return _written(file, parsed, count, before)
    except IntegrityError as clash:  # another import wrote what no ledger entry tells of
        if earlier := file.earlier():
            return file.present(earlier)
        _say_changed(file.problems)
        raise file.refused() from clash


@transaction.atomic
def _written(file: _Import, parsed: list[Any], count: int, before: int) -> ImportReport:
    """Write what was checked. If the project changed since, check again first: nobody else writes
    now.
    """
    # The project row serialises writers on PostgreSQL; SQLite has one writer anyway.
    Project.objects.select_for_update().get(pk=file.project.pk)
    if _last_entry(file.project) != before:
        if earlier := file.earlier():
            return file.present(earlier)
        file.problems.forget()
        try:
            parsed, count = file.checked()
        except ImportRefused:
            _say_changed(file.problems)
            raise file.refused() from None
    written = file.kind.load(file.project, parsed, file.actor, file.target)
    ImportRecord.objects.create(
        project=file.project,
        kind=file.kind.name,
        target=file.target,
        filename=file.filename,
        sha256=file.sha256,
        row_count=count,
        created_by=file.actor,
    )
    return file.report(count, written)


def _last_entry(project: Project) -> int:
    """The number of the project's last ledger entry: whatever is sealed makes it grow."""
    last = project.ledger.order_by("-sequence").values_list("sequence", flat=True).first()
    return last or 0


def _say_changed(problems: Problems) -> None:
    message = "the project changed while this file was checked: import it again."
    problems.add(None, "", "project_changed", message)
