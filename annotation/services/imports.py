"""Taking a file in: all of it or nothing."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import IntegrityError, transaction

from annotation.importing.archives import ArchiveFault
from annotation.importing.kinds import FILE_KINDS, FileKind
from annotation.importing.mapping import Reading
from annotation.importing.problems import SHOWN, ImportRefused, Problem, Problems
from annotation.importing.reading import MAX_BYTES
from annotation.importing.showing import kept_filename
from annotation.importing.source import Source, Watch, nobody
from annotation.models import ImportRecord, Person, Project
from annotation.permissions import require
from annotation.services.projects import lock

CHECKS = 3  # how often a file is checked before the project is locked for the check as well
_AS_NAMED = Reading()


@dataclass(frozen=True)
class ImportReport:
    """What an import did, or would do (`dry_run`). The first hundred warnings are listed, all of
    them counted; they never keep a file out. `notes` are sentences about the whole file.
    """

    kind: str
    filename: str
    rows: int
    written: int
    dry_run: bool
    already_present: bool = False
    warnings: list[Problem] = field(default_factory=list)
    warned: int = 0
    notes: list[str] = field(default_factory=list)

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
            "notes": self.notes,
        }


Sealed = Callable[[ImportReport], None]


@dataclass
class _Import:
    """One file on its way in."""

    actor: Person
    project: Project
    kind: FileKind
    target: str
    source: Source
    problems: Problems
    sealed: Sealed | None = None
    sha256: str = ""

    def open(self) -> None:
        """Unpack the file and tell what it is; raise ImportRefused if that cannot be."""
        if fault := self.kind.target_fault(self.target):
            self.problems.add(None, "", *fault)
            raise self.refused()
        if len(self.source.data) > MAX_BYTES:
            sentence = f"the file is over {MAX_BYTES // 2**20} MiB: split it."
            self.problems.add(None, "", "too_large", sentence)
            raise self.refused()
        try:
            self.source.unpack(folder=self.kind.folder)
        except ArchiveFault as broken:
            self.problems.add(None, "", broken.code, str(broken))
            raise self.refused() from broken
        self.sha256 = self.source.sha256(self.kind.shape)

    def earlier(self) -> ImportRecord | None:
        """The record of the same bytes for the same target, if they came in before."""
        return ImportRecord.objects.filter(
            project=self.project, kind=self.kind.name, target=self.target, sha256=self.sha256
        ).first()

    def checked(self) -> Any:
        """Return what was read; raise ImportRefused if the file has any fault."""
        self.problems.forget()
        self.source.count = 0
        parsed = self.kind.take(self.project, self.source, self.problems, self.target)
        if self.problems.total:
            raise self.refused()
        return parsed

    def refused(self) -> ImportRefused:
        self.problems.in_order()
        return ImportRefused(self.problems)

    def mark(self) -> int:
        """The number of the last ledger entry on which a check depends; it only grows."""
        entries = self.project.ledger.order_by("-sequence")
        if self.kind.depends_on is not None:
            entries = entries.filter(kind__in=self.kind.depends_on)
        return entries.values_list("sequence", flat=True).first() or 0

    def report(self, written: int, *, dry_run: bool = False, present: bool = False) -> ImportReport:
        return ImportReport(
            self.kind.name,
            self.problems.file_named,
            self.source.count,
            written,
            dry_run,
            present,
            warnings=self.problems.warnings,
            warned=self.problems.warned,
            notes=self.problems.notes,
        )

    def present(self, record: ImportRecord, dry_run: bool = False) -> ImportReport:
        name = self.problems.file_named
        return ImportReport(self.kind.name, name, record.row_count, 0, dry_run, True)


def import_file(
    *,
    actor: Person,
    project: Project,
    kind: str,
    filename: str,
    data: bytes = b"",
    members: Mapping[str, bytes] | None = None,
    target: str = "",
    dry_run: bool = False,
    reading: Reading = _AS_NAMED,
    options: Mapping[str, str] | None = None,
    watch: Watch = nobody,
    sealed: Sealed | None = None,
    most_faults: int = SHOWN,
) -> ImportReport:
    """Check the whole file, then write it in one transaction; raise ImportRefused with every fault.

    The same bytes for the same target are recognised and change nothing. A folder is given packed,
    as `data`, or as its `members` by their paths. `watch` is told how many rows were read and may
    stop the import by raising; `sealed` is called with the report in the transaction that writes.
    """
    file_kind = FILE_KINDS[kind]
    require(actor, file_kind.act, project)
    name = kept_filename(filename)
    source = Source(name, data, members, reading, dict(options or {}), watch)
    problems = Problems(name, limit=most_faults)
    target = target if file_kind.target else ""
    file = _Import(actor, project, file_kind, target, source, problems, sealed)
    file.open()
    return _came_before(file, dry_run) or _taken_in(file, dry_run)


def _came_before(file: _Import, dry_run: bool) -> ImportReport | None:
    earlier = file.earlier()
    if earlier is None:
        return None
    report = file.present(earlier, dry_run)
    if file.sealed and not dry_run:
        with transaction.atomic():
            file.sealed(report)
    return report


def _taken_in(file: _Import, dry_run: bool) -> ImportReport:
    """Check outside any transaction; if the project changed meanwhile, check again, and in the end
    with the project locked.
    """
    for attempt in range(1, CHECKS + 1):
        before = file.mark()
        parsed = _checked(file, again=attempt > 1)
        if dry_run:
            present = file.kind.present(file.project, parsed)
            return file.report(0, dry_run=True, present=present)
        try:
            report = _written(file, parsed, before, last=attempt == CHECKS)
        except IntegrityError as clash:  # another import wrote what no ledger entry tells of
            if report := _came_before(file, dry_run):
                return report
            _say_changed(file.problems)
            raise file.refused() from clash
        if report:
            return report
    raise AssertionError("The last attempt writes or raises.")


def _checked(file: _Import, *, again: bool) -> Any:
    try:
        return file.checked()
    except ImportRefused:
        if again:
            _say_changed(file.problems)
            raise file.refused() from None
        raise


@transaction.atomic
def _written(file: _Import, parsed: Any, before: int, *, last: bool) -> ImportReport | None:
    """Write what was checked; None if the project changed since, so that it must be checked again.
    The last time that happens here: nobody else writes now.
    """
    lock(file.project)
    if file.mark() != before:
        if not last and not file.earlier():
            return None
        if earlier := file.earlier():
            report = file.present(earlier)
            return _seal(file, report)
        parsed = _checked(file, again=True)
    written = file.kind.load(file.project, parsed, file.actor, file.target)
    ImportRecord.objects.create(
        project=file.project,
        kind=file.kind.name,
        target=file.target,
        filename=file.problems.file_named,
        sha256=file.sha256,
        row_count=file.source.count,
        created_by=file.actor,
    )
    return _seal(file, file.report(written))


def _seal(file: _Import, report: ImportReport) -> ImportReport:
    if file.sealed:
        file.sealed(report)
    return report


def _say_changed(problems: Problems) -> None:
    message = "the project changed while this file was checked: import it again."
    problems.add(None, "", "project_changed", message)
