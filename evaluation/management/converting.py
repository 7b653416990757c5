"""What the commands that convert a data set share: reading its files and writing ours."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand
from evaluation.converting.source import ConvertedPairs, SourceError, read_lines

Rows = list[dict[str, Any]]


class ConvertingCommand(SentenceCommand):
    """A command that makes a folder of our files of a data set's two."""

    files: ClassVar[tuple[str, str]]

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = ", ".join(self.files)
        parser.add_argument("source", type=Path, help=f"the folder with {names}")
        parser.add_argument("target", type=Path, help="the folder for the converted files")

    def handle(self, *args: Any, **options: Any) -> None:
        first, second = (rows_of(options["source"] / name) for name in self.files)
        try:
            said = self.convert(first, second, options["target"])
        except SourceError as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(said)

    def convert(self, first: Rows, second: Rows, target: Path) -> str:
        """Write the converted rows of both files into `target`; return what was done."""
        raise NotImplementedError


def rows_of(file: Path) -> Rows:
    """Return the rows of a JSON Lines file; what is wrong with it is a CommandError."""
    try:
        return read_lines(file.read_text(encoding="utf-8"), file.name)
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}.") from fault
    except UnicodeDecodeError as fault:
        raise CommandError(f"{file} is not UTF-8.") from fault
    except SourceError as fault:
        raise CommandError(str(fault)) from fault


def write_all(folder: Path, files: Mapping[str, Iterable[dict[str, Any]]]) -> None:
    """Write JSON Lines files by name into `folder`; nothing that is there is overwritten."""
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


def write_pairs(folder: Path, converted: ConvertedPairs) -> str:
    """Write the four files of a data set of pairs, and return what was done, in sentences."""
    write_all(
        folder,
        {
            "corpus.jsonl": converted.corpus,
            "requests.jsonl": converted.requests,
            "contracts.jsonl": converted.contracts,
            "twins.jsonl": converted.twins,
        },
    )
    said = (
        f"{len(converted.corpus)} documents, {len(converted.requests)} requests with their "
        f"contracts and {len(converted.twins)} twin pairs were written to {folder}."
    )
    if not converted.left_out:
        return said
    reasons = "; ".join(f"{count} {why}" for why, count in sorted(converted.left_out.items()))
    return f"{said} Left out: {reasons}."
