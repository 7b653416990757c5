import json
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.management.sentences import SentenceCommand, project_named
from annotation.models import Project
from evaluation.forms.variations import PAPER, PROTECT, parameters_of
from evaluation.management.commands.evaluate import engineer_of
from evaluation.management.parameters import read_parameters
from evaluation.models import VariationSet
from evaluation.reports.varied.facts import SetFacts, counted
from evaluation.services.variations import PER_KIND, counts_of, make_set, try_again
from evaluation.varying.filling import PAUSE_S, fill, open_items
from evaluation.varying.making import HUMAN
from evaluation.varying.sealing import rows_of

EXAMPLES = """
a fifth of the requests with typing errors, spelling three times as often as the others:
  vary study --kind spelling:3 --kind keyboard --kind visual --rate 0.2 --seed 7
how many of each kind that would be, without making any:
  vary study --kind formality --rate 1 --dry-run
every request as a second person put it, with the rows in a file:
  vary study --kind human --which 2 --rate 1 --output rows.jsonl
The same recipe under the same name again goes on with the set that is there.
"""


class Command(SentenceCommand):
    help = "Make a set of variations of the requests of a study, and say what came of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = EXAMPLES
        parser.formatter_class = RawDescriptionHelpFormatter
        parser.add_argument("project", help="short name of the project")
        parser.add_argument(
            "--kind",
            action="append",
            required=True,
            metavar="KIND[:WEIGHT]",
            help="a kind of variation and its weight (default 1); may be repeated",
        )
        parser.add_argument("--rate", type=float, default=0.2, help="share of requests varied")
        parser.add_argument("--seed", type=int, default=7)
        parser.add_argument("--name", help="name of the set (default: its kinds, rate and seed)")
        parser.add_argument(
            "--mode",
            choices=[PAPER, PROTECT],
            default=PAPER,
            help="of typing errors: as the paper made them, or protecting names and numbers",
        )
        parser.add_argument("--which", type=int, choices=[1, 2], default=1, help=f"of {HUMAN}")
        parser.add_argument(
            "--parameters",
            action="append",
            default=[],
            metavar="KIND:JSON",
            help="parameters of a kind, as one JSON object; may be repeated",
        )
        parser.add_argument(
            "--review", type=int, default=PER_KIND, help="of each kind, how many people look at"
        )
        parser.add_argument("--output", type=Path, help="write the rows of the set (JSONL)")
        parser.add_argument("--dry-run", action="store_true", help="say how many, and make none")
        parser.add_argument("--as", dest="person", help="who makes it (default: an engineer)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        kinds = _kinds(options["kind"])
        if options["dry_run"]:
            self._say_how_many(project, kinds, options)
            return
        made = make_set(
            actor=engineer_of(project, options["person"]),
            project=project,
            name=options["name"] or _name(kinds, options),
            kinds=kinds,
            rate=options["rate"],
            seed=options["seed"],
            parameters=_parameters(kinds, options),
            per_kind=options["review"],
        )
        if made.state == VariationSet.State.FAILED:
            made = try_again(actor=engineer_of(project, options["person"]), of=made)
        _follow(made, quiet=options["json"])
        if made.state != VariationSet.State.MADE:
            raise CommandError(f"The set {made.name} is not made: {made.error}")
        if options["output"]:
            _write(made, options["output"])
        facts = counted(made)
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(made, facts), ensure_ascii=False))
        else:
            self.stdout.write("\n".join(_lines(made, facts)))

    def _say_how_many(
        self, project: Project, kinds: Mapping[str, int], options: dict[str, Any]
    ) -> None:
        counts = counts_of(project=project, kinds=kinds, rate=options["rate"], seed=options["seed"])
        clean = counts.pop("")
        if options["json"]:
            self.stdout.write(json.dumps({"kinds": counts, "clean": clean}))
            return
        varied = sum(counts.values())
        named = ", ".join(f"{n} {kind}" for kind, n in counts.items())
        self.stdout.write(
            f"{varied} of {varied + clean} requests would be varied: {named}. Nothing was made."
        )


def _kinds(given: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for text in given:
        kind, colon, weight = text.partition(":")
        if kind in found:
            raise CommandError(f"The kind {kind} is given twice.")
        if colon and not (weight.isascii() and weight.isdecimal()):
            raise CommandError(f"“{text}”: the weight must be a whole number, as in {kind}:3.")
        found[kind] = int(weight) if colon else 1
    return found


def _parameters(kinds: Mapping[str, int], options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = parameters_of(kinds, options["mode"], options["which"])
    for text in options["parameters"]:
        kind, colon, given = text.partition(":")
        if not colon:
            raise CommandError(f"""“{text}”: write --parameters 'KIND:{{"name": 1}}'.""")
        found.setdefault(kind, {}).update(read_parameters(given, f"The parameters of {kind}"))
    return found


def _name(kinds: Mapping[str, int], options: dict[str, Any]) -> str:
    """A name that tells what the set is: `spelling-keyboard-20-seed-7`."""
    percent = f"{100 * options['rate']:g}".replace(".", "_")
    mode = [options["mode"]] if options["mode"] != PAPER else []
    which = [str(options["which"])] if options["which"] != 1 and HUMAN in kinds else []
    return "-".join([*kinds, *mode, *which, percent, "seed", str(options["seed"])])[:80]


def _follow(made: VariationSet, *, quiet: bool) -> None:
    """Make the set in this process, or wait for the worker that has it."""
    total = open_items(made).count()
    with tqdm(total=total, unit="item", disable=quiet, file=sys.stderr, desc=made.name) as bar:
        while made.state == VariationSet.State.MAKING:
            fill(made, report=bar.update)
            made.refresh_from_db()
            if made.state == VariationSet.State.MAKING:
                time.sleep(PAUSE_S)  # a model is away, or a worker has the set
                bar.n = total - open_items(made).count()
                bar.refresh()


def _write(made: VariationSet, there: Path) -> None:
    try:
        with there.open("w", encoding="utf-8", errors="replace") as file:
            for row in rows_of(made):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    except OSError as fault:
        raise CommandError(f"{there} cannot be written: {fault.strerror}.") from fault


def _as_json(made: VariationSet, facts: SetFacts) -> dict[str, Any]:
    return {
        "set": made.name,
        "number": made.number,
        "sha256": made.sha256,
        "recipe": made.recipe,
        "requests": facts.total,
        "clean": facts.clean,
        "kinds": {
            one.kind: {"made": one.made, "failed": one.failed, "flags": dict(one.flags)}
            for one in facts.kinds
        },
        "table_one": facts.table.to_json() if facts.table else None,
    }


def _lines(made: VariationSet, facts: SetFacts) -> list[str]:
    lines = [
        f"Set {made.number}, {made.name}: {facts.varied} of {facts.planned} variations made, "
        f"{facts.clean} requests as they are. sha256 {made.sha256}"
    ]
    for one in facts.kinds:
        flags = ", ".join(f"{flag} {n} of {one.flagged}" for flag, n in one.flags.items() if n)
        failed = f", {one.failed} failed" if one.failed else ""
        lines.append(f"  {one.kind}: {one.made} made{failed}" + (f"; {flags}" if flags else ""))
    return lines
