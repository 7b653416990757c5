import json
from argparse import ArgumentParser
from typing import Any

from evaluation.management.deciding import DecidingCommand
from evaluation.management.naming import NoSuchRun, run_named
from evaluation.reports.comparing.record import (
    NotComparable,
    Side,
    comparison_record,
    comparison_void,
    side_named,
)
from evaluation.reports.comparing.rows import WORSE, Wanted, chosen_requests
from evaluation.reports.comparing.words import comparison_lines
from evaluation.reports.protocol.voiding import void_stored

# So many of the requests that regressed are named in text; --json has all.
NAMED = 20


class Command(DecidingCommand):
    help = (
        "Compare two arms of finished runs under equal conditions, request by request: B − A under "
        "each score with its interval and test, and which requests regressed or improved. "
        "Exits with 0, or with 3 and a sentence when the two cannot be compared."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("a", help="what you have: SLUG/NUMBER:ARM, or NUMBER:ARM")
        parser.add_argument("b", help="what would take its place, named likewise")
        parser.add_argument("--project", default="", help="the project's short name")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            a, b = (_side(options[name], options["project"]) for name in ("a", "b"))
            if a.run.project != b.run.project:
                raise NoSuchRun("The two sides are of two projects: name two of one project.")
            record = comparison_record(a, b)
        except NotComparable as refused:
            differ = (f"  {o.what} {o.path}: A {o.a} | B {o.b}" for o in refused.differences)
            self.no_answer(str(refused), *differ)
        except NoSuchRun as fault:
            self.no_answer(str(fault))
        if options["json"]:
            told = {**record, "void": comparison_void(a, b)}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
            return
        self._tell(record, {"a": void_stored(a.run), "b": void_stored(b.run)})

    def _tell(self, record: dict[str, Any], void: dict[str, str]) -> None:
        for letter in ("a", "b"):
            side = record[letter]
            self.stdout.write(f"{letter.upper()}: run {side['run']}, {side['arm']}")
            if void[letter]:
                self.stdout.write(f"   {void[letter]}")
        for scope in record["scopes"]:
            name = "all classes" if scope["scope"] == "all" else scope["scope"]
            self.stdout.write(f"\n{name}, {scope['requests']} requests")
            for line in comparison_lines(record, scope["scope"]):
                self.stdout.write(f"  {line}")
        worse = chosen_requests(record["requests"], Wanted(WORSE))
        if worse:
            self.stdout.write(f"\n{len(worse)} requests regressed, the gravest first")
        for row in worse[:NAMED]:
            lost = [f"{one['kind']} {one['constraint']} {one['after']}" for one in row["lost"]]
            self.stdout.write(f"  {row['request']}: {', '.join(lost or row['worse'])}")
        if len(worse) > NAMED:
            self.stdout.write(f"  … and {len(worse) - NAMED} more: --json has all.")


def _side(name: str, project: str) -> Side:
    run_name, colon, arm = name.rpartition(":")
    if not colon:
        raise NoSuchRun(f"“{name}” names no side: write SLUG/NUMBER:ARM, such as study/14:prompt.")
    run = run_named(run_name, project)
    return side_named(run.project, f"{run.number}:{arm}")
