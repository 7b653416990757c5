"""Correctors of a few kilobytes, trained by the tests themselves."""

from pathlib import Path
from typing import Any

from evaluation.records import Document
from evaluation.training.artefact import Artefact
from evaluation.training.correction import Pair
from evaluation.training.corrector import CorrectorSettings, train_corrector
from tests.evaluation.readers.tiny_models import save_chain, save_random

DOCUMENT = Document("d1", "Harbor Rail", "It rose by 4 % .")
PAIRS = (
    Pair("How mch ?", "how much ?", (DOCUMENT,)),
    Pair("Harbor Rail", "Harbor Rail", (DOCUMENT,)),
)
SETTINGS: dict[str, Any] = {"rank": 2, "alpha": 4, "batch": 2, "epochs": 1, "k": 1}


def trained(folder: Path, base: Path, pairs: Any = PAIRS, **changed: Any) -> Artefact:
    """Train on a base model that is there; one step unless told otherwise."""
    settings = CorrectorSettings(**{**SETTINGS, **changed})
    return train_corrector(folder, pairs, settings, base=base)


def chain_corrector(folder: Path, *said: str) -> tuple[Path, Path]:
    """Return (corrector, base) that writes the words `said` for every query."""
    base = save_chain(folder / "base", *said)
    return trained(folder / "corrector", base, lr=1e-9).folder, base


def random_base(folder: Path) -> Path:
    return save_random(folder / "base")
