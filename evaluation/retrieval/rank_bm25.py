"""The rank-bm25 package as a retriever for small corpora, kept in memory. Also our check on bm25.

The variants differ from the retriever `bm25` (Lucene's) only in the IDF and in a constant factor
k1 + 1. `plus` has ln((N + 1) / df), positive like Lucene's ln((N + 1) / (df + 0.5)), so that
queries of one word rank alike. `okapi` is the classic one: its IDF is negative for a word in more
than half of the documents, where the package puts a quarter of the average IDF in its place.

Left out: BM25L, because version 0.2.2 multiplies its scores by the term frequency once too often;
and the `delta` of BM25+, because it adds the same to every document, with the word or without.
"""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Literal

import numpy as np
import rank_bm25
from numpy.typing import NDArray

from evaluation.registry import PartError
from evaluation.retrieval.base import LocalRetriever, register
from evaluation.retrieval.ranking import best
from evaluation.retrieval.store import CorpusSource, DocumentTable
from evaluation.retrieval.tokens import StopWords, tokenize


@dataclass(frozen=True, slots=True)
class RankBm25Parameters:
    """As `bm25`, with the variant and a cap on the corpus.

    `variant`: whose IDF.
    `k1`: term frequency saturation, above 0.
    `b`: length normalisation, 0 to 1.
    `stop_words`: words that are left out of documents and queries.
    `max_documents`: a larger corpus is refused, since everything is in memory.
    """

    variant: Literal["plus", "okapi"] = "plus"
    k1: float = 1.2
    b: float = 0.75
    stop_words: StopWords = "none"
    max_documents: int = 10_000

    def __post_init__(self) -> None:
        if not 0 < self.k1 <= 1000:
            raise ValueError(f"k1 must be above 0 and at most 1000, not {self.k1}.")
        if not 0 <= self.b <= 1:
            raise ValueError(f"b must lie between 0 and 1, not {self.b}.")


@register("rank_bm25", version="1")
class RankBm25Retriever(LocalRetriever):
    """Scores with rank-bm25; a hit is a document that shares a word with the query."""

    Parameters = RankBm25Parameters
    parameters: RankBm25Parameters

    def __init__(self, parameters: RankBm25Parameters, source: CorpusSource) -> None:
        super().__init__(parameters, source)
        documents = source.in_order()
        if len(documents) > parameters.max_documents:
            raise PartError(
                f"The corpus has {len(documents)} documents; the retriever rank_bm25 takes at most "
                f"{parameters.max_documents}. Use the retriever bm25, or raise max_documents."
            )
        self.table = DocumentTable.of(documents)
        texts = [
            tokenize(f"{document.title}\n{document.text}", parameters.stop_words)
            for document in documents
        ]
        self._words = [frozenset(text) for text in texts]
        # The package divides by the average length: without a word there is nothing to index.
        self._index = self._build(texts) if any(texts) else None

    def libraries(self) -> dict[str, str]:
        return {"rank-bm25": version("rank-bm25")}

    def rank(
        self, query: str, k: int, allowed: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        words = sorted(tokenize(query, self.parameters.stop_words))
        if self._index is None or not words:
            return []
        wanted = frozenset(words)
        # Not "score > 0": okapi scores can be negative for documents that do match.
        found = np.array([not wanted.isdisjoint(document) for document in self._words])
        return best(
            np.asarray(self._index.get_scores(words)),
            found if allowed is None else found & allowed,
            k,
        )

    def _build(self, texts: list[list[str]]) -> "rank_bm25.BM25":
        p = self.parameters
        if p.variant == "okapi":
            return rank_bm25.BM25Okapi(texts, k1=p.k1, b=p.b)
        return rank_bm25.BM25Plus(texts, k1=p.k1, b=p.b, delta=0)
