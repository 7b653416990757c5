from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, project_named
from annotation.models import Person
from evaluation.management.commands.evaluate import engineer_of
from evaluation.management.following import follow, standing, worker_is_online
from evaluation.models import Run, StageResult
from evaluation.reports.protocol.voiding import void_stored
from evaluation.runs.conclusion import conclude
from evaluation.services.protocols import void_by
from evaluation.services.runs import (
    cancel_run,
    conclude_without_failed,
    pause_run,
    progress,
    resume_run,
    retry_failed,
)
from evaluation.services.runs.losses import losses

ACTS = {"pause": pause_run, "resume": resume_run, "cancel": cancel_run, "retry": retry_failed}

NOBODY = (
    "No worker answers, so nothing goes on until one is started: add --here to have the cases run "
    "in this process."
)


class Command(SentenceCommand):
    help = "List the runs of a project, show how far one is, or pause, resume, cancel or retry it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("number", nargs="?", type=int, help="the run; all of them unless given")
        act = parser.add_mutually_exclusive_group()
        act.add_argument("--pause", action="store_true", help="begin no further case")
        act.add_argument("--resume", action="store_true", help="go on with a paused or failed run")
        act.add_argument("--cancel", action="store_true", help="end it for good, without a verdict")
        act.add_argument("--retry", action="store_true", help="try the failed cases again")
        act.add_argument(
            "--without-failed",
            action="store_true",
            help="conclude a failed run without its failed cases; say why with --reason",
        )
        act.add_argument(
            "--compute",
            action="store_true",
            help="compute the results of a finished run again from its rows, as this version does",
        )
        parser.add_argument("--reason", default="", help="why it may be concluded without them")
        parser.add_argument(
            "--here",
            action="store_true",
            help="with --resume and --retry: run the cases in this process, without a worker",
        )
        parser.add_argument("--as", dest="person", help="who does this (default: an engineer)")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        wanted = next(
            (name for name in (*ACTS, "without_failed", "compute") if options[name]), None
        )
        if options["number"] is None:
            if wanted:
                raise CommandError("Name the run by its number.")
            lines = [
                _line(run)
                for run in project.runs.select_related("protocol").prefetch_related("arms")
            ]
            self.stdout.write("\n".join(lines) or f"{project.slug} has no runs yet.")
            return
        run = project.runs.filter(number=options["number"]).first()
        if run is None:
            raise CommandError(f"{project.slug} has no run {options['number']}.")
        if wanted is None:
            self.stdout.write("\n".join(_told(run)))
            return
        actor = engineer_of(project, options["person"])
        if wanted == "without_failed":
            self.stdout.write(_concluded(actor, run, options["reason"]))
        elif wanted == "compute":
            self.stdout.write(_computed(run))
        else:
            done = ACTS[wanted](actor=actor, run=run)
            self.stdout.write(_said(done, run))
            if done.is_worked_on and options["here"]:
                done = follow(done, here=True, quiet=False, say=self.stderr.write)
                self.stdout.write(f"Run {done.number} is {done.state}.")
            elif done.is_worked_on and not worker_is_online():
                self.stderr.write(NOBODY)


def _computed(run: Run) -> str:
    if run.state != Run.State.FINISHED:
        raise CommandError(f"Run {run.number} is {run.state}: only a finished run has results.")
    conclude(run.pk)
    run.refresh_from_db()
    if run.notice:
        raise CommandError(run.notice)
    return f"The results of run {run.number} are computed again: {run.result_sha256}."


def _concluded(actor: Person, run: Run, reason: str) -> str:
    lost, of = run.cases.lost().count(), run.cases.count()
    conclude_without_failed(actor=actor, run=run, reason=reason)
    if worker_is_online():
        return f"Run {run.number} is being concluded without {lost} of {of} cases."
    conclude(run.pk)
    run.refresh_from_db()
    return standing(run) or f"Run {run.number} is concluded without {lost} of {of} cases."


def _said(run: Run, asked: Run) -> str:
    """What came of an act, in a sentence."""
    counted = progress(run)
    closed = f"{counted.closed} of {counted.total} cases are closed"
    if run.pk != asked.pk:
        return f"Run {asked.number} is sealed, so run {run.number} takes it over: {closed}."
    if run.is_worked_on:
        return f"Run {run.number} goes on: {closed}."
    return standing(run) or f"Run {run.number} is {run.state}: {closed}."


def _line(run: Run) -> str:
    counted = progress(run)
    arms = ", ".join(arm.name for arm in run.arms.all())
    told = f", {counted.lost} without a result" if counted.lost else ""
    told += ", void" if void_by(run.protocol) else ""
    return (
        f"{run.number:>4}  {run.state:<10}{counted.closed} of {counted.total} cases closed{told}  "
        f"{arms}  {run.created_at:%Y-%m-%d %H:%M}"
    )


def _told(run: Run) -> list[str]:
    """How far the run is: every arm at every stage, what it waits for, what has no result."""
    counted = progress(run)
    lines = [f"Run {run.number} is {run.state}: {counted.closed} of {counted.total} cases closed."]
    for arm in counted.arms:
        stages = ", ".join(
            f"{label} {n}" for label, n in zip(StageResult.Stage.labels, arm.stages, strict=True)
        )
        lines.append(f"  {arm.arm}: {stages}, closed {arm.closed}; of {arm.total}")
    if void := void_stored(run):
        lines.append(f"  {void}")
    lines += [f"  {loss.n} of {counted.total}: {loss.sentence}" for loss in losses(run)]
    told = (run.notice, counted.estimate and f"Still {counted.estimate}.", counted.no_estimate)
    return [*lines, *filter(None, told)]
