import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from annotation.importing.kinds import FILE_KINDS
from annotation.importing.problems import ImportRefused, Problems
from annotation.importing.reading import MAX_BYTES
from annotation.management.sentences import SentenceCommand, actor_of, project_named
from annotation.services.imports import ImportReport, import_file


class ImportCommand(SentenceCommand):
    """Import one file into a project, all of it or nothing.

    A subclass sets `kind` to the name of a registered kind of file; without one it is an argument.
    """

    kind: ClassVar[str] = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name")
        if not self.kind:
            parser.add_argument("kind", choices=sorted(FILE_KINDS), help="what the file holds")
        parser.add_argument("file", type=Path, help="the file, .jsonl or .csv")
        targeted = FILE_KINDS[self.kind].target if self.kind else "arm"
        if targeted:
            parser.add_argument(
                f"--{targeted}",
                dest="target",
                metavar="NAME",
                default="",
                required=bool(self.kind),
                help=f"the {targeted} that the rows belong to",
            )
        parser.add_argument("--dry-run", action="store_true", help="check only, write nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--as",
            dest="username",
            metavar="USERNAME",
            help="who imports; the project's first owner unless given",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        kind = self.kind or options["kind"]
        file: Path = options["file"]
        try:
            report = import_file(
                actor=actor_of(project, options["username"]),
                project=project,
                kind=kind,
                filename=file.name,
                data=_bytes_of(file),
                target=options.get("target", "") if FILE_KINDS[kind].target else "",
                dry_run=options["dry_run"],
            )
        except ImportRefused as refused:
            if options["json"]:
                self.stdout.write(_refusal(kind, file.name, refused.problems))
            raise CommandError(_told(refused.problems)) from refused
        if not options["json"]:
            self._warn(report)
        self.stdout.write(
            json.dumps(report.to_json(), ensure_ascii=False)
            if options["json"]
            else _sentence(report)
        )

    def _warn(self, report: ImportReport) -> None:
        for warning in report.warnings:
            self.stderr.write(f"Warning: {warning}")
        if report.warned > len(report.warnings):
            self.stderr.write(f"… and {report.warned - len(report.warnings)} more warnings.")


def _bytes_of(file: Path) -> bytes:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise CommandError(f"{file} is over {MAX_BYTES // 2**20} MiB: split it.")
        return file.read_bytes()
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}.") from fault


def _told(problems: Problems) -> str:
    """Every fault on a line, then how many more there are, then that nothing was written."""
    lines = [str(problem) for problem in problems.shown]
    more = problems.total - len(problems.shown)
    if more:
        lines.append(f"… and {more} more of {problems.total} faults.")
    lines.append("Nothing was written.")
    return "\n".join(lines)


def _refusal(kind: str, filename: str, problems: Problems) -> str:
    refusal = {
        "kind": kind,
        "file": filename,
        "refused": True,
        "written": 0,
        "faults": problems.total,
        "problems": problems.to_json(),
    }
    return json.dumps(refusal, ensure_ascii=False)


def _sentence(report: ImportReport) -> str:
    if report.already_present:
        return f"{report.filename} is already present. Nothing changed."
    if report.dry_run:
        return f"{report.filename} can be imported: rows {report.rows}, faults 0. Nothing written."
    return f"{report.filename} was imported: {report.written} of {report.rows} rows written."
