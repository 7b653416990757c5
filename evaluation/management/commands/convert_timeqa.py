from pathlib import Path

from evaluation.converting.timeqa import convert
from evaluation.management.converting import ConvertingCommand, Rows, write_pairs


class Command(ConvertingCommand):
    help = (
        "Convert a folder of TimeQA (paragraphs and questions about years) into corpus.jsonl, "
        "requests.jsonl, contracts.jsonl and twins.jsonl, and say what was left out."
    )
    files = ("corpus.jsonl", "questions.jsonl")

    def convert(self, first: Rows, second: Rows, target: Path) -> str:
        return write_pairs(target, convert(first, second))
