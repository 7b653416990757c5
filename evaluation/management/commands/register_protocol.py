import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, project_named
from evaluation.management.commands.evaluate import engineer_of
from evaluation.reports.protocol.at_hand import at_hand
from evaluation.reports.protocol.planning import planned_of
from evaluation.reports.protocol.sentences import reach_sentence
from evaluation.services.protocols import register_protocol, registered_reach


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
        except OSError as fault:
            sentence = f"{options['file']} cannot be read: {fault.strerror}."
            raise CommandError(sentence) from fault
        except UnicodeDecodeError as fault:
            raise CommandError(f"{options['file']} is not UTF-8.") from fault
        except RecursionError as fault:
            raise CommandError(f"{options['file']} is nested too deeply to be read.") from fault
        except ValueError as fault:
            raise CommandError(f"{options['file']} is no JSON: {fault}.") from fault
        protocol = register_protocol(
            actor=engineer_of(project, options["person"]), project=project, content=content
        )
        self.stdout.write(f"Protocol {protocol} is registered: {protocol.sha256}")
        if reach := registered_reach(protocol):
            self.stdout.write(reach_sentence(reach.open, reach.seen))
        if protocol.supersedes:
            self.stdout.write(f"Decisions under {protocol.supersedes} are void from now on.")
        for part in planned_of(protocol.content, at_hand(project, until=protocol.registered_at)):
            self.stdout.write("Every class not named:" if part.name == "*" else f"{part.name}:")
            for sentence in (*part.sentences, *(f"Warning: {said}" for said in part.warnings)):
                self.stdout.write(f"  {sentence}")
