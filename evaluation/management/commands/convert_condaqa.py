from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand
from evaluation.converting.condaqa import convert
from evaluation.converting.source import SourceError
from evaluation.management.converting import rows_of, write_pairs


class Command(SentenceCommand):
    help = (
        "Convert a folder of CondaQA (passages in edited versions) into corpus.jsonl, "
        "requests.jsonl, contracts.jsonl and twins.jsonl, and say what was left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "source", type=Path, help="the folder with passages.jsonl, questions.jsonl"
        )
        parser.add_argument("target", type=Path, help="the folder for the converted files")

    def handle(self, *args: Any, **options: Any) -> None:
        source: Path = options["source"]
        try:
            rows = rows_of(source / "passages.jsonl"), rows_of(source / "questions.jsonl")
            converted = convert(*rows)
        except SourceError as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(write_pairs(options["target"], converted))
