import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, project_named
from annotation.models import Person, Project
from evaluation.management.following import follow, worker_is_online
from evaluation.models import Protocol, Run
from evaluation.reports.summary import pair_lines, run_json, verdict_lines
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.runs import resume_or_start, start_run


class Command(SentenceCommand):
    help = "Run arms under a protocol on frozen conditions, and print the verdict of each class."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--protocol", help="name of a registered protocol (its newest version)")
        parser.add_argument("--arms", default="original,human", help="names, separated by commas")
        parser.add_argument("--resume", action="store_true", help="complete the newest equal run")
        parser.add_argument("--retriever", default="bm25")
        parser.add_argument("--k", type=int, default=5, help="documents retrieved for each case")
        parser.add_argument("--reader", default="extractive")
        parser.add_argument("--original", choices=["last", "joined"], default="last")
        parser.add_argument("--token-budget", type=int, default=2048)
        parser.add_argument("--as", dest="person", help="who starts it (default: an engineer)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        run = self._run(options)
        here = not worker_is_online()
        if here and not run.is_over:
            self.stderr.write("No worker answers, so the cases are run in this process.")
        run = follow(run, here=here, quiet=options["json"], say=self.stderr.write)
        if options["json"]:
            self.stdout.write(json.dumps(run_json(run), ensure_ascii=False))
        else:
            lines = [f"Run {run.number} is {run.state}.", *verdict_lines(run), *pair_lines(run)]
            self.stdout.write("\n".join(lines))
        if run.state == Run.State.FAILED:
            raise SystemExit(1)

    def _run(self, options: dict[str, Any]) -> Run:
        project = project_named(options["project"])
        actor = engineer_of(project, options["person"])
        protocol = _protocol(project, options["protocol"])
        arms = [name.strip() for name in options["arms"].split(",") if name.strip()]
        conditions = freeze_conditions(
            actor=actor,
            project=project,
            retriever=options["retriever"],
            k=options["k"],
            reader=options["reader"],
            original=options["original"],
            token_budget=options["token_budget"],
        )
        begin = resume_or_start if options["resume"] else start_run
        return begin(
            actor=actor,
            project=project,
            protocol=protocol,
            conditions=conditions,
            arm_names=arms,
        )


def engineer_of(project: Project, name: str | None) -> Person:
    people = Person.objects.filter(
        memberships__project=project,
        memberships__ended_at=None,
        memberships__roles__name="engineer",
    )
    person = (people.filter(username=name) if name else people).order_by("pk").first()
    if person is None:
        who = f"“{name}” is not an engineer" if name else "Nobody is an engineer"
        raise CommandError(f"{who} of {project.slug}: an owner can give that role.")
    return person


def _protocol(project: Project, name: str | None) -> Protocol | None:
    if name is None:
        if project.takes_contracts:
            raise CommandError("Name a registered protocol with --protocol.")
        return None
    protocol = project.protocols.filter(name=name).order_by("-version").first()
    if protocol is None:
        raise CommandError(f"{project.slug} has no protocol “{name}”: register one first.")
    return protocol
