from pathlib import Path

from evaluation.converting.mtrag import convert
from evaluation.management.converting import ConvertingCommand, Rows, write_all


class Command(ConvertingCommand):
    help = "Convert a folder of MTRAG tasks into corpus.jsonl, requests.jsonl and rewrites.jsonl."
    files = ("corpus.jsonl", "tasks.jsonl")

    def convert(self, first: Rows, second: Rows, target: Path) -> str:
        converted = convert(first, second)
        files = {
            "corpus.jsonl": converted.corpus,
            "requests.jsonl": converted.requests,
            "rewrites.jsonl": converted.rewrites,
        }
        write_all(target, files)
        return (
            f"{len(converted.corpus)} documents, {len(converted.requests)} requests and "
            f"{len(converted.rewrites)} rewrites were written to {target}. Tasks "
            f"without a rewrite, left out: {converted.without_rewrite}."
        )
