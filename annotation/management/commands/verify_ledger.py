import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, project_named
from annotation.services.ledger import Broken, first_altered, first_broken


class Command(SentenceCommand):
    help = "Check the hash chain of a project's ledger; exit with 1 where it does not hold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name")
        parser.add_argument(
            "--expect", metavar="HASH", help="a hash printed earlier that the chain must still hold"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        entries = project.ledger.count()
        broken = first_broken(project) or first_altered(project)
        expected = options["expect"]
        if not broken and expected and not project.ledger.filter(hash=expected).exists():
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
