"""BM25 over title and text. The only module that imports bm25s.

The variant is Lucene's (Kamphuis et al., ECIR 2020, "Which BM25 Do You Mean?"): its IDF,
ln(1 + (N - df + 0.5) / (df + 0.5)), is positive even for a word in every document, so that a
document with the word never ranks below one without.
"""

import logging
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
from numpy.typing import NDArray

from evaluation.records import Document
from evaluation.retrieval.base import LocalRetriever, register
from evaluation.retrieval.ranking import best
from evaluation.retrieval.store import CorpusSource, DocumentTable, open_index
from evaluation.retrieval.tokens import StopWords, tokenize

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG


@dataclass(frozen=True, slots=True)
class Bm25Parameters:
    """What BM25 weighs by.

    `k1`: term frequency saturation, from 0.
    `b`: length normalisation, 0 to 1.
    `stop_words`: words that are left out of documents and queries.
    `per_query`: the most documents that each query of a rewrite adds; 0 lets each add up to k.
    """

    k1: float = 1.2
    b: float = 0.75
    stop_words: StopWords = "none"
    per_query: int = 0

    def __post_init__(self) -> None:
        if self.per_query < 0:
            raise ValueError(f"per_query must be 0 or more, not {self.per_query}.")
        if not 0 <= self.k1 <= 1000:
            raise ValueError(f"k1 must lie between 0 and 1000, not {self.k1}.")
        if not 0 <= self.b <= 1:
            raise ValueError(f"b must lie between 0 and 1, not {self.b}.")


@register("bm25", version="1")
class Bm25Retriever(LocalRetriever):
    """Memory-mapped BM25; documents that share no word with a query are no hits.

    Source: Robertson et al. 1994, "Okapi at TREC-3", in Lucene's variant (Kamphuis et al. 2020).
    """

    Parameters = Bm25Parameters
    parameters: Bm25Parameters

    def __init__(self, parameters: Bm25Parameters, source: CorpusSource) -> None:
        super().__init__(parameters, source)
        self.per_query = parameters.per_query
        # How many documents a query adds is no matter of the index.
        indexed = {k: v for k, v in asdict(parameters).items() if k != "per_query"}
        described = {**super().describe(), "parameters": indexed}
        recipe = {k: v for k, v in described.items() if k != "corpus"}
        folder = open_index(source, recipe, self._write)
        self.table = DocumentTable.read(folder)
        self._index = (
            bm25s.BM25.load(folder / "index", load_corpus=False, mmap=True)
            if (folder / "index").exists()
            else None
        )

    def libraries(self) -> dict[str, str]:
        return {"bm25s": version("bm25s")}

    def rank(
        self, query: str, k: int, allowed: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        if self._index is None:
            return []
        # Sorted, so that the order of the words cannot change the last bit of a sum.
        words = sorted(tokenize(query, self.parameters.stop_words))
        ids = self._index.get_tokens_ids(words)
        if not ids:
            return []
        scores: NDArray[Any] = self._index.get_scores_from_ids(ids)
        found = scores > 0
        return best(scores, found if allowed is None else found & allowed, k)

    def _write(self, folder: Path, documents: list[Document]) -> None:
        texts = [
            tokenize(f"{document.title}\n{document.text}", self.parameters.stop_words)
            for document in documents
        ]
        # Our own vocabulary in sorted order: bm25s would number words in the order of a set.
        vocabulary = {word: i for i, word in enumerate(sorted({w for t in texts for w in t}))}
        if not vocabulary:
            return
        index = bm25s.BM25(
            method="lucene",
            k1=self.parameters.k1,
            b=self.parameters.b,
            dtype="float64",
            backend="numpy",
            csc_backend="numpy",
        )
        numbered = [[vocabulary[word] for word in text] for text in texts]
        index.index((numbered, vocabulary), create_empty_token=False, show_progress=False)
        index.save(folder / "index", show_progress=False)
