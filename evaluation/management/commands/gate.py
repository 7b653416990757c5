import json
import sys
from argparse import ArgumentParser
from typing import Any, cast

from evaluation.management.deciding import NO_ANSWER, DecidingCommand
from evaluation.management.naming import NoSuchRun, run_named
from evaluation.models import Protocol, Run, Verdict
from evaluation.reports.protocol.voiding import void_json
from evaluation.reports.verdict.looks import look_sentence
from evaluation.scoring.verdict import ClassVerdict, exit_code
from evaluation.services.looks import looks_of
from evaluation.services.protocols import void_by


class Command(DecidingCommand):
    help = (
        "Say whether the candidates of a run may ship, from the verdicts that its page shows. "
        "Exits with 0 when every class is released, 1 when one falls back or is not assessable, "
        "2 when one must clarify, 3 when there is no verdict, when it is void because a newer "
        "version of its protocol was registered, or when it could not be read."
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
            self.no_answer(str(fault))
        newer = void_by(run.protocol)
        # A stored verdict has the outcome that the rule reads, exactly as a computed one has.
        code = NO_ANSWER if newer else exit_code(cast(list[ClassVerdict], verdicts))
        if newer:
            self.stderr.write(_void(run, newer))
        looks = looks_of(run)
        if options["json"]:
            contents = [{"version": v.version, "sha256": v.sha256, **v.content} for v in verdicts]
            told = {"project": run.project.slug, "run": run.number, "exit_code": code}
            told["judging"] = (run.result or {}).get("judging")
            told["void"] = void_json(run)
            told["looks"] = looks.to_json() if looks else None
            self.stdout.write(json.dumps(told | {"verdicts": contents}, ensure_ascii=False))
        else:
            void = "void: " if newer else ""
            for verdict in verdicts:
                self.stdout.write(f"{verdict.arm.name}: {void}{verdict.content['sentence']}")
            if said := look_sentence(looks):
                self.stdout.write(said)
        sys.exit(code)


def _void(run: Run, newer: Protocol) -> str:
    return (
        f"The verdicts of run {run.project.slug}/{run.number} are void: {run.protocol} is"
        f" superseded by version {newer.version}, registered"
        f" {newer.registered_at:%Y-%m-%d %H:%M} UTC. Start a run under {newer}."
    )


def _verdicts(run: Run, arm: str) -> list[Verdict]:
    """The verdicts that stand; raise NoSuchRun with the reason when there are none."""
    name = f"{run.project.slug}/{run.number}"
    if run.state == Run.State.FAILED:
        raise NoSuchRun(f"Run {name} failed: {run.error}")
    if run.state == Run.State.CANCELLED:
        raise NoSuchRun(f"Run {name} was cancelled: it has no verdict. Start another.")
    if run.state == Run.State.PAUSED:
        raise NoSuchRun(f"Run {name} is paused: it has no verdict until it is resumed.")
    if run.state != Run.State.FINISHED:
        raise NoSuchRun(f"Run {name} is {run.get_state_display()}: it has no verdict yet.")
    rows = Verdict.objects.current(run).select_related("arm")
    found = list(rows.filter(arm__name=arm) if arm else rows)
    if not found and arm:
        raise NoSuchRun(f"Run {name} has no verdict on “{arm}”: it is no candidate of this run.")
    if not found:
        raise NoSuchRun(f"Run {name} has no verdict: it has no protocol or no candidate.")
    return found
