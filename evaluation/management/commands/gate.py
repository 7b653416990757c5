import json
import sys
from argparse import ArgumentParser
from typing import Any, cast

from django.core.management.base import BaseCommand

from evaluation.management.naming import NoSuchRun, run_named
from evaluation.models import Run, Verdict
from evaluation.scoring.verdict import ClassVerdict, exit_code

ERROR = 3


class Command(BaseCommand):
    help = (
        "Say whether the candidates of a run may ship, from the verdicts that its page shows. "
        "Exits with 0 when every class is released, 1 when one falls back or is not assessable, "
        "2 when one must clarify, 3 when there is no verdict."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", help="SLUG/NUMBER, or NUMBER alone where one project has it")
        parser.add_argument("--project", default="", help="the project's short name")
        parser.add_argument("--arm", default="", help="only this candidate; all unless given")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run = run_named(options["run"], options["project"])
            verdicts = _verdicts(run, options["arm"])
        except NoSuchRun as fault:
            self.stderr.write(str(fault))
            sys.exit(ERROR)
        # A stored verdict has the outcome that the rule reads, exactly as a computed one has.
        code = exit_code(cast(list[ClassVerdict], verdicts))
        if options["json"]:
            contents = [{"version": v.version, "sha256": v.sha256, **v.content} for v in verdicts]
            told = {"project": run.project.slug, "run": run.number, "exit_code": code}
            self.stdout.write(json.dumps(told | {"verdicts": contents}, ensure_ascii=False))
        else:
            for verdict in verdicts:
                self.stdout.write(f"{verdict.arm.name}: {verdict.content['sentence']}")
        sys.exit(code)


def _verdicts(run: Run, arm: str) -> list[Verdict]:
    """The verdicts that stand; raise NoSuchRun with the reason when there are none."""
    name = f"{run.project.slug}/{run.number}"
    if run.state == Run.State.FAILED:
        raise NoSuchRun(f"Run {name} failed: {run.error}")
    if run.state != Run.State.FINISHED:
        raise NoSuchRun(f"Run {name} is {run.get_state_display()}: it has no verdict yet.")
    rows = Verdict.objects.current(run).select_related("arm")
    found = list(rows.filter(arm__name=arm) if arm else rows)
    if not found and arm:
        raise NoSuchRun(f"Run {name} has no verdict on “{arm}”: it is no candidate of this run.")
    if not found:
        raise NoSuchRun(f"Run {name} has no verdict: it has no protocol or no candidate.")
    return found
