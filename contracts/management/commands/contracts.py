import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.models import Project
from contracts.models import Contract


class Command(BaseCommand):
    """Print the current contracts of a project."""

    help = "Print the newest version of each contract: a table, or the lines of contracts.jsonl."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the short name of the project in its addresses")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"There is no project “{options['project']}”.")
        contracts = (
            Contract.objects.current(project)
            .select_related("request", "adjudicator")
            .prefetch_related("annotators")
            .order_by("request__position", "request_id")
        )
        if options["json"]:
            for contract in contracts:
                self.stdout.write(json.dumps(contract.to_json(), ensure_ascii=False))
            return
        if not contracts:
            self.stdout.write("No contract is approved yet.")
        for contract in contracts:
            terms = contract.terms
            asks = ", ".join(f"{c.kind} ({c.materiality})" for c in terms.constraints)
            mark = "  unresolved" if terms.ambiguity.unresolved else ""
            name = f"{contract.request.key}  version {contract.version}  {contract.sha256[:12]}"
            self.stdout.write(f"{name}  {asks}{mark}")
