import json
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand
from evaluation.converting.mtrag import Converted, MtragError, convert, read_lines


class Command(SentenceCommand):
    help = "Convert a folder of MTRAG tasks into corpus.jsonl, requests.jsonl and rewrites.jsonl."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path, help="the folder with corpus.jsonl, tasks.jsonl")
        parser.add_argument("target", type=Path, help="the folder for the converted files")

    def handle(self, *args: Any, **options: Any) -> None:
        source: Path = options["source"]
        try:
            converted = convert(_rows(source / "corpus.jsonl"), _rows(source / "tasks.jsonl"))
        except MtragError as fault:
            raise CommandError(str(fault)) from fault
        _write_all(options["target"], converted)
        self.stdout.write(
            f"{len(converted.corpus)} documents, {len(converted.requests)} requests and "
            f"{len(converted.rewrites)} rewrites were written to {options['target']}. Tasks "
            f"without a rewrite, left out: {converted.without_rewrite}."
        )


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        return read_lines(file.read_text(encoding="utf-8"), file.name)
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}.") from fault
    except UnicodeDecodeError as fault:
        raise CommandError(f"{file} is not UTF-8.") from fault


def _write_all(folder: Path, converted: Converted) -> None:
    files: dict[str, Iterable[dict[str, Any]]] = {
        "corpus.jsonl": converted.corpus,
        "requests.jsonl": converted.requests,
        "rewrites.jsonl": converted.rewrites,
    }
    for name in files:
        if (folder / name).exists():
            raise CommandError(f"{folder / name} is there already: name an empty folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, rows in files.items():
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (folder / name).write_text("".join(lines), encoding="utf-8")
    except OSError as fault:
        raise CommandError(f"{folder} cannot be written: {fault.strerror}.") from fault
