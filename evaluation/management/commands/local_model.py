import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.registry import PartError
from evaluation.training.local_model import LocalModel, convert_bundled


class Command(BaseCommand):
    help = (
        "Convert the bundled language model (SmolLM2) once into a folder that torch reads: for "
        "INTACT_READER_MODEL, the pipelines that need probabilities, and train_corrector --base."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="a new folder")
        parser.add_argument(
            "--weights",
            choices=("bfloat16", "float32"),
            default="bfloat16",
            help="bfloat16 takes some 270 MB, float32 some 540 MB and no rounding",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = convert_bundled(options["folder"], weights=options["weights"])
        except PartError as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(json.dumps(_told(made)) if options["json"] else _sentence(made))


def _told(made: LocalModel) -> dict[str, Any]:
    return {
        "folder": str(made.folder),
        "source": made.source,
        "source_sha256": made.source_sha256,
        "weights": made.weights,
        "parameters": made.parameters,
        "bytes": made.size,
        "seconds": round(made.seconds, 1),
    }


def _sentence(made: LocalModel) -> str:
    return (
        f"{made.source} is converted to {made.folder}: {made.parameters / 1e6:.1f} million weights "
        f"as {made.weights}, {made.size / 1e6:.0f} MB, in {made.seconds:.0f} s.\n"
        f"Set INTACT_READER_MODEL={made.folder} to use it."
    )
