"""Words and meaning together: BM25 and embeddings, fused by reciprocal rank."""

from dataclasses import dataclass

from evaluation.retrieval.base import LocalRetriever, register
from evaluation.retrieval.bm25 import Bm25Parameters, Bm25Retriever
from evaluation.retrieval.dense import DenseRetriever
from evaluation.retrieval.embedding import EmbeddingParameters
from evaluation.retrieval.fusing import FusingRetriever, FusionParameters, chosen
from evaluation.retrieval.store import CorpusSource
from evaluation.retrieval.tokens import StopWords


@dataclass(frozen=True, slots=True)
class HybridParameters(FusionParameters):
    """As for every fusion, with the weights and what `bm25` and `dense` take.

    `bm25_weight`: what the list of BM25 counts; 0 leaves it out.
    `dense_weight`: what the list of the embeddings counts; 0 leaves it out.
    `k1`: BM25's term frequency saturation, from 0.
    `b`: BM25's length normalisation, 0 to 1.
    `stop_words`: words that BM25 leaves out.
    `model_path`: a sentence-transformers folder; none is the bundled MiniLM.
    `batch_size`: passages that the model sees at once.
    """

    bm25_weight: float = 1.0
    dense_weight: float = 1.0
    k1: float = 1.2
    b: float = 0.75
    stop_words: StopWords = "none"
    model_path: str | None = None
    batch_size: int = 32

    def __post_init__(self) -> None:
        FusionParameters.__post_init__(self)
        for name, weight in (("bm25", self.bm25_weight), ("dense", self.dense_weight)):
            if not 0 <= weight <= 1000:
                raise ValueError(f"{name}_weight must lie between 0 and 1000, not {weight}.")
        if not self.bm25_weight and not self.dense_weight:
            raise ValueError("bm25_weight and dense_weight must not both be 0.")
        chosen(self, Bm25Parameters)
        chosen(self, EmbeddingParameters)


@register("hybrid", version="1")
class HybridRetriever(FusingRetriever):
    """Finds shared words and shared meaning; the original request is among the queries.

    Filters decide before anything is ranked, in both lists. Each hit says which list of which query
    it stood in, and at which rank.

    Source: Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and
    individual rank learning methods", SIGIR 2009.
    """

    Parameters = HybridParameters
    parameters: HybridParameters

    def _build(self, source: CorpusSource) -> list[tuple[LocalRetriever, float]]:
        p = self.parameters
        inner: list[tuple[LocalRetriever, float]] = []
        if p.bm25_weight:
            inner.append((Bm25Retriever(chosen(p, Bm25Parameters), source), p.bm25_weight))
        if p.dense_weight:
            inner.append((DenseRetriever(chosen(p, EmbeddingParameters), source), p.dense_weight))
        return inner
