import json
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evaluation.management.parameters import read_parameters
from evaluation.management.training import read_mix
from evaluation.registry import parse_parameters
from evaluation.training.artefact import Artefact
from evaluation.training.corrector import CorrectorSettings
from evaluation.training.corrector_files import Recipe, train_from_files
from evaluation.training.pairs import MIX, Corruption


class Command(BaseCommand):
    help = (
        "Train a query corrector (RA-QCG: LoRA on a causal language model that reads retrieved "
        'documents) for the rewriter "ra_qcg".'
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--questions", type=Path, required=True, help="JSON Lines with id and text")
        add("--corpus", type=Path, required=True, help="JSON Lines with _id, title and text")
        add("--base", type=Path, required=True, help="folder of the model: see local_model")
        add("--output", type=Path, required=True, help="a new folder")
        add("--rate", type=float, default=0.2, help="share of the questions that is corrupted")
        add("--mix", default=_shown(MIX), metavar="KIND:WEIGHT,...", help="kinds of errors")
        add("--typed", default="", metavar="FIELD", help="field with the text as it was typed")
        add("--retriever", default="bm25", metavar="NAME[:JSON]", help="what finds the documents")
        add("--seed", type=int, default=0)
        add("--parameters", default="{}", metavar="JSON", help="lr, epochs, batch, rank, alpha ...")
        add("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            name, _colon, parameters = options["retriever"].partition(":")
            searching = read_parameters(parameters or "{}", "The retriever's parameters")
            corruption = Corruption(rate=options["rate"], mix=read_mix(options["mix"]))
            artefact = train_from_files(
                options["questions"],
                options["corpus"],
                options["output"],
                base=options["base"],
                recipe=Recipe(corruption, name, searching),
                settings=parse_parameters(
                    CorrectorSettings,
                    {
                        **read_parameters(options["parameters"], "The --parameters"),
                        "seed": options["seed"],
                    },
                    "training of a corrector",
                ),
                index_dir=Path(settings.INDEX_DIR),
                typed=options["typed"],
                progress=None if options["json"] else self._progress,
            )
        except ValueError as fault:  # a PartError is one
            raise CommandError(str(fault)) from fault
        self.stdout.write(json.dumps(_told(artefact)) if options["json"] else _sentence(artefact))

    def _progress(self, epoch: int, step: int, steps: int, loss: float) -> None:
        self.stdout.write(f"Epoch {epoch}, step {step} of {steps}: loss {loss:.3f}.")


def _shown(mix: Mapping[str, int]) -> str:
    return ",".join(f"{kind}:{weight}" for kind, weight in mix.items())


def _told(artefact: Artefact) -> dict[str, Any]:
    told = artefact.told
    return {
        "folder": str(artefact.folder),
        "sha256": artefact.sha256,
        "pairs": told["data"]["pairs"],
        "identity": told["data"]["identity"],
        "losses": told["losses"],
        "base": told["base"]["name"],
    }


def _sentence(artefact: Artefact) -> str:
    told = artefact.told
    data = told["data"]
    losses = ", ".join(f"{loss:.3f}" for loss in told["losses"])
    return (
        f"A corrector is in {artefact.folder}: trained on “{told['base']['name']}” with "
        f"{data['pairs']} queries, {data['identity']} of them clean. Loss of each epoch: {losses}."
        f"\nSet INTACT_CORRECTOR={artefact.folder} to use it."
    )
