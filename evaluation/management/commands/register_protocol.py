import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, project_named
from evaluation.management.commands.evaluate import engineer_of
from evaluation.services.protocols import register_protocol


class Command(SentenceCommand):
    help = "Register the rules in protocol.json for a project, before its results exist."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("file", type=Path)
        parser.add_argument("--as", dest="person", help="who registers it (default: an engineer)")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        try:
            content = json.loads(options["file"].read_text(encoding="utf-8"))
        except (OSError, ValueError) as fault:
            raise CommandError(f"{options['file']}: {fault}") from fault
        protocol = register_protocol(
            actor=engineer_of(project, options["person"]), project=project, content=content
        )
        self.stdout.write(f"Protocol {protocol} is registered: {protocol.sha256}")
