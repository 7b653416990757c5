import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.judging_file import BrokenLine, judge_lines


class Command(BaseCommand):
    help = (
        "Judge rewrites against contracts from a file (judge.jsonl), without a project and without "
        "the database. A broken line is told with its row, and the command then exits with 1."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="judge.jsonl")
        parser.add_argument("--json", action="store_true", help="print one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        try:
            lines = file.read_text(encoding="utf-8").split("\n")
        except OSError as fault:
            raise CommandError(f"{file} cannot be read: {fault.strerror}.") from fault
        except UnicodeDecodeError as fault:
            raise CommandError(f"{file} is not UTF-8: byte {fault.start} is not.") from fault
        broken = 0
        for row, found in judge_lines(lines):
            if isinstance(found, BrokenLine):
                broken += 1
                self.stderr.write(f"{file.name}, row {row}: {found}")
            else:
                self.stdout.write(_line(found, as_json=options["json"]))
        if broken:
            sys.exit(1)


def _line(found: dict[str, Any], *, as_json: bool) -> str:
    if as_json:
        return json.dumps(found, ensure_ascii=False)
    judged = ", ".join(f"{j['constraint']} {j['judgement']}" for j in found["judgements"])
    added = ", ".join(f"added {a['kind']} “{a['quote']}”" for a in found["added"])
    return f"{found['id']}: {'; '.join(part for part in (judged, added) if part)}"
