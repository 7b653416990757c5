from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand
from evaluation.converting.mtrag import convert
from evaluation.converting.source import SourceError
from evaluation.management.converting import rows_of, write_all


class Command(SentenceCommand):
    help = "Convert a folder of MTRAG tasks into corpus.jsonl, requests.jsonl and rewrites.jsonl."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path, help="the folder with corpus.jsonl, tasks.jsonl")
        parser.add_argument("target", type=Path, help="the folder for the converted files")

    def handle(self, *args: Any, **options: Any) -> None:
        source: Path = options["source"]
        try:
            converted = convert(rows_of(source / "corpus.jsonl"), rows_of(source / "tasks.jsonl"))
        except SourceError as fault:
            raise CommandError(str(fault)) from fault
        files = {
            "corpus.jsonl": converted.corpus,
            "requests.jsonl": converted.requests,
            "rewrites.jsonl": converted.rewrites,
        }
        write_all(options["target"], files)
        self.stdout.write(
            f"{len(converted.corpus)} documents, {len(converted.requests)} requests and "
            f"{len(converted.rewrites)} rewrites were written to {options['target']}. Tasks "
            f"without a rewrite, left out: {converted.without_rewrite}."
        )
