import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from evaluation.management.deciding import DecidingCommand
from evaluation.management.naming import run_named
from evaluation.models import Run
from evaluation.reports.exports.forms import FORMS
from evaluation.reports.exports.verifying import Verified, verify_file, verify_run
from evaluation.scoring.report_differences import Unreadable

MOST_SAID = 200


class Command(DecidingCommand):
    help = (
        "Write a finished run to a file (json, csv, csv-wide, html or junit), or compute a report "
        "again from its rows and say where it differs: `report --verify FILE` needs only the file, "
        "`report RUN --verify` reads the run's rows. Exits then with 0 if all agrees, 1 if "
        "something differs. Whatever cannot be done, here or there, is 3."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "run", nargs="?", help="SLUG/NUMBER, or NUMBER alone where one project has it"
        )
        parser.add_argument("--project", default="", help="the project's short name")
        parser.add_argument("--format", choices=sorted(FORMS), default="json")
        parser.add_argument("--output", type=Path, help="the file to write")
        parser.add_argument(
            "--verify",
            nargs="?",
            const=True,
            metavar="FILE",
            help="compute FILE, a report as json, or the named run again from its rows",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verify"]:
            self._verify(options)
            return
        if not options["run"] or options["output"] is None:
            raise CommandError("Name the run and the file to write: report study/1 --output FILE.")
        run = _finished(options)
        output: Path = options["output"]
        try:
            with output.open("w", encoding="utf-8", newline="") as file:
                for piece in FORMS[options["format"]].pieces(run):
                    file.write(piece)
        except OSError as fault:
            raise CommandError(f"{output} cannot be written: {fault.strerror}.") from fault
        self.stdout.write(f"{output} was written.")

    def _verify(self, options: dict[str, Any]) -> None:
        file = options["verify"]
        if (file is True) != bool(options["run"]):
            raise CommandError("Name a file (report --verify FILE) or a run (report RUN --verify).")
        try:
            found = verify_run(_finished(options)) if file is True else verify_file(Path(file))
        except Unreadable as fault:
            self.no_answer(str(fault))
        self._say(found)
        if found.differences:
            sys.exit(1)

    def _say(self, found: Verified) -> None:
        for difference in found.differences[:MOST_SAID]:
            self.stdout.write(str(difference))
        if further := len(found.differences) - MOST_SAID:
            if further > 0:
                self.stdout.write(f"… and {further} further differences.")
        for note in found.notes:
            self.stdout.write(note)
        if found.not_checked:
            told = "; ".join(found.not_checked)
            self.stdout.write(f"Not checked, because the file says it once: {told}.")
        count = len(found.differences)
        told = "everything agrees" if not count else f"{count} places differ"
        if count == 1:
            told = "1 place differs"
        self.stdout.write(
            f"{found.name}: {found.cases} cases and {found.verdicts} verdicts were computed again "
            f"from the rows; {told}."
        )


def _finished(options: dict[str, Any]) -> Run:
    run = run_named(options["run"], options["project"])
    if run.state != Run.State.FINISHED:
        raise CommandError(f"Run {run.number} is {run.get_state_display()}: no results yet.")
    return run
