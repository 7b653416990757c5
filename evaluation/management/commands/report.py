from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand
from evaluation.management.naming import NoSuchRun, run_named
from evaluation.models import Run
from evaluation.reports.export import write_csv, write_json

WRITERS = {"json": write_json, "csv": write_csv}


class Command(SentenceCommand):
    help = (
        "Write a finished run to a file: json has the result, the verdicts, the conditions, the "
        "protocol and the arms; csv has the constraint matrix, a line for each arm, request and "
        "constraint."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", help="SLUG/NUMBER, or NUMBER alone where one project has it")
        parser.add_argument("--project", default="", help="the project's short name")
        parser.add_argument("--format", choices=sorted(WRITERS), default="json")
        parser.add_argument("--output", type=Path, required=True, help="the file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run = run_named(options["run"], options["project"])
        except NoSuchRun as fault:
            raise CommandError(str(fault)) from fault
        if run.state != Run.State.FINISHED:
            raise CommandError(f"Run {run.number} is {run.get_state_display()}: no results yet.")
        output: Path = options["output"]
        try:
            with output.open("w", encoding="utf-8", newline="") as file:
                WRITERS[options["format"]](run, file)
        except OSError as fault:
            raise CommandError(f"{output} cannot be written: {fault.strerror}.") from fault
        self.stdout.write(f"{output} was written.")
