from argparse import ArgumentParser
from typing import Any

from annotation.exporting.kinds import EXPORT_KINDS
from annotation.exporting.writing import json_line
from annotation.management.sentences import SentenceCommand, project_named
from annotation.models import Project
from annotation.services.exports import wanted
from contracts.models import Contract


class Command(SentenceCommand):
    """Print the current contracts of a project."""

    help = "Print the newest version of each contract: a table, or the lines of contracts.jsonl."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument("--named", action="store_true", help="user names, not pseudonyms")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if not options["json"]:
            self._table(project)
            return
        for row in EXPORT_KINDS["contracts"].rows(wanted(project, named=options["named"])):
            self.stdout.write(json_line(row), ending="")

    def _table(self, project: Project) -> None:
        contracts = Contract.objects.current(project).select_related("request")
        if not contracts:
            self.stdout.write("No contract is approved yet.")
        for contract in contracts.order_by("request__position", "request_id"):
            terms = contract.terms
            asks = ", ".join(f"{c.kind} ({c.materiality})" for c in terms.constraints)
            mark = "  unresolved" if terms.ambiguity.unresolved else ""
            name = f"{contract.request.key}  version {contract.version}  {contract.sha256[:12]}"
            self.stdout.write(f"{name}  {asks}{mark}")
