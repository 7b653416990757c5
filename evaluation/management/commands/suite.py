import json
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.management.sentences import SentenceCommand, project_named
from annotation.models import Project
from annotation.processes import process_name
from evaluation.management.commands.evaluate import engineer_of
from evaluation.management.following import POLL_SECONDS, worker_is_online
from evaluation.management.parameters import read_parameters
from evaluation.models import SuiteRun, VariationSet
from evaluation.reports.suite_runs.summary import lines_of
from evaluation.services.suites import USUAL_K, resume_suite, start_suite
from evaluation.suites.execution import work
from evaluation.suites.pipelines import Wanted

EXAMPLES = """
what typing errors cost, and whether a correction helps:
  suite study --set typos-20 --set typos-40 --pipeline rewritten:typed_query
a pipeline, and a rewriter, with parameters of their own:
  suite study --set typos-20 --pipeline 'hyde:{"n": 2}' --pipeline 'rewritten:ra_qcg:{"path": "…"}'
whether an error hurts in what is read or in what is searched:
  suite study --set typos-20 --four-conditions
The pipeline "standard" is always part. The page "Query variations" shows the same with charts.
"""


class Command(SentenceCommand):
    help = "Run pipelines over made sets of variations, and say what the variations cost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = EXAMPLES
        parser.formatter_class = RawDescriptionHelpFormatter
        parser.add_argument("project", help="short name of the project")
        parser.add_argument(
            "--set", action="append", default=[], dest="sets", metavar="NAME", help="a made set"
        )
        parser.add_argument(
            "--pipeline",
            action="append",
            default=[],
            dest="pipelines",
            metavar="NAME[:JSON]",
            help="a pipeline, or rewritten:REWRITER, and its parameters; may be repeated",
        )
        parser.add_argument(
            "--four-conditions",
            action="store_true",
            help="ask each varied request with the documents of the clean one too, and vice versa",
        )
        for name, usual in (("retriever", "bm25"), ("reader", "extractive")):
            parser.add_argument(f"--{name}", default=usual, help=f"default: {usual}")
            parser.add_argument(
                f"--{name}-parameters",
                default="{}",
                metavar="JSON",
                help=f"parameters of the {name}, as one JSON object",
            )
        parser.add_argument("--k", type=int, default=USUAL_K, help="documents of each search")
        parser.add_argument("--resume", type=int, metavar="N", help="go on with run N instead")
        parser.add_argument("--as", dest="person", help="who starts it (default: an engineer)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        run = self._run(options)
        here = not worker_is_online()
        if here and not run.is_over:
            self.stderr.write("No worker answers, so the rows are computed in this process.")
        run = self._follow(run, here=here, quiet=options["json"])
        if options["json"]:
            told = {"run": run.number, "state": run.state, "sha256": run.sha256}
            told |= {"result_sha256": run.result_sha256, "result": run.result}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(lines_of(run)))
        if run.state != SuiteRun.State.FINISHED:
            raise SystemExit(1)

    def _run(self, options: dict[str, Any]) -> SuiteRun:
        project = project_named(options["project"])
        actor = engineer_of(project, options["person"])
        if options["resume"] is not None:
            run = project.suite_runs.filter(number=options["resume"]).first()
            if run is None:
                raise CommandError(f"{project.slug} has no suite run {options['resume']}.")
            return run if not run.is_over else resume_suite(actor=actor, run=run)
        return start_suite(
            actor=actor,
            project=project,
            sets=[_set_named(project, name) for name in options["sets"]],
            pipelines=[_wanted(text) for text in options["pipelines"]],
            k=options["k"],
            four_conditions=options["four_conditions"],
            **_parts(options),
        )

    def _follow(self, run: SuiteRun, *, here: bool, quiet: bool) -> SuiteRun:
        """Show a progress bar until nobody works on the run any more, and return it as it is."""
        told = ""
        name = f"suite run {run.number}"
        with tqdm(total=run.total, unit="row", disable=quiet, file=sys.stderr, desc=name) as bar:

            def show() -> None:
                bar.update(run.rows.count() - bar.n)

            while not run.is_over:
                before = bar.n
                if here:
                    work(run.pk, worker=process_name(), seconds=30.0, report=show)
                show()
                run.refresh_from_db()
                if bar.n == before and not run.is_over:
                    time.sleep(POLL_SECONDS)
                if run.notice and run.notice != told:
                    self.stderr.write(run.notice)
                told = run.notice
        return run


def _set_named(project: Project, name: str) -> VariationSet:
    found = project.variation_sets.filter(name=name).first()
    if found is None:
        names = ", ".join(project.variation_sets.values_list("name", flat=True)) or "none"
        raise CommandError(f"{project.slug} has no set “{name}”. Its sets: {names}.")
    return found


def _wanted(text: str) -> Wanted:
    name, brace, rest = text.partition("{")
    name = name.strip().removesuffix(":").strip()
    if not brace:
        return Wanted.named(name)
    return Wanted.named(name, read_parameters(brace + rest, f"The parameters of --pipeline {name}"))


def _parts(options: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("retriever", "reader"):
        found[name] = options[name]
        what = f"The --{name}-parameters"
        found[f"{name}_parameters"] = read_parameters(options[f"{name}_parameters"], what)
    return found
