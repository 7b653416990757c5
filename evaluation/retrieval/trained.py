"""Exact search by a model that was trained here: `manage.py train_retriever` writes its folder."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from evaluation.registry import PartError
from evaluation.retrieval.base import register
from evaluation.retrieval.dense import DenseRetriever
from evaluation.retrieval.embedding import EmbeddingParameters, Encoder
from evaluation.retrieval.store import CorpusSource
from evaluation.training.artefact import Artefact, read_artefact

FOLDER = "INTACT_TRAINED_RETRIEVER"
KIND = "retriever"


@dataclass(frozen=True, slots=True)
class TrainedParameters:
    """Which trained model makes the vectors.

    `path`: the folder of the artefact; empty takes the one in INTACT_TRAINED_RETRIEVER, which may
    lie elsewhere on each machine.
    `batch_size`: passages that the model sees at once.
    """

    path: str = ""
    batch_size: int = 32

    def __post_init__(self) -> None:
        EmbeddingParameters(batch_size=self.batch_size)


@register("trained", version="1")
class TrainedRetriever(DenseRetriever):
    """Cosine of query and passage by an embedding model that was trained on questions of one's own,
    clean or partly with typing errors.

    Searches as "dense" does. The artefact is checked file by file when the retriever is built: a
    changed one is refused. Its hash, with those of its base model and its data, is frozen, and the
    index belongs to that hash: two trainings never share one. What stood before each query in
    training stands there in search too.

    Source: QE-RAG (Zhang et al. 2025, arXiv 2504.04062), the robust retriever: contrastive training
    with corrupted queries.
    """

    Parameters: ClassVar[type] = TrainedParameters
    parameters: TrainedParameters  # type: ignore[assignment]

    def __init__(self, parameters: TrainedParameters, source: CorpusSource) -> None:
        self.artefact = artefact_of(parameters.path)
        self.query_prefix = str(self.artefact.told.get("query_prefix", ""))
        super().__init__(parameters, source)  # type: ignore[arg-type]

    def _encoder(self) -> Encoder:
        vectors = EmbeddingParameters(
            model_path=str(self.artefact.folder), batch_size=self.parameters.batch_size
        )
        return Encoder(vectors, identity=self.artefact.sha256)

    def model(self) -> dict[str, Any]:
        """The model is what its files are, wherever they lie."""
        told = self.artefact.told
        return {
            "kind": KIND,
            "sha256": self.artefact.sha256,
            "base": told.get("base", {}).get("sha256"),
            "data": told.get("data", {}).get("sha256"),
            "query_prefix": self.query_prefix,
        }


def artefact_of(path: str) -> Artefact:
    """Return the artefact of a folder, or of INTACT_TRAINED_RETRIEVER when `path` is empty.

    Raises PartError when there is none, or one that was changed.
    """
    given = path.strip() or os.environ.get(FOLDER, "").strip()
    if not given:
        raise PartError(
            f'The retriever "trained" needs the folder of a trained model: set {FOLDER}, or its '
            'parameter "path". `python manage.py train_retriever` makes one.'
        )
    return read_artefact(Path(given), KIND)
