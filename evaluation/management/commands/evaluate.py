import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, project_named
from annotation.models import Person, Project
from evaluation.forms.parts import KINDS
from evaluation.management.following import follow, worker_is_online
from evaluation.management.parameters import read_arm, read_parameters
from evaluation.models import Protocol, Run
from evaluation.reports.judging.who_judged import judging_lines
from evaluation.reports.summary import pair_lines, run_json, score_lines, verdict_lines
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.arms import make_arm
from evaluation.services.runs import resume_or_start, start_run

EXAMPLES = """
an arm with parameters, beside the others:
  evaluate study --protocol gate --arms original,human --arm 'hyde4=hyde:{"n": 4}'
another search:
  evaluate study --protocol gate --retriever bm25 --retriever-parameters '{"k1": 0.9}'
What every part does and which parameters it has: docs/parts.md, and the page "Parts".
"""


class Command(SentenceCommand):
    help = "Run arms under a protocol on frozen conditions, and print the verdict of each class."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = EXAMPLES
        parser.formatter_class = RawDescriptionHelpFormatter
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--protocol", help="name of a registered protocol (its newest version)")
        parser.add_argument("--arms", default="original,human", help="names, separated by commas")
        parser.add_argument(
            "--arm",
            action="append",
            default=[],
            metavar="NAME=REWRITER[:JSON]",
            help="make an arm of a rewriter with parameters and run it too; may be repeated",
        )
        earlier = parser.add_mutually_exclusive_group()
        earlier.add_argument("--resume", action="store_true", help="complete the newest equal run")
        earlier.add_argument(
            "--fresh",
            action="store_true",
            help="compute everything anew: take nothing over from earlier runs",
        )
        for name, kind in KINDS.items():
            flag = f"--{name.replace('_', '-')}"
            parser.add_argument(flag, default=kind.default, help=f"default: {kind.default}")
            parser.add_argument(
                f"{flag}-parameters",
                default="{}",
                metavar="JSON",
                help=f"parameters of the {kind.registry.noun}, as one JSON object",
            )
        parser.add_argument("--k", type=int, default=5, help="documents retrieved for each case")
        parser.add_argument("--original", choices=["last", "joined"], default="last")
        parser.add_argument("--token-budget", type=int, default=2048)
        parser.add_argument(
            "--only-unseen",
            action="store_true",
            help="leave out requests that had a result before the protocol was registered",
        )
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
            lines = [f"Run {run.number} is {run.state}.", *verdict_lines(run), *score_lines(run)]
            lines += [*pair_lines(run), *judging_lines(run.result or {})]
            self.stdout.write("\n".join(lines))
        if run.state != Run.State.FINISHED:
            raise SystemExit(1)

    def _run(self, options: dict[str, Any]) -> Run:
        project = project_named(options["project"])
        actor = engineer_of(project, options["person"])
        protocol = _protocol(project, options["protocol"])
        arms = [name.strip() for name in options["arms"].split(",") if name.strip()]
        wanted = [read_arm(text) for text in options["arm"]]
        conditions = freeze_conditions(
            actor=actor,
            project=project,
            k=options["k"],
            original=options["original"],
            token_budget=options["token_budget"],
            only_unseen=options["only_unseen"],
            unseen_before=protocol.registered_at if protocol else None,
            **_parts(options),
        )
        for arm in wanted:
            make_arm(
                actor=actor,
                project=project,
                name=arm.name,
                rewriter=arm.rewriter,
                parameters=arm.parameters,
            )
        begin = resume_or_start if options["resume"] else start_run
        return begin(
            actor=actor,
            project=project,
            protocol=protocol,
            conditions=conditions,
            arm_names=[*arms, *(arm.name for arm in wanted)],
            fresh=options["fresh"],
        )


def _parts(options: dict[str, Any]) -> dict[str, Any]:
    """The parts and their parameters, as `freeze_conditions` takes them."""
    found = {}
    for name in KINDS:
        found[name] = options[name]
        given = options[f"{name}_parameters"]
        flag = f"--{name.replace('_', '-')}-parameters"
        found[f"{name}_parameters"] = read_parameters(given, f"The {flag}")
    return found


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
        names = sorted(set(project.protocols.values_list("name", flat=True)))
        known = f"it has {', '.join(names)}" if names else "it has none yet"
        raise CommandError(
            f"{project.slug} has no protocol “{name}”; {known}. "
            f"`python manage.py register_protocol {project.slug} FILE` registers another."
        )
    return protocol
