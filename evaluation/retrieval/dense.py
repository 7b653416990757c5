"""Exact search by embeddings: sentence-transformers with the bundled MiniLM or a model of yours.

Title and text are embedded as one passage, cut at the model's own length (256 word pieces for
MiniLM). The matrix is float16 on disk, memory-mapped; scores are cosines.
"""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evaluation.records import Document
from evaluation.retrieval.base import LocalRetriever, register
from evaluation.retrieval.embedding import EmbeddingParameters, Encoder, passage_of
from evaluation.retrieval.ranking import best
from evaluation.retrieval.store import CorpusSource, DocumentTable, open_index

MATRIX = "passages.npy"
_ROWS_AT_ONCE = 16_384
# Encoded together, sorted by length for the model's batches; only these are in memory as float32.
_PASSAGES_AT_ONCE = 8_192


@register("dense", version="1")
class DenseRetriever(LocalRetriever):
    """Cosine of query and passage. Every allowed document has a score, so `k` hits come back.

    Source: Reimers and Gurevych 2019, "Sentence-BERT", arXiv 1908.10084.
    """

    Parameters: ClassVar[type] = EmbeddingParameters
    parameters: EmbeddingParameters
    query_prefix = ""  # what the model was taught to see before a query

    def __init__(self, parameters: EmbeddingParameters, source: CorpusSource) -> None:
        super().__init__(parameters, source)
        self.encoder = self._encoder()
        recipe = {k: v for k, v in super().describe().items() if k not in ("corpus", "parameters")}
        index = open_index(source, {**recipe, "batch": parameters.batch_size}, self._write)
        self.table = DocumentTable.read(index)
        path = index / MATRIX
        self._matrix: NDArray[np.float16] | None = (
            np.load(path, mmap_mode="r") if path.exists() else None
        )

    def _encoder(self) -> Encoder:
        return Encoder(self.parameters)

    def model(self) -> dict[str, Any]:
        return self.encoder.model()

    def libraries(self) -> dict[str, str]:
        return self.encoder.libraries()

    def rank(
        self, query: str, k: int, allowed: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        if self._matrix is None or not query.strip():
            return []
        vector = self.encoder.embed([self.query_prefix + query])[0]
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
        passages = [passage_of(document) for document in documents]
        first = self.encoder.embed(passages[:_PASSAGES_AT_ONCE])
        matrix = np.lib.format.open_memmap(
            folder / MATRIX, mode="w+", dtype=np.float16, shape=(len(passages), first.shape[1])
        )
        matrix[: len(first)] = first
        for at in range(len(first), len(passages), _PASSAGES_AT_ONCE):
            block = self.encoder.embed(passages[at : at + _PASSAGES_AT_ONCE])
            matrix[at : at + len(block)] = block
        matrix.flush()
