import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from annotation.importing.kinds import FILE_KINDS, FileKind
from annotation.importing.mapping import ENCODINGS, FORMATS, Reading
from annotation.importing.problems import ImportRefused, Problems
from annotation.importing.reading import MAX_BYTES
from annotation.management.sentences import SentenceCommand, actor_of, project_named
from annotation.services.imports import ImportReport, import_file

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


class ImportCommand(SentenceCommand):
    """Import one file into a project, all of it or nothing.

    A subclass sets `kind` to the name of a registered kind of file; without one it is an argument.
    """

    kind: ClassVar[str] = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name")
        if not self.kind:
            parser.add_argument("kind", choices=sorted(FILE_KINDS), help="what the file holds")
        parser.add_argument("file", type=Path, help="the file, or a folder if the kind is one")
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
        self._add_reading(parser)
        self._add_options(parser)
        parser.add_argument("--dry-run", action="store_true", help="check only, write nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--as",
            dest="username",
            metavar="USERNAME",
            help="who imports; the project's first owner unless given",
        )

    def _add_reading(self, parser: ArgumentParser) -> None:
        formats = FILE_KINDS[self.kind].formats if self.kind else FORMATS
        if not formats:
            return
        parser.add_argument("--format", choices=formats, default="", help="unless the name says")
        parser.add_argument("--encoding", choices=ENCODINGS, default="utf-8", help="utf-8 if not")
        parser.add_argument("--delimiter", choices=DELIMITERS, default="comma", help="of a CSV")
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="OURS=THEIRS",
            help="which column of the file is which of ours; may be given several times",
        )

    def _add_options(self, parser: ArgumentParser) -> None:
        kinds = [FILE_KINDS[self.kind]] if self.kind else list(FILE_KINDS.values())
        for option in {o.name: o for kind in kinds for o in kind.options}.values():
            name, words = f"--{option.name.replace('_', '-')}", str(option.label).lower()
            if option.flag:
                parser.add_argument(name, dest=f"option_{option.name}", action="store_const",
                                    const="on", default="", help=words)  # fmt: skip
            else:
                said = f"{words} ({option.default})" if option.default else words
                parser.add_argument(name, dest=f"option_{option.name}", metavar="WORD",
                                    default="", help=said)  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        kind = FILE_KINDS[self.kind or options["kind"]]
        file: Path = options["file"]
        try:
            report = import_file(
                actor=actor_of(project, options["username"]),
                project=project,
                kind=kind.name,
                filename=file.name or file.resolve().name,
                **_content_of(file, kind),
                target=options.get("target", "") if kind.target else "",
                dry_run=options["dry_run"],
                reading=_reading_of(options),
                options={o.name: options[f"option_{o.name}"] for o in kind.options},
            )
        except ImportRefused as refused:
            if options["json"]:
                self.stdout.write(_refusal(kind.name, file.name, refused.problems))
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
        for note in report.notes:
            self.stderr.write(f"Note: {note}")


def _reading_of(options: dict[str, Any]) -> Reading:
    columns: dict[str, str] = {}
    for pair in options.get("column") or ():
        ours, sign, theirs = pair.partition("=")
        if not (ours and sign and theirs):
            raise CommandError(f"--column {pair}: write OURS=THEIRS, for example text=Question.")
        columns[theirs] = ours
    return Reading(
        format=options.get("format") or "",
        encoding=options.get("encoding") or "utf-8",
        delimiter=DELIMITERS[options.get("delimiter") or "comma"],
        columns=columns,
    )


def _content_of(file: Path, kind: FileKind) -> dict[str, Any]:
    """What `import_file` reads: the bytes of a file, or the files of a folder by their paths."""
    if not (kind.folder and file.is_dir()):
        return {"data": _bytes_of(file)}
    paths = sorted(p for p in file.glob("**/*") if p.is_file() and p.suffix in (".jsonl", ".tsv"))
    return {"members": {p.relative_to(file).as_posix(): _bytes_of(p) for p in paths}}


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
    lines += problems.notes
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
        "notes": problems.notes,
    }
    return json.dumps(refusal, ensure_ascii=False)


def _sentence(report: ImportReport) -> str:
    if report.already_present:
        return f"{report.filename} is already present. Nothing changed."
    if report.dry_run:
        return f"{report.filename} can be imported: rows {report.rows}, faults 0. Nothing written."
    return f"{report.filename} was imported: {report.written} of {report.rows} rows written."
