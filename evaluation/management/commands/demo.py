import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.demo import PERSONAS
from annotation.management.sentences import SentenceCommand
from annotation.models import Person, Project
from evaluation.demo.loading import NotADemo, OtherStudy, demo_protocol, load_demo
from evaluation.demo.varied import demo_sets, demo_suite
from evaluation.management.following import follow, worker_is_online
from evaluation.models import Run
from evaluation.reports.summary import pair_lines, verdict_lines
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.runs import resume_or_start

ARMS = ("original", "human", "keywords", "recorded")
# The bundled language model takes seconds a request, everything else together a fraction of one.
# So its arm has a run of its own, and nobody waits for it to see the verdicts on the others.
MODEL_ARMS = ("original", "human", "prompt")
WORKER_SECONDS = 90.0
SETS_SECONDS = 60.0


class Command(SentenceCommand):
    help = "Load the demo study, run its evaluation through a real worker, and serve the app."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-serve", action="store_true", help="stop after the verdicts")
        parser.add_argument(
            "--arms", help="one run of these arms, with commas, in place of the demo's two runs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("Set INTACT_DEMO=1: this serves log-in links without passwords.")
        began = time.monotonic()
        call_command("migrate", verbosity=0, stdout=self.stdout)
        try:
            project = load_demo()
        except (NotADemo, OtherStudy) as fault:
            raise CommandError(str(fault)) from fault
        self._say(f"The study is loaded ({time.monotonic() - began:.0f} s): {project.description}")
        worker = start_worker()
        try:
            arms = options["arms"].split(",") if options["arms"] else ARMS
            run = self._begun(project, arms)
            if not options["arms"]:
                demo_sets(project)
            self._tell(self._followed(run))
            self._say(f"Ready after {time.monotonic() - began:.0f} s.")
            if not options["arms"]:
                self._begin_suite(project)
            asking = None if options["arms"] else self._begun(project, MODEL_ARMS)
            if not options["no_serve"]:
                self._serve(options["port"], asking)
            elif asking:
                self._tell(self._followed(asking))
                self._say(f"The language model was done after {time.monotonic() - began:.0f} s.")
        except KeyboardInterrupt:
            self._say("\nStopped. What is done is kept; `make demo` goes on from there.")
        finally:
            stop(worker)

    def _begun(self, project: Project, arms: Sequence[str]) -> Run:
        """Return the run of these arms, started, or sent to the workers again if it is not over."""
        engineer = Person.objects.get(username="engineer")
        protocol = demo_protocol(project)
        conditions = freeze_conditions(actor=engineer, project=project)
        return resume_or_start(
            actor=engineer,
            project=project,
            protocol=protocol,
            conditions=conditions,
            arm_names=arms,
        )

    def _begin_suite(self, project: Project) -> None:
        """Start the suite as soon as the workers have made its sets, which takes seconds."""
        until = time.monotonic() + SETS_SECONDS
        while (suite := demo_suite(project)) is None:
            if time.monotonic() > until:
                self._say("The sets of variations are not made yet: Suites, in the bar, has them.")
                return
            time.sleep(0.2)
        self._say(f"What typing errors cost: suite run {suite.number}, under Suites in the bar.")

    def _followed(self, run: Run) -> Run:
        if not run.is_over:
            self._say("Waiting for the worker (it starts the bundled language model first) …")
            _wait_for_worker()
        return follow(run, here=False, quiet=False, say=self._say)

    def _tell(self, run: Run) -> None:
        self._say("")
        self._say(
            f"Run {run.number}, conditions {run.conditions.sha256[:12]}, result "
            f"{run.result_sha256[:12] or '–'} (hypothetical: an invented enterprise)"
        )
        for line in (*verdict_lines(run), *pair_lines(run)):
            self._say(line)
        self._say("")

    def _serve(self, port: int, asking: Run | None) -> None:
        address = f"http://127.0.0.1:{port}"
        if asking and not asking.is_over:
            self._say(
                f"Run {asking.number} asks the bundled language model about each request and goes"
                f" on behind this for some minutes: {address}/p/demo/runs/{asking.number}/"
            )
        self._say(f"Intact is on {address} — log in with one click as")
        for name, roles in PERSONAS.items():
            self._say(f"  {', '.join(roles):<13}{address}/demo/{name}/")
        self._say("Ctrl-C stops it.")
        command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}"]
        command += ["--worker-class", "gthread", "--threads", "8", "--log-level", "warning"]
        server = subprocess.Popen(command)  # noqa: S603 our own interpreter and settings
        try:
            code = server.wait()
        finally:
            stop(server)
        raise CommandError(f"The server ended with code {code}: is port {port} taken?")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def start_worker() -> "subprocess.Popen[bytes]":
    """Start a real Celery worker with its scheduler; it serves the bundled model while it lives."""
    log = settings.DATA_DIR / "worker.log"
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--beat"]
    command += ["--concurrency", "2", "--loglevel", "INFO", "--logfile", str(log)]
    command += ["--schedule", str(settings.DATA_DIR / "beat-schedule")]
    return subprocess.Popen(  # noqa: S603 our own interpreter and settings
        command,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"],
            "REMAP_SIGTERM": "SIGQUIT",  # asked to end, it gives back what it could not finish
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Ask the process to end, and end it if it does not; what it started in a session of its own,
    such as the scheduler of a worker, ends with it.
    """
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    with suppress(ProcessLookupError):  # there is no such group, or all in it ended
        os.killpg(process.pid, signal.SIGKILL)


def _wait_for_worker() -> None:
    until = time.monotonic() + WORKER_SECONDS
    while not worker_is_online(timeout=1.0):
        if time.monotonic() > until:
            raise CommandError(
                f"No worker answered within {WORKER_SECONDS:.0f} s: see "
                f"{settings.DATA_DIR / 'worker.log'}."
            )
