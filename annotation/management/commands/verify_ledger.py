import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.importing.earlier_ledger import KIND as KEPT
from annotation.ledger_file import Checked, FileFault, check_file
from annotation.management.sentences import SentenceCommand, project_named
from annotation.models import Project
from annotation.services.ledger import Broken, first_altered, first_broken


class Command(SentenceCommand):
    help = (
        "Check the hash chain of a project's ledger, or of an exported ledger.jsonl, or that the "
        "project still holds all that the file has, or goes on with the study whose ledger the "
        "file is; exit with 1 where it does not hold."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", nargs="?", help="the project's short name")
        parser.add_argument("--file", help="an exported ledger.jsonl, checked without a database")
        parser.add_argument(
            "--expect", metavar="HASH", help="a hash printed earlier that the chain must still hold"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["project"] and not options["file"]:
            raise CommandError("Name a project, or a file with --file, or both.")
        if options["file"]:
            checked = self._checked(Path(options["file"]), options["expect"])
            if not options["project"]:
                return self._say(Path(options["file"]), checked, as_json=options["json"])
            options["expect"] = checked.head  # what the chain held then, it must hold now
        self._check_project(options)

    def _checked(self, path: Path, expected: str | None) -> Checked:
        try:
            with path.open(encoding="utf-8") as lines:
                return check_file(lines, expected)
        except OSError as fault:
            raise CommandError(f"“{path}” cannot be read: {fault.strerror}.") from fault
        except (FileFault, UnicodeDecodeError) as fault:
            raise CommandError(f"“{path.name}” does not hold: {fault}") from fault

    def _say(self, path: Path, checked: Checked, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({"file": path.name, "holds": True, **vars(checked)}))
            return
        self.stdout.write(
            f"“{path.name}” holds: {checked.entries} entries follow one another, the hashes of "
            f"{checked.recomputed} of {checked.entries} were worked out again, "
            f"head: {checked.head}."
        )

    def _check_project(self, options: dict[str, Any]) -> None:
        project = project_named(options["project"])
        entries = project.ledger.count()
        broken = first_broken(project) or first_altered(project)
        expected = options["expect"]
        if not broken and expected and not _has(project, expected):
            broken = Broken(entries + 1, "the entry that you expect is missing.")
        last = project.ledger.order_by("-sequence").first()
        head = last.hash if last else ""
        if options["json"]:
            found = {
                "project": project.slug,
                "entries": entries,
                "head": head,
                "holds": broken is None,
            }
            if broken:
                found |= {"broken_at": broken.sequence, "reason": broken.reason}
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        if broken:
            raise CommandError(f"The ledger of “{project.slug}” does not hold: {broken.reason}")
        if not options["json"]:
            counts = f"entries: {entries}, head: {head}"
            self.stdout.write(f"The ledger of “{project.slug}” holds, {counts}.")


def _has(project: Project, head: str) -> bool:
    """Whether the chain has the hash, or says that it goes on with a ledger that ended with it."""
    kept = project.ledger.filter(kind=KEPT, content__head=head)
    return project.ledger.filter(hash=head).exists() or kept.exists()
