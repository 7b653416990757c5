import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, actor_of, person_named, project_named
from annotation.services.blindness import Report, check_blindness


class Command(SentenceCommand):
    help = (
        "Ask every address as each annotator, in this world and in one that differs in what the "
        "others did; exit with 1 where an answer differs. Nothing of it stays but a ledger entry."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name")
        parser.add_argument("--person", action="append", default=[], help="only this annotator")
        parser.add_argument("--route", action="append", default=[], help="only this route, by name")
        parser.add_argument(
            "--every", action="store_true", help="ask in both worlds what read nothing altered, too"
        )
        parser.add_argument("--as", dest="actor", help="the owner who checks; else the first")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        report = check_blindness(
            actor=actor_of(project, options["actor"]),
            project=project,
            people=[person_named(name) for name in options["person"]],
            only=options["route"],
            sparing=not options["every"],
        )
        if options["json"]:
            self.stdout.write(json.dumps(report.to_json(), ensure_ascii=False))
        else:
            self._say(report)
        if report.leaks or report.unsteady:
            raise CommandError(
                f"{len(report.leaks)} of {report.calls} answers tell what others did; "
                f"{len(report.unsteady)} could not be compared."
            )

    def _say(self, report: Report) -> None:
        altered = ", ".join(f"{name} {rows}" for name, rows in report.facts.items())
        self.stdout.write(f"Annotators asked for: {len(report.people)} of {report.of}.")
        self.stdout.write(f"Rows altered: {altered}.")
        self.stdout.write(
            f"Differences: {len(report.leaks)} of {report.calls} calls on {report.routes} routes."
        )
        self.stdout.write(f"Asked in both worlds: {report.read}; the others read nothing altered.")
        for leak in report.leaks:
            told = f"{leak['person']}: {leak['call']} ({leak['fact']}): {'; '.join(leak['found'])}"
            self.stdout.write(told)
