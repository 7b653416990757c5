"""Reciprocal rank fusion over the sub-queries of a rewrite, each searched by one retriever."""

from dataclasses import dataclass
from typing import Literal

from evaluation.retrieval.base import RETRIEVERS, LocalRetriever, register
from evaluation.retrieval.fusing import FusingRetriever, FusionParameters
from evaluation.retrieval.store import CorpusSource


@dataclass(frozen=True, slots=True)
class RrfParameters(FusionParameters):
    """As for every fusion.

    `over`: the retriever that is asked for each query, with its own defaults.
    """

    over: Literal["bm25", "dense"] = "bm25"


@register("rrf", version="1")
class RrfRetriever(FusingRetriever):
    """A document that several queries find rises; the original request is among them.

    Filters decide before anything is ranked. Each hit says which query found it at which rank.

    Source: Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and
    individual rank learning methods", SIGIR 2009.
    """

    Parameters = RrfParameters
    parameters: RrfParameters

    def _build(self, source: CorpusSource) -> list[tuple[LocalRetriever, float]]:
        inner = RETRIEVERS.find(self.parameters.over)
        built = inner(inner.Parameters(), source)
        assert isinstance(built, LocalRetriever)  # noqa: S101 for the type checker
        return [(built, 1.0)]
