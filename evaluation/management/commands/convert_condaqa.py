from pathlib import Path

from evaluation.converting.condaqa import convert
from evaluation.management.converting import ConvertingCommand, Rows, write_pairs


class Command(ConvertingCommand):
    help = (
        "Convert a folder of CondaQA (passages in edited versions) into corpus.jsonl, "
        "requests.jsonl, contracts.jsonl and twins.jsonl, and say what was left out."
    )
    files = ("passages.jsonl", "questions.jsonl")

    def convert(self, first: Rows, second: Rows, target: Path) -> str:
        return write_pairs(target, convert(first, second))
